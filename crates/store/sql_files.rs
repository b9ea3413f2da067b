//! Reads the statements of the `.sql` files, for the build script and for tests.
//!
//! Before each statement stands a line `-- name: topic.word`. If the statement is for one database only, `(sqlite)` or
//! `(postgres)` follows. The statement ends before the next blank line or comment. All other lines that begin with `--` are
//! comments.

use std::{
    collections::BTreeMap,
    fs, io, iter,
    path::{Path, PathBuf},
};

/// The texts of a statement. If both databases have the same text, it is here twice.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    pub(crate) sqlite: Option<String>,
    pub(crate) postgres: Option<String>,
}

/// The statements by topic and word.
pub(crate) type Statements = BTreeMap<(String, String), Texts>;

/// Reads the statements of all files in a folder and its folders.
///
/// # Errors
/// The first fault, with its file and line.
pub(crate) fn read(folder: &Path) -> Result<Statements, String> {
    let mut all = Statements::new();
    for file in files(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let source = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        add(&mut all, &source).map_err(|(line, fault)| format!("{}:{line}: {fault}", file.display()))?;
    }
    Ok(all)
}

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(self::files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "sql") {
            files.push(path);
        }
    }
    Ok(files)
}

fn add(all: &mut Statements, source: &str) -> Result<(), (usize, String)> {
    let mut lines = source.lines().zip(1..).peekable();
    while let Some((line, number)) = lines.next() {
        let fault = |what: String| Err((number, what));
        let Some(name) = line.strip_prefix("-- name: ") else {
            if line.is_empty() || line.starts_with("--") {
                continue;
            }
            return fault("a statement without a name".to_owned());
        };
        let (name, database) = name.split_once(' ').unwrap_or((name, ""));
        let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        let Some((topic, word)) = name.split_once('.').filter(|(topic, word)| is_word(topic) && is_word(word)) else {
            return fault(format!("{name}: not a name; a name is `topic.word`, in small letters"));
        };
        let is_text = |line: &str| !line.is_empty() && !line.starts_with("--");
        let text: Vec<_> = iter::from_fn(|| Some(lines.next_if(|(line, _)| is_text(line))?.0)).collect();
        let text = text.join("\n");
        let text = text.trim_end_matches(';');
        if text.is_empty() {
            return fault(format!("{name}: no statement"));
        }
        let Texts { sqlite, postgres } = all.entry((topic.to_owned(), word.to_owned())).or_default();
        let places = match database {
            "" => vec![sqlite, postgres],
            "(sqlite)" => vec![sqlite],
            "(postgres)" => vec![postgres],
            other => return fault(format!("{other}: not a database; the databases are (sqlite) and (postgres)")),
        };
        for place in places {
            if place.replace(text.to_owned()).is_some() {
                return fault(format!("{name}: there is another statement of this name"));
            }
        }
    }
    Ok(())
}
