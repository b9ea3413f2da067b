//! Compares lists that grow with golden files. `docs/compatibility.md` says what is frozen, and what may be retired.

use std::{collections::BTreeSet, env, fs, path::Path};

/// Asserts that the entries, one a line, are those of a file in `tests/golden/frozen`. Entries of the file may neither change nor
/// go, unless they were retired. `UPDATE_GOLDEN=1` adds new entries to it, and removes retired ones.
pub(crate) fn check(name: &str, entries: &BTreeSet<String>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("tests/golden/frozen").join(name);
    let text = fs::read_to_string(&file).unwrap_or_default();
    let golden: BTreeSet<_> = text.lines().map(str::to_owned).collect();
    let [retired, changelog] =
        ["tests/golden/frozen/retired.txt", "CHANGELOG.md"].map(|file| fs::read_to_string(root.join(file)).unwrap());
    let gone: Vec<_> = golden.difference(entries).filter(|entry| !may_go(name, entry, &retired, &changelog)).collect();
    let added: Vec<_> = entries.difference(&golden).collect();
    let file = file.display();
    assert!(
        gone.is_empty(),
        "{file}: these entries are frozen, and are gone or have changed: {gone:#?}\nNew ones: {added:#?}\n\
         docs/compatibility.md says what may change, and when"
    );
    #[expect(clippy::disallowed_methods, reason = "a person sets UPDATE_GOLDEN")]
    if env::var("UPDATE_GOLDEN").is_ok() {
        let lines: String = entries.iter().flat_map(|entry| [entry.as_str(), "\n"]).collect();
        fs::write(file.to_string(), lines).unwrap();
        return;
    }
    assert!(
        added.is_empty(),
        "{file}: new entries, which are frozen from the next release on: {added:#?}\nUPDATE_GOLDEN=1 adds them; see \
         docs/compatibility.md"
    );
}

/// The lists whose entries can be retired.
const RETIRABLE: [&str; 4] = ["command-line.txt", "configuration.txt", "json.txt", "metrics.txt"];

/// Whether an entry of a list may go: a released version announced it, so the old name worked for one minor version. A line of
/// `retired.txt` has the minor version, the name as the changelog of this version has it, the list, and the entry. An entry that
/// ends with a colon is a whole command. Exit codes go only with their command.
pub(crate) fn may_go(list: &str, entry: &str, retired: &str, changelog: &str) -> bool {
    let is_announced = |line: &str| {
        let [version, name, of, gone] = line.splitn(4, ' ').collect::<Vec<_>>()[..] else {
            panic!("retired.txt: {line}: expected VERSION `NAME` LIST ENTRY")
        };
        let is_named = name.starts_with('`') && name.ends_with('`') && gone.contains(name.trim_matches('`'));
        assert!(is_named, "retired.txt: {line}: the entry does not contain the name, which stands in backticks");
        let mut sections = changelog.split("\n## [");
        let is_released = sections.any(|section| {
            section.strip_prefix(version).is_some_and(|rest| rest.starts_with('.')) && section.contains(name)
        });
        let is_entry = gone == entry && !entry.contains(": exit code: ");
        let is_command = gone.ends_with(':') && entry.starts_with(gone);
        of == list && (is_entry || is_command) && is_released
    };
    RETIRABLE.contains(&list) && retired.lines().filter(|line| !line.starts_with('#')).any(is_announced)
}
