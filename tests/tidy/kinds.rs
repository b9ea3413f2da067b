//! What a kind needs: a folder of `tests/data/kinds` with the files that its README names, and no others; and the files that the page on
//! kinds lists for its example.

use std::{collections::BTreeSet, fs};

use puzzled_engine::registry;

use super::{files, read, root};

/// The most files outside its folder and its data that a person edits for a kind on a square grid.
const FILES_MAX: usize = 12;

/// The folders and endings of files in which a person names a kind. Golden files, pictures, and seeds are made by commands.
const NAMED_IN: [(&str, &str); 9] = [
    (".ci", "py"),
    ("benches", "py"),
    ("benches", "rs"),
    ("crates", "rs"),
    ("docs", "md"),
    ("fuzz/fuzz_targets", "rs"),
    ("proto", "proto"),
    ("src", "rs"),
    ("tests", "rs"),
];

/// The files at the root, and others without a folder of their own, in which a person may name a kind.
const NAMED_IN_FILES: [&str; 4] = ["CHANGELOG.md", "README.md", "fuzz/words", "tests/data/grid/README.md"];

/// The pages that commands write, and the page on kinds itself.
const WRITTEN: [&str; 3] = ["docs/api.md", "docs/kinds.md", "docs/rating.md"];

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

#[test]
fn page_on_kinds_lists_the_files_that_name_its_example() {
    let page = read("docs/kinds.md");
    let (_, section) = page.split_once("\n## The files\n").unwrap();
    let rows = section.lines().take_while(|line| !line.starts_with("## ")).filter_map(|line| line.strip_prefix("| `"));
    let listed: BTreeSet<_> = rows.filter_map(|row| Some(row.split_once('`')?.0.to_owned())).collect();
    let all = NAMED_IN.iter().flat_map(|(folder, extension)| files(folder, extension));
    let all = all.chain(NAMED_IN_FILES.map(str::to_owned)).filter(|file| !WRITTEN.contains(&file.as_str()));
    let outside = all.filter(|file| !file.starts_with("crates/engine/src/suguru/") && file != "tests/tidy/kinds.rs");
    let naming: BTreeSet<_> = outside.filter(|file| read(file).to_lowercase().contains("suguru")).collect();
    assert_eq!(naming, listed, "the table of docs/kinds.md");
    assert!(naming.len() <= FILES_MAX, "a kind needs {} files by hand", naming.len());
}
