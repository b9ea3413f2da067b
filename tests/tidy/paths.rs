//! A path is a file: a module is named by its own path only, and a folder can be read at a glance.

use std::{collections::BTreeSet, fs, path::Path};

use super::{
    assert_none,
    imports::{Statement, names_behind, statements},
    read, root, rust_files,
};

/// The maximum number of entries of a folder with source code.
const ENTRIES_MAX: usize = 20;

/// The maximum number of files below [`SHORT`] lines, without `mod.rs`.
const SHORT_FILES_MAX: usize = 12;

/// The number of lines below which a file joins its user.
const SHORT: usize = 40;

/// Folders with one file for each technique.
const ONE_FILE_FOR_EACH_TECHNIQUE: [&str; 2] = ["sudoku/hodoku", "sudoku/techniques"];

const SOURCES: [&str; 2] = ["src", "crates/engine/src"];

#[test]
fn folders_have_at_most_20_entries() {
    let faults = SOURCES.into_iter().flat_map(folders).filter_map(|folder| {
        let entries = fs::read_dir(root().join(&folder)).unwrap().count();
        let is_excepted = ONE_FILE_FOR_EACH_TECHNIQUE.iter().any(|exception| folder.ends_with(exception));
        (entries > ENTRIES_MAX && !is_excepted).then(|| format!("{folder}: {entries} entries; group them"))
    });
    assert_none(&faults.collect::<Vec<_>>());
}

#[test]
fn few_files_are_short() {
    let files = SOURCES.into_iter().flat_map(rust_files).filter(|file| !file.ends_with("/mod.rs"));
    let short: Vec<_> = files.filter(|file| read(file).lines().count() < SHORT).collect();
    assert!(
        short.len() <= SHORT_FILES_MAX,
        "{} files have less than {SHORT} lines:\n{}",
        short.len(),
        short.join("\n")
    );
}

#[test]
fn only_a_folder_re_exports_and_only_its_own_items() {
    let files = SOURCES.into_iter().flat_map(rust_files);
    assert_none(&files.flat_map(|file| re_export_faults(&file, &read(&file), &children(&file))).collect::<Vec<_>>());
}

#[test]
fn no_module_is_reached_through_an_import_of_its_parent() {
    let mut faults = Vec::new();
    for file in SOURCES.into_iter().flat_map(rust_files) {
        let path = Path::new(&file);
        let folder = if file.ends_with("/mod.rs") { path.parent().and_then(Path::parent) } else { path.parent() };
        let Some(folder) = folder.and_then(Path::to_str) else { continue };
        let parent = ["mod.rs", "lib.rs"].map(|name| format!("{folder}/{name}"));
        let Some(parent) = parent.iter().find(|parent| root().join(parent).exists() && **parent != file) else {
            continue;
        };
        faults.extend(detour_faults(&file, &read(&file), &imported(&read(parent), &children(parent))));
    }
    assert_none(&faults);
}

/// Where a file re-exports what is not in its own folder. `children` are the modules of that folder.
fn re_export_faults(file: &str, source: &str, children: &BTreeSet<String>) -> Vec<String> {
    let is_folder = file.ends_with("/mod.rs") || file.ends_with("/lib.rs");
    let exports = statements(source).into_iter().filter_map(|Statement { line, code, .. }| {
        let path =
            code.strip_prefix("pub")?.split_once(" use ").or_else(|| code.strip_prefix("pub")?.split_once("use "))?.1;
        let path = path.trim_start_matches("self::").trim_end_matches(';').to_owned();
        code[..code.len() - path.len()].trim_end_matches("self::").ends_with("use ").then_some((line, path))
    });
    let faults = exports.filter(|(_, path)| {
        // A macro of this file has no other path.
        let is_macro = !path.contains("::") && source.contains(&format!("macro_rules! {path} "));
        let first = path.split("::").next().unwrap_or_default();
        !is_macro && !(is_folder && children.contains(first))
    });
    faults.map(|(line, path)| format!("{file}:{line}: re-exports {path}, which is not in its own folder")).collect()
}

/// Where a file uses `super::name` for a name that its parent only imports.
fn detour_faults(file: &str, source: &str, imported: &BTreeSet<String>) -> Vec<String> {
    let found = statements(source).into_iter().filter(|statement| statement.modules == 0).flat_map(|statement| {
        let names = names_behind("super::", &statement.code);
        names.into_iter().map(str::to_owned).map(|name| (statement.line, name)).collect::<Vec<_>>()
    });
    let faults = found.filter(|(_, name)| imported.contains(name));
    faults
        .map(|(line, name)| format!("{file}:{line}: super::{name} is an import of the parent; use its own path"))
        .collect()
}

/// The names of modules that a file imports from elsewhere: in lower case, and none of its own.
fn imported(source: &str, children: &BTreeSet<String>) -> BTreeSet<String> {
    let imports = statements(source).into_iter().filter(|statement| {
        let code = statement.code.trim_start_matches("pub").trim_start();
        statement.modules == 0 && (code.starts_with("use crate::") || code.starts_with("use super::"))
    });
    let names = imports.flat_map(|statement| {
        let code = statement.code.replace("self", "").replace([' ', ';', '}'], "");
        let parts: Vec<_> = code.split(['{', ',']).map(str::to_owned).collect();
        parts.into_iter().filter_map(|part| part.trim_end_matches("::").rsplit("::").next().map(str::to_owned))
    });
    let is_module = |name: &String| !name.is_empty() && name.chars().all(|c| c.is_lowercase() || c == '_');
    names.filter(is_module).filter(|name| !children.contains(name)).collect()
}

/// The modules in the folder of a `mod.rs` or `lib.rs`.
fn children(file: &str) -> BTreeSet<String> {
    let Some(folder) = Path::new(file).parent() else { return BTreeSet::new() };
    let names = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().file_name());
    names.map(|name| name.to_string_lossy().trim_end_matches(".rs").to_owned()).collect()
}

/// A folder and all folders below it.
fn folders(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap());
    let below = entries.filter(|entry| entry.path().is_dir());
    let below = below.flat_map(|entry| folders(&format!("{folder}/{}", entry.file_name().to_string_lossy())));
    std::iter::once(folder.to_owned()).chain(below).collect()
}

#[test]
fn a_re_export_from_elsewhere_is_found() {
    let children = BTreeSet::from(["gate".to_owned()]);
    for source in
        ["pub use crate::rules::job;", "pub(super) use super::filter::Filter;", "pub use opentelemetry::Error;"]
    {
        assert_eq!(re_export_faults("src/access/mod.rs", source, &children).len(), 1, "{source}");
    }
    assert_eq!(re_export_faults("src/access/gate.rs", "pub use gate::Gate;", &children).len(), 1, "not a folder");
    for source in
        ["pub use gate::Gate;", "pub(crate) use gate::{Gate, Key};", "macro_rules! rows {\n}\npub(crate) use rows;"]
    {
        assert_eq!(re_export_faults("src/access/mod.rs", source, &children), [""; 0], "{source}");
    }
}

#[test]
fn a_path_through_an_import_of_the_parent_is_found() {
    let parent = "use crate::{\n    clock::Millis,\n    rules::{job, target::Target},\n};\nmod gate;";
    let imported = imported(parent, &BTreeSet::from(["gate".to_owned()]));
    assert_eq!(imported, BTreeSet::from(["job".to_owned()]));
    assert_eq!(detour_faults("src/access/gate.rs", "use super::job::Job;", &imported).len(), 1);
    assert_eq!(detour_faults("src/access/gate.rs", "use super::{gate, token};", &imported), [""; 0]);
}
