//! Checks CONTRIBUTING and the scripts: the page names each script, each file has the items that the lists for changes name, and the list for a criterion
//! names each file that must change with it.

use std::{fs, path::Path};

use super::{SOURCES, assert_none, read, root, rust_files};

/// A file of the service that has all these words names the criteria one by one.
const CRITERIA: [&str; 3] = ["symmetry", "technique", "givens"];

#[test]
fn every_script_is_named() {
    let page = read("CONTRIBUTING.md");
    let names = fs::read_dir(root().join(".ci")).unwrap().map(|entry| entry.unwrap().file_name());
    let scripts = names.map(|name| name.to_string_lossy().into_owned()).filter(|name| !name.contains('.'));
    let lost = scripts.filter(|name| ![' ', '`', '\n'].iter().any(|end| page.contains(&format!(".ci/{name}{end}"))));
    assert_none(&lost.map(|name| format!("CONTRIBUTING.md does not name .ci/{name}")).collect::<Vec<_>>());
}

/// `.ci/newcomer` provokes each error, or names the test that does, but `cargo test` does not run it.
#[test]
fn newcomer_knows_each_reason_of_an_error() {
    let script = read(".ci/newcomer.py");
    let reasons = read("tests/golden/frozen/reasons.txt");
    let reasons = reasons.lines().filter_map(|line| line.split(' ').next());
    let lost = reasons.filter(|reason| !script.contains(&format!("\"{reason}\"")));
    assert_none(&lost.map(|reason| format!(".ci/newcomer.py does not name {reason}")).collect::<Vec<_>>());
}

#[test]
fn items_of_the_lists_are_in_the_files_beside_them() {
    let lists = lists("Fields", "Rules");
    let named = named(&lists);
    assert!(named.len() > 10, "{named:?}");
    let lost = named.iter().filter(|(item, file)| !words(&read(file)).any(|word| word == *item));
    assert_none(&lost.map(|(item, file)| format!("CONTRIBUTING.md: {file} has no {item}")).collect::<Vec<_>>());
}

/// The compiler leads to a file that takes `Criteria` apart.
#[test]
fn list_for_a_criterion_names_each_file_that_names_the_criteria() {
    let list = lists("Criteria", "Settings");
    let of_service = SOURCES.into_iter().filter(|folder| *folder != "crates/engine/src").flat_map(rust_files);
    let faults = of_service.filter(|file| {
        let source = read(file);
        let product = source.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let code: String = product.lines().filter(|line| !line.trim().starts_with("//")).collect();
        let has = |criterion: &&str| words(&code).any(|word| word.split('_').any(|part| part == *criterion));
        CRITERIA.iter().all(has) && !code.contains("let Criteria {") && !list.contains(&format!("`{file}`"))
    });
    let faults: Vec<_> = faults.map(|file| format!("CONTRIBUTING.md: the list for a criterion lacks {file}")).collect();
    assert_none(&faults);
}

/// The lists between two headings of CONTRIBUTING, on one line.
fn lists(from: &str, to: &str) -> String {
    let page = read("CONTRIBUTING.md");
    let heading = |title: &str| format!("\n### {title}\n");
    let (_, rest) = page.split_once(&heading(from)).unwrap_or_else(|| panic!("no heading {from}"));
    let (lists, _) = rest.split_once(&heading(to)).unwrap_or_else(|| panic!("no heading {to}"));
    lists.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Each item with its file, of phrases such as "`one` and `two` in `src/file.rs`".
fn named(text: &str) -> Vec<(&str, &str)> {
    let parts: Vec<_> = text.split('`').collect();
    let is_file = |code: &str| Path::new(code).extension().is_some_and(|found| found == "rs");
    let mut found = Vec::new();
    for at in (1..parts.len()).step_by(2).filter(|at| is_file(parts[*at])) {
        let mut joints = &["in", "of"][..];
        for item in (1..at).rev().skip(1).step_by(2) {
            if !joints.contains(&parts[item + 1].trim()) || is_file(parts[item]) {
                break;
            }
            found.push((parts[item].rsplit("::").next().unwrap_or_default(), parts[at]));
            joints = &["and", "or", ",", "and in"];
        }
    }
    found
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|sign: char| !(sign.is_alphanumeric() || sign == '_'))
}

#[test]
fn items_are_found_before_their_file() {
    let text =
        "a line in `Command` and in `run` of `lib.rs`, and `Fitting::fields` in `draw.rs`, or `build.rs`; see `x`";
    assert_eq!(named(text), [("run", "lib.rs"), ("Command", "lib.rs"), ("fields", "draw.rs")]);
}
