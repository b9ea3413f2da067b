//! Each method of the API has one file, with its name, in the folder of its service. The file begins with the method.

use std::sync::LazyLock;

use prost_reflect::DescriptorPool;

use super::{assert_none, read, rust_files};

/// The methods of the API: the folder of the service, and the name of the method in Rust.
static METHODS: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let pool = DescriptorPool::decode(puzzled_api::DESCRIPTORS).expect("build.rs writes descriptors");
    let methods = pool.services().flat_map(|service| service.methods().collect::<Vec<_>>());
    methods.map(|method| (folder(method.parent_service().name()), snake(method.name()))).collect()
});

/// `src/puzzles` for `PuzzleService`.
fn folder(service: &str) -> String {
    let folder = match service {
        "PuzzleService" => "puzzles",
        "JobService" => "jobs",
        "StockService" => "stock",
        "SeriesService" => "series",
        "ServerService" => "server",
        other => panic!("{other} has no folder"),
    };
    format!("src/{folder}")
}

/// `get_puzzle` for `GetPuzzle`.
fn snake(name: &str) -> String {
    name.chars().fold(String::new(), |snake, c| {
        let dash = if c.is_uppercase() && !snake.is_empty() { "_" } else { "" };
        format!("{snake}{dash}{}", c.to_ascii_lowercase())
    })
}

/// Whether this is the file of a method.
pub(crate) fn is_of_a_method(file: &str) -> bool {
    METHODS.iter().any(|(folder, name)| file.starts_with(folder.as_str()) && file.ends_with(&format!("/{name}.rs")))
}

#[test]
fn each_method_of_the_api_has_a_file_that_begins_with_it() {
    let faults = METHODS.iter().filter_map(|(folder, name)| {
        let files: Vec<_> =
            rust_files(folder).into_iter().filter(|file| file.ends_with(&format!("/{name}.rs"))).collect();
        match &files[..] {
            [file] => {
                let source = read(file);
                let first = source.split("fn ").nth(1).unwrap_or_default();
                let is_first = first.starts_with(&format!("{name}(")) && source.contains(&format!("async fn {name}("));
                (!is_first).then(|| format!("{file} does not begin with the method {name}"))
            }
            _ => Some(format!("{folder}: the method {name} has {} files", files.len())),
        }
    });
    assert_none(&faults.collect::<Vec<_>>());
}
