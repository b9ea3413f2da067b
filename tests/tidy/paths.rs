//! Each module is named by its own path only, and folders stay small enough to read at a glance.

use std::{collections::BTreeSet, fs, path::Path};

use super::{
    SOURCES, assert_none,
    graph::{absolute, module_of, paths},
    imports::{Statement, names_behind, statements},
    methods::is_of_a_method,
    read, root, rust_files,
};

/// The maximum number of entries of a folder with source code.
const ENTRIES_MAX: usize = 20;

/// The maximum number of files below [`SHORT`] lines, without `mod.rs` and the files of methods of the API.
const SHORT_FILES_MAX: usize = 12;

/// A file with fewer lines should become part of the file that uses it.
const SHORT: usize = 40;

/// Folders with one file for each technique.
const ONE_FILE_FOR_EACH_TECHNIQUE: [&str; 2] = ["sudoku/hodoku", "sudoku/techniques"];

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
    let files = SOURCES.into_iter().flat_map(rust_files);
    let files = files.filter(|file| !file.ends_with("/mod.rs") && !is_of_a_method(file));
    let short: Vec<_> = files.filter(|file| read(file).lines().count() < SHORT).collect();
    assert!(
        short.len() <= SHORT_FILES_MAX,
        "{} files have fewer than {SHORT} lines; join some with their users:\n{}",
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
    for folder in SOURCES {
        let files = rust_files(folder);
        let modules: BTreeSet<_> = files.iter().map(|file| module_of(folder, file)).collect();
        for file in files.iter().filter(|file| is_folder(file)) {
            let module = module_of(folder, file);
            let imported = imported_modules(&module, &read(file), &modules);
            let below = files.iter().filter(|other| parent_of(&module_of(folder, other)) == Some(&module));
            faults.extend(below.flat_map(|other| detour_faults(other, &read(other), &imported)));
        }
    }
    assert_none(&faults);
}

/// The re-exports of a file of items outside its own folder. `children` are the modules of that folder.
fn re_export_faults(file: &str, source: &str, children: &BTreeSet<String>) -> Vec<String> {
    let exports = statements(source).into_iter().filter_map(|Statement { line, code, .. }| {
        let code = code.strip_prefix("pub")?;
        let code = code.strip_prefix('(').and_then(|code| Some(code.split_once(')')?.1)).unwrap_or(code);
        Some((line, code.trim_start().strip_prefix("use ")?.trim_end_matches(';').to_owned()))
    });
    let faults = exports.filter(|(_, path)| {
        // A macro of this file has no other path.
        let is_macro = |name: &str| source.contains(&format!("macro_rules! {} ", name.trim()));
        let are_macros = path.trim_matches(['{', '}']).split(',').filter(|name| !name.is_empty()).all(is_macro);
        let first = path.trim_start_matches("self::").split("::").next().unwrap_or_default();
        !(are_macros || is_folder(file) && children.contains(first))
    });
    faults.map(|(line, path)| format!("{file}:{line}: re-exports {path}, which is not in its own folder")).collect()
}

/// The local names of the modules that the file of a module imports from outside its own folder.
fn imported_modules(module: &str, source: &str, modules: &BTreeSet<String>) -> BTreeSet<String> {
    let imports = statements(source).into_iter().filter(|found| found.modules == 0 && found.code.contains("use "));
    let used = imports.flat_map(|found| paths(&found.code)).filter_map(|path| absolute(module, &path));
    let elsewhere =
        used.filter(|path| modules.contains(&path.join("::")) && parent_of(&path.join("::")) != Some(module));
    elsewhere.filter_map(|path| path.last().cloned()).collect()
}

/// The uses in a file of `super::name` for a name that its parent only imports.
fn detour_faults(file: &str, source: &str, imported: &BTreeSet<String>) -> Vec<String> {
    let found = statements(source).into_iter().filter(|statement| statement.modules == 0).flat_map(|statement| {
        let names = names_behind("super::", &statement.code);
        names.into_iter().map(|name| (statement.line, name.to_owned())).collect::<Vec<_>>()
    });
    let detours = found.filter(|(_, name)| imported.contains(name));
    detours
        .map(|(line, name)| format!("{file}:{line}: super::{name} is an import of the parent; use its path"))
        .collect()
}

fn is_folder(file: &str) -> bool {
    file.ends_with("/mod.rs") || file.ends_with("/lib.rs")
}

/// The module that contains a module; `None` for the root.
fn parent_of(module: &str) -> Option<&str> {
    if module.is_empty() { None } else { Some(module.rsplit_once("::").map_or("", |(parent, _)| parent)) }
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
        ["pub use puzzled_store::job;", "pub(super) use super::filter::Filter;", "pub use opentelemetry::Error;"]
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
    let parent =
        "use crate::{\n    clock::Millis,\n    rules::{self, job, target::Target},\n};\nmod gate;\nuse gate::token;";
    let modules = ["clock", "rules", "rules::job", "rules::target", "access", "access::gate", "access::gate::token"];
    let imported = imported_modules("access", parent, &modules.map(str::to_owned).into());
    assert_eq!(imported, BTreeSet::from(["job".to_owned(), "rules".to_owned()]));
    assert_eq!(detour_faults("src/access/gate.rs", "use super::job::Job;", &imported).len(), 1);
    assert_eq!(detour_faults("src/access/gate.rs", "use super::{gate, token};", &imported), [""; 0]);
}
