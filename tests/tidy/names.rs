//! Names of files and of tests: a file name identifies its file, and a test name states one behavior.

use std::{collections::BTreeMap, path::Path};

use puzzled_engine::registry;

use super::{SOURCES, assert_none, read, rust_files};

/// The maximum number of files of one crate with the same name.
const SAME_NAME_MAX: usize = 2;

/// The maximum number of characters of a test name.
const TEST_NAME_MAX: usize = 70;

/// Folders whose files share names because they implement the same interface, as do the folders of the kinds.
const PARALLEL: [&str; 2] = ["sqlite", "postgres"];

#[test]
fn file_names_occur_at_most_twice_in_a_crate() {
    let kinds = registry::kinds().iter().map(|kind| kind.name());
    let parallel: Vec<_> = PARALLEL.into_iter().chain(kinds).collect();
    let mut faults = Vec::new();
    for source in SOURCES.into_iter().chain(["tools/src"]) {
        let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for file in rust_files(source) {
            let name = Path::new(&file).file_name().unwrap().to_string_lossy().into_owned();
            let is_root = ["mod.rs", "main.rs", "lib.rs"].contains(&name.as_str());
            if !is_root && !parallel.iter().any(|folder| file.contains(&format!("/{folder}/"))) {
                places.entry(name).or_default().push(file);
            }
        }
        let several = places.into_values().filter(|files| files.len() > SAME_NAME_MAX);
        faults.extend(several.map(|files| format!("the same name: {}", files.join(", "))));
    }
    assert_none(&faults);
}

#[test]
fn test_names_have_at_most_70_characters() {
    let mut faults = Vec::new();
    for file in ["src", "tests", "crates", "tools", "fuzz"].into_iter().flat_map(rust_files) {
        let text = read(&file);
        let lines: Vec<_> = text.lines().map(str::trim).collect();
        for (at, line) in lines.iter().enumerate() {
            let Some(name) = test_name(&lines[..at], line) else { continue };
            let length = name.chars().count();
            if length > TEST_NAME_MAX {
                faults.push(format!("{file}:{}: {name} has {length} characters", at + 1));
            }
        }
    }
    assert_none(&faults);
}

/// The name of the test that a line defines: a function below a `test` attribute, or a case of the conformance suite, which
/// is async and visible in its crate.
fn test_name<'a>(before: &[&str], line: &'a str) -> Option<&'a str> {
    let (_, rest) = line.split_once("fn ")?;
    let attributes = before.iter().rev().take_while(|line| line.starts_with("#["));
    let is_test = attributes.into_iter().any(|line| line.contains("test")) || line.starts_with("pub(crate) async fn ");
    is_test.then(|| rest.split_once('(').map_or(rest, |(name, _)| name))
}
