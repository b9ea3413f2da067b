//! Writes a constant for each statement of the `.sql` files, such as `claim::DUE` for `claim.due`. A wrong name in Rust does not
//! compile, and a statement that nothing uses is a warning. Also writes a constant for the migrations of each database.

mod sql_files;

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::Path,
};

use sql_files::Texts;

fn main() {
    println!("cargo:rerun-if-changed=src");
    let all = sql_files::read(Path::new("src")).unwrap_or_else(|fault| panic!("{fault}"));
    let mut topics = BTreeMap::<_, String>::new();
    for ((topic, word), texts) in all {
        topics.entry(topic).or_default().push_str(&constant(&word.to_uppercase(), &texts));
    }
    let modules = topics.iter().map(|(topic, constants)| format!("pub(crate) mod {topic} {{\n{constants}}}\n"));
    write("statements.rs", &modules.collect::<String>());
    write("migrations.rs", &["sqlite", "postgres"].map(migrations).concat());
}

fn write(name: &str, source: &str) {
    let folder = env::var_os("OUT_DIR").expect("cargo sets the folder");
    fs::write(Path::new(&folder).join(name), source).expect("the folder is writable");
}

/// The names and texts of a database's migrations, oldest first.
fn migrations(database: &str) -> String {
    let folder = fs::canonicalize(format!("../../migrations/{database}")).expect("the database has migrations");
    println!("cargo:rerun-if-changed={}", folder.display());
    let files = fs::read_dir(&folder).expect("the folder is readable");
    let names =
        files.map(|file| file.expect("the folder is readable").file_name().into_string().expect("names are ASCII"));
    let files = names.collect::<BTreeSet<_>>().into_iter().map(|name| {
        let path = folder.join(&name);
        format!("({name:?}, include_str!({:?})), ", path.to_str().expect("the path is UTF-8"))
    });
    format!("pub(crate) const {}: &[(&str, &str)] = &[{}];\n", database.to_uppercase(), files.collect::<String>())
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
