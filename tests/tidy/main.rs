//! Checks rules of this project that no lint covers: layers of `src` and purity of the engine, kinds that import no
//! other kind, an engine for each kind and a file for each method of the API, headers and sizes of files, names of files and tests, a target that
//! runs each ignored test, SQL statements that list their columns, and docs that agree with code, help texts, API, and registry.
#![cfg(test)]

mod api;
mod comments;
mod contributing;
mod graph;
mod imports;
mod kinds;
mod methods;
mod names;
mod pages;
mod paths;
mod statements;
mod tables;
mod walks;

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use imports::{engine_faults, layer_faults};
use puzzled_engine::registry;

/// The maximum number of lines of a file.
const LINES_MAX: usize = 400;

#[test]
fn no_layer_reaches_up_and_the_engine_stays_pure() {
    let faults = rust_files("src").into_iter().flat_map(|file| layer_faults(&file, &read(&file)));
    let impure = rust_files("crates/engine/src").into_iter().flat_map(|file| engine_faults(&file, &read(&file)));
    assert_none(&faults.chain(impure).collect::<Vec<_>>());
}

#[test]
fn every_kind_on_the_wire_has_an_engine() {
    let proto = read("proto/puzzled/v1/common.proto");
    let on_wire = proto.lines().filter_map(|line| line.trim().strip_prefix("KIND_")?.split_once(" = "));
    let kinds: Vec<_> = on_wire.map(|(name, _)| name.to_lowercase()).filter(|name| name != "unspecified").collect();
    assert!(kinds.len() > 1, "{kinds:?}");
    for kind in kinds {
        let has_folder = root().join("crates/engine/src").join(&kind).is_dir();
        assert!(has_folder && registry::kind(&kind).is_some(), "{kind}: no folder or no line in the engine's registry");
    }
}

#[test]
fn only_the_renderer_of_puzzles_knows_the_kinds() {
    let names = registry::kinds().iter().map(|kind| kind.name());
    let words: Vec<_> = names
        .flat_map(|name| {
            let word = name[..1].to_uppercase() + &name[1..];
            [format!("{name}::"), format!("{word}Metrics"), format!("Metrics::{word}"), format!("Kind::{word}")]
        })
        .collect();
    let folders = SOURCES.into_iter().filter(|folder| *folder != "crates/engine/src");
    let files = folders.flat_map(rust_files).filter(|file| file != "crates/api/src/puzzle.rs");
    let faults = files.flat_map(|file| {
        let source = read(&file);
        let product = source.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let product = product.split("#[cfg(test)]\npub(crate) mod ").next().unwrap_or_default();
        let product = product.split("#[cfg(feature = \"test-kind\")]").next().unwrap_or_default();
        let found = words.iter().filter(|word| product.contains(word.as_str()));
        found.map(|word| format!("{file}: {word}")).collect::<Vec<_>>()
    });
    assert_none(&faults.collect::<Vec<_>>());
}

#[test]
fn map_of_the_architecture_names_every_part_of_src() {
    let map = read("ARCHITECTURE.md");
    let entries = fs::read_dir(root().join("src")).unwrap().map(|entry| entry.unwrap());
    let paths = entries.map(|entry| match (entry.file_name().to_string_lossy(), entry.path().is_dir()) {
        (name, true) => format!("`src/{name}/`"),
        (name, false) => format!("`src/{name}`"),
    });
    let lost = paths.filter(|path| path != "`src/lib.rs`" && !map.contains(path));
    assert_none(&lost.map(|path| format!("ARCHITECTURE.md does not name {path}")).collect::<Vec<_>>());
}

#[test]
fn every_file_has_a_header_and_stays_small() {
    let files = ["src", "tests", "benches", "crates", "tools"].into_iter().flat_map(rust_files);
    let faults = files.chain(["build.rs".to_owned()]).filter_map(|file| {
        let source = read(&file);
        let begins_well =
            source.lines().find(|line| !line.starts_with("#![")).is_some_and(|line| line.starts_with("//! "));
        let lines = source.lines().count();
        (!begins_well || lines > LINES_MAX).then(|| format!("{file}: {lines} lines, begins with //!: {begins_well}"))
    });
    assert_none(&faults.collect::<Vec<_>>());
}

#[test]
fn every_ignored_test_is_run_by_on_postgres() {
    let runner = read("tests/on_postgres/main.rs");
    let targets = runner.split_once("const TARGETS").and_then(|(_, rest)| rest.split_once("];")).expect("no targets").0;
    let files = ["src", "tests", "benches", "crates", "tools"].into_iter().flat_map(rust_files);
    let faults = files.flat_map(|file| {
        let of_crate = file.strip_prefix("crates/").and_then(|rest| rest.split_once('/'));
        let path = of_crate.map_or(file.as_str(), |(_, path)| path);
        let target = path.strip_prefix("tests/").and_then(|path| path.split('/').next()).unwrap_or_default();
        let is_run = targets.contains(&format!("\"{target}\""));
        let source = read(&file);
        let ignored = source.lines().filter(|line| line.trim().starts_with("#[ignore"));
        let lost = ignored.filter(|line| !(is_run && line.contains("the target `on_postgres` runs it")));
        lost.map(|line| format!("{file}: {line}")).collect::<Vec<_>>()
    });
    assert_none(&faults.collect::<Vec<_>>());
}

/// Compares a page with what it must be. The variable `UPDATE_GOLDEN` makes it write the page.
fn check_page(page: &str, expected: &str) {
    #[expect(clippy::disallowed_methods, reason = "a person sets UPDATE_GOLDEN")]
    if env::var("UPDATE_GOLDEN").is_ok() {
        fs::write(root().join(page), expected).unwrap();
    }
    let found = read(page);
    let differs = found.lines().zip(expected.lines()).position(|(found, expected)| found != expected);
    assert!(
        found == expected,
        "{page} is stale from line {} on; write it anew with `UPDATE_GOLDEN=1 cargo test --test tidy`",
        differs.unwrap_or(found.lines().count().min(expected.lines().count())) + 1,
    );
}

/// The folders with the sources of the service: the server, and each crate.
const SOURCES: [&str; 7] = [
    "src",
    "crates/api/src",
    "crates/base/src",
    "crates/cli/src",
    "crates/engine/src",
    "crates/render/src",
    "crates/store/src",
];

#[test]
fn every_crate_is_among_the_sources() {
    let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().file_name());
    let lost = crates.map(|name| format!("crates/{}/src", name.to_string_lossy()));
    assert_none(&lost.filter(|path| !SOURCES.contains(&path.as_str())).collect::<Vec<_>>());
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn rust_files(folder: &str) -> Vec<String> {
    files(folder, "rs")
}

/// All files with an extension below a folder, as paths from the root; none if there is no such folder.
fn files(folder: &str, extension: &str) -> Vec<String> {
    let Ok(entries) = fs::read_dir(root().join(folder)) else { return Vec::new() };
    let names = entries.map(|entry| format!("{folder}/{}", entry.unwrap().file_name().to_string_lossy()));
    let mut files: Vec<_> = names
        .flat_map(|name| match root().join(&name).is_dir() {
            // Build output of a package outside the workspace.
            true if name.ends_with("/target") => Vec::new(),
            true => files(&name, extension),
            false => vec![name],
        })
        .filter(|name| Path::new(name).extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    files
}

fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}
