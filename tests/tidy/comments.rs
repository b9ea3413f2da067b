//! Checks that the comments of the API definition list neither kinds nor variants: `GetServerInfo` tells them, and a list in a
//! comment is wrong as soon as a kind is added.

use puzzled_engine::registry;

use super::{assert_none, files, read};

/// The maximum number of names of variants in a comment. They are examples of how a name looks.
const EXAMPLES_MAX: usize = 2;

#[test]
fn comments_of_the_contract_list_no_kinds_and_no_variants() {
    let files = files("proto/puzzled", "proto");
    assert!(files.len() > 5, "{files:?}");
    let faults = files.into_iter().map(|file| (faults(&read(&file)), file));
    let lines = faults.flat_map(|(faults, file)| faults.into_iter().map(move |fault| format!("{file}: {fault}")));
    assert_none(&lines.collect::<Vec<_>>());
}

#[test]
fn comment_on_what_belongs_to_a_kind_may_name_it() {
    let source = "// The metrics of a Kakuro.\nmessage KakuroMetrics {\n// Of the Kakuro.\nuint32 tier = 1;\n}\n\
                  // Two kinds.\nenum Kind {\n// A killer is a Sudoku.\nKIND_KILLER = 5;\n}\n";
    assert_none(&faults(source));
    let source = "message Puzzle {\n// Star\n// battle: 0.\nuint32 givens = 7;\n// `6x6`, `8x8`, or `9x9`.\nstring variant = 3;\n}\n\
                  // A Jigsaw.\nmessage KakuroMetrics {";
    assert_eq!(faults(source).len(), 3);
}

/// The comments that name a kind to which their element does not belong, and those that list variants.
fn faults(source: &str) -> Vec<String> {
    let kinds: Vec<_> = registry::kinds().iter().map(|kind| kind.name().replace('_', " ")).collect();
    let (mut faults, mut comment, mut message) = (Vec::new(), String::new(), "");
    for line in source.lines().map(str::trim) {
        if let Some(said) = line.strip_prefix("//") {
            comment.extend([said, " "]);
            continue;
        }
        if line.starts_with("message ") || line.starts_with("enum ") {
            message = line;
        }
        let owner = words(&[message, line].join(" ")).replace(' ', "");
        let said = words(&comment);
        let is_foreign = |kind: &str| said.contains(&format!(" {kind}")) && !owner.contains(&kind.replace(' ', ""));
        let named = kinds.iter().filter(|kind| message != "enum Kind {" && is_foreign(kind));
        faults.extend(named.map(|kind| format!("the comment of `{line}` names {kind}")));
        let variants = said.split(' ').filter(|word| word.split_once('x').is_some_and(is_size)).count();
        faults.extend((variants > EXAMPLES_MAX).then(|| format!("the comment of `{line}` lists variants")));
        comment.clear();
    }
    faults
}

/// The words of a text in lower case, each after a space.
fn words(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.flat_map(|word| [" ".to_owned(), word.to_lowercase()]).collect()
}

fn is_size((width, height): (&str, &str)) -> bool {
    [width, height].iter().all(|side| !side.is_empty() && side.bytes().all(|c| c.is_ascii_digit()))
}
