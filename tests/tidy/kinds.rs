//! The folders of `tests/data/kinds`: one for each kind of the registry, with the files that its README names, and no others.

use std::{collections::BTreeSet, fs};

use puzzled_engine::registry;

use super::{read, root};

/// The names in a folder of `tests/data/kinds`.
fn names(folder: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(root().join("tests/data/kinds").join(folder)).unwrap();
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn each_kind_has_its_cases_and_no_file_is_unused() {
    let kinds = registry::kinds().iter().map(|kind| kind.name().to_owned());
    let expected: BTreeSet<_> = kinds.chain(["README.md".to_owned()]).collect();
    assert_eq!(names(""), expected, "add the folder of the kind as tests/data/kinds/README.md says");
    let readme = read("tests/data/kinds/README.md");
    let rows = readme.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let files: BTreeSet<_> = rows.map(|(name, _)| name.to_owned()).collect();
    for kind in registry::kinds() {
        assert_eq!(names(kind.name()), files, "{}", kind.name());
    }
}
