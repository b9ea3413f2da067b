//! `puzzled protos`: writes the API definition that the program was built from, and overwrites no changed file.

use std::collections::BTreeMap;

use prost_reflect::DescriptorPool;

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

#[test]
fn openapi_describes_every_method_with_one_answer() {
    let folder = tempdir().unwrap();
    let shown = protos(folder.path(), "api --openapi");
    assert_eq!((shown.code, shown.out.lines().last()), (Some(0), Some("api/openapi.json")));
    let text = fs::read_to_string(folder.path().join("api/openapi.json")).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
    let (mut unary, mut streams) = (vec!["/puzzles/{id}.pdf".to_owned(), "/puzzles/{id}.svg".to_owned()], Vec::new());
    let pool = DescriptorPool::decode(puzzled_api::DESCRIPTORS).unwrap();
    for service in pool.services() {
        for method in service.methods() {
            if method.is_server_streaming() {
                streams.push(format!("- `{}.{}`", service.name(), method.name()));
            } else {
                unary.push(format!("/{}/{}", service.full_name(), method.name()));
            }
        }
    }
    unary.sort();
    assert_eq!(document["paths"].as_object().unwrap().keys().cloned().collect::<Vec<_>>(), unary);
    let about = document["info"]["description"].as_str().unwrap();
    streams.sort();
    assert_eq!(about.lines().filter(|line| line.starts_with("- ")).collect::<Vec<_>>(), streams);
    let faults = faults(&document);
    assert!(faults.is_empty(), "{faults:#?}");
}

/// The references that lead nowhere, and the parts of the API without a description or a role.
fn faults(document: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let mut inner = vec![("", document)];
    while let Some((name, value)) = inner.pop() {
        inner.extend(value.as_array().into_iter().flatten().map(|value| (name, value)));
        inner.extend(value.as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), value)));
        let target = value["$ref"].as_str().and_then(|target| target.strip_prefix('#'));
        faults.extend(target.filter(|target| document.pointer(target).is_none()).map(str::to_owned));
        let is_described = value["description"].as_str().is_some_and(|text| text.contains("Role: `"));
        if value["operationId"].is_string() && !is_described {
            faults.push(name.to_owned());
        }
    }
    let schemas = document["components"]["schemas"].as_object().unwrap();
    for (name, schema) in schemas.iter().filter(|(name, _)| !name.starts_with("google.")) {
        let fields = schema["properties"].as_object().into_iter().flatten();
        let bare = fields.filter(|(_, field)| field["description"].as_str().is_none_or(str::is_empty));
        faults.extend(bare.map(|(field, _)| format!("{name}.{field}")));
        if schema["description"].as_str().is_none_or(str::is_empty) {
            faults.push(name.clone());
        }
    }
    faults
}
