//! The two walks through the code in `ARCHITECTURE.md` name existing files and functions.

use crate::{SOURCES, assert_none, read, root, rust_files};

#[test]
fn every_file_and_function_in_the_walks_of_the_architecture_exists() {
    let text = read("ARCHITECTURE.md");
    let walks: Vec<_> = text.split("\n## ").filter(|part| part.starts_with("One ")).collect();
    assert_eq!(walks.len(), 2);
    let sources = SOURCES.map(|folder| rust_files(folder).iter().map(|file| read(file)).collect::<String>()).concat();
    let contract: String = ["puzzle", "job"].map(|name| read(&format!("proto/puzzled/v1/{name}.proto"))).concat();
    // Every second part stands between backticks; the heading has none.
    let named: Vec<_> = walks.iter().flat_map(|walk| walk.split('`').skip(1).step_by(2)).collect();
    assert!(named.len() > 20, "{named:?}");
    let is_there = |name: &str| {
        let is_word = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        is_file(name)
            || is_word && sources.contains(&format!("fn {name}("))
            || is_word && sources.contains(&format!("fn {name}<"))
            || is_word && contract.contains(&format!("rpc {name}("))
    };
    let missing = named.iter().filter(|name| !is_there(name));
    assert_none(
        &missing.map(|name| format!("ARCHITECTURE.md: {name} is no file, function or call")).collect::<Vec<_>>(),
    );
}

/// Whether there is such a file or folder; `*` stands for each database.
fn is_file(name: &str) -> bool {
    ["sqlite", "postgres"].iter().all(|database| root().join(name.replace('*', database)).exists())
}
