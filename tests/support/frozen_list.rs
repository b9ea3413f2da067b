//! Compares lists that may only grow with golden files. `docs/compatibility.md` says what is frozen.

use std::{collections::BTreeSet, env, fs, path::Path};

/// Asserts that the entries, one a line, are those of a file in `tests/golden/frozen`. Entries of the file may neither change nor
/// go. `UPDATE_GOLDEN=1` adds new entries to it.
pub(crate) fn check(name: &str, entries: &BTreeSet<String>) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/frozen").join(name);
    let text = fs::read_to_string(&file).unwrap_or_default();
    let golden: BTreeSet<_> = text.lines().map(str::to_owned).collect();
    let gone: Vec<_> = golden.difference(entries).collect();
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
