//! Writes a constant for each statement of the `.sql` files, such as `claim::DUE` for `claim.due`. A wrong name in Rust does not
//! compile, and a statement that nothing uses is a warning.

mod sql_files;

use std::{collections::BTreeMap, env, fs, path::Path};

use sql_files::Texts;

fn main() {
    println!("cargo:rerun-if-changed=src");
    let all = sql_files::read(Path::new("src")).unwrap_or_else(|fault| panic!("{fault}"));
    let mut topics = BTreeMap::<_, String>::new();
    for ((topic, word), texts) in all {
        topics.entry(topic).or_default().push_str(&constant(&word.to_uppercase(), &texts));
    }
    let modules = topics.iter().map(|(topic, constants)| format!("pub(crate) mod {topic} {{\n{constants}}}\n"));
    let folder = env::var_os("OUT_DIR").expect("cargo sets the folder");
    fs::write(Path::new(&folder).join("statements.rs"), modules.collect::<String>()).expect("the folder is writable");
}

/// An `Sql`, or the text if only one database has the statement.
fn constant(name: &str, texts: &Texts) -> String {
    let (kind, value) = match (&texts.sqlite, &texts.postgres) {
        (Some(sqlite), Some(postgres)) => {
            ("super::Sql", format!("super::Sql {{ sqlite: {sqlite:?}, postgres: {postgres:?} }}"))
        }
        (Some(text), None) | (None, Some(text)) => ("&str", format!("{text:?}")),
        (None, None) => unreachable!("a name has a statement"),
    };
    format!("pub(crate) const {name}: {kind} = {value};\n")
}
