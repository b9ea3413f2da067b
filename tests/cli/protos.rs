//! `puzzled protos`: writes the API definition that the program was built from, and overwrites no changed file.

use std::collections::BTreeMap;

use crate::prelude::*;

fn protos(folder: &Path, args: &str) -> Ran {
    ran(puzzled(&format!("protos {args}")).current_dir(folder).output().unwrap())
}

/// The files of a folder with their texts, by their paths in it.
fn files(root: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else {
                found.insert(entry.strip_prefix(root).unwrap().to_owned(), fs::read_to_string(&entry).unwrap());
            }
        }
    }
    found
}

#[test]
fn written_files_are_those_that_the_program_was_built_from() {
    let folder = tempdir().unwrap();
    let shown = protos(folder.path(), "api");
    assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""));
    let written = files(&folder.path().join("api"));
    assert_eq!(written, files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("proto")));
    let lines: Vec<_> = written.keys().map(|path| format!("api/{}", path.display())).collect();
    assert_eq!(shown.out.lines().collect::<Vec<_>>(), lines);
}

#[test]
fn changed_file_is_kept_unless_force_is_set() {
    let folder = tempdir().unwrap();
    protos(folder.path(), "api");
    let original = files(folder.path());
    let [changed, missing] = ["api/puzzled/v1/job.proto", "api/buf.yaml"].map(|path| folder.path().join(path));
    fs::write(&changed, "mine").unwrap();
    fs::remove_file(&missing).unwrap();
    let shown = protos(folder.path(), "api");
    let expected = "error: api/puzzled/v1/job.proto: the file exists; its content differs; name another folder, or overwrite it \
                  with --force\n";
    assert_eq!((shown.code, shown.err.as_str(), shown.out.as_str()), (Some(1), expected, ""));
    assert!(!missing.exists(), "a refused command wrote a file");
    assert_eq!(protos(folder.path(), "api --force").code, Some(0));
    assert_eq!(files(folder.path()), original);
    assert_eq!(protos(folder.path(), "api").code, Some(0));
}

#[test]
fn folder_that_cannot_be_written_is_named() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("api"), "a file").unwrap();
    let shown = protos(folder.path(), "api");
    assert_eq!(shown.code, Some(1));
    assert!(shown.err.starts_with("error: api/buf.yaml: "), "{}", shown.err);
}
