//! Decides, with the reader of the kind, whether a line or a paragraph of a file is a puzzle.

use puzzled_engine::shared::text::TextError;

use super::{
    spec::Kind,
    table::{Header, fields},
};

/// The minimum number of letters of a word. Fewer letters may be wrong cells of a row.
const WORD_MIN: usize = 3;

/// The operators of cages.
const OPERATORS: [char; 11] = ['+', '-', '−', '–', 'x', 'X', '×', '*', '/', '÷', ':'];

/// Returns the text of a line, if the line is a puzzle. A text that begins with the name of a variant stays as it is, even if the variant
/// is unknown. A first word that differs from the stored text only in the characters for empty cells stays as it is.
pub(super) fn puzzle_of(kind: Kind, line: &str) -> Option<Result<String, String>> {
    if let Some(text) = named_text(line, |name| kind.check_variant(name).is_ok()) {
        return Some(Ok(text));
    }
    let word = first_word(line);
    match read(kind, word).or_else(|_| read(kind, line)) {
        Ok(text) if is_written_as(word, &text) => Some(Ok(word.to_owned())),
        Ok(text) => Some(Ok(text)),
        Err(_) => named_text(line, is_name).map(Ok),
    }
}

/// The text in a line, or in a field of a CSV line, that begins with such a name of a variant: `6x6: 1.3…`. It ends before the first
/// word after the cells that has no `=`.
fn named_text(line: &str, is_variant: impl Fn(&str) -> bool) -> Option<String> {
    let fields = if line.contains('"') { fields(line) } else { rests(line) };
    fields.iter().find_map(|field| {
        let (name, rest) = field.trim().split_once(": ")?;
        let rest = is_variant(name).then_some(rest)?;
        let mut words =
            rest.split(|character: char| character.is_whitespace() || character == ';').filter(|word| !word.is_empty());
        let cells = words.next()?;
        let is_last = cells.contains(',');
        let more = words.take_while(|word| !is_last && word.contains('=')).map(|word| format!(" {}", value(word)));
        Some(format!("{name}: {}{}", value(cells), more.collect::<String>()))
    })
}

/// Whether a word has the form of a name of a variant: two numbers, and rules.
pub(super) fn is_name(word: &str) -> bool {
    let is_digit = |character: char| character.is_ascii_digit();
    let size = word.split('-').next().and_then(|size| size.split_once('x'));
    size.is_some_and(|(rows, columns)| {
        [rows, columns].iter().all(|side| !side.is_empty() && side.chars().all(is_digit))
    })
}

/// Whether a line has a word of letters that are no cells. In JSON, `null` is one.
pub(super) fn has_word(line: &str) -> bool {
    let is_cell = |character: char| matches!(character.to_ascii_lowercase(), 'a'..='g' | 'x');
    let mut words = line.split(|character: char| !character.is_alphabetic());
    words.any(|word| word.chars().count() >= WORD_MIN && !word.chars().all(is_cell) && word != "null")
}

/// A whole line, and its rest from each field on.
fn rests(line: &str) -> Vec<String> {
    let after = line.match_indices([',', ';', '\t']).map(|(at, _)| &line[at + 1..]);
    std::iter::once(line).chain(after).map(str::to_owned).collect()
}

/// A word up to its first comma. Commas between numbers, as between sums, do not count. A number may have an operator, as in
/// `3-,12x`.
fn value(word: &str) -> &str {
    let is_digit = |character: char| character.is_ascii_digit();
    let is_number = |text: &str| text.ends_with(is_digit) || text.trim_end_matches(OPERATORS).ends_with(is_digit);
    // A number with a decimal, such as the effort in a later column, is none of these numbers.
    let begins_number = |text: &str| {
        let item = text.split(',').next().unwrap_or_default();
        item.starts_with(is_digit) && item.trim_start_matches(is_digit).chars().all(|sign| OPERATORS.contains(&sign))
    };
    let is_between = |at: usize| {
        let (before, after) = (&word[..at], &word[at + 1..]);
        word.contains('=') && is_number(before) && begins_number(after)
    };
    word.match_indices(',').find(|(at, _)| !is_between(*at)).map_or(word, |(at, _)| &word[..at])
}

fn is_written_as(word: &str, stored: &str) -> bool {
    word.len() == stored.len()
        && word.bytes().zip(stored.bytes()).all(|(character, stored)| character == stored || stored == b'.')
}

/// The stored text of a paragraph in another notation, such as a drawing. A paragraph with the rows of the stored text stays as it is,
/// with its remarks, and so does one that cannot be read.
///
/// # Errors
/// [`several`].
pub(super) fn stored_if_foreign(kind: Kind, text: String) -> Result<String, String> {
    let Ok(stored) = read(kind, &text) else { return several(kind, &text).map_or(Ok(text), Err) };
    let first_row = || stored.lines().next().unwrap_or_default().split_whitespace();
    Ok(if text.lines().any(|line| line.split_whitespace().eq(first_row())) { text } else { stored })
}

/// The error of a line that is no puzzle, if the kind knows its notation. Otherwise the first field of the line, or its first word if
/// the field has words. The kind refuses it later.
pub(super) fn refused(kind: Kind, line: &str) -> Result<String, String> {
    let field = line.split(',').next().unwrap_or_default().trim();
    match read(kind, line) {
        Err(TextError::Malformed { reason }) => Err(reason),
        _ if has_word(field) => Ok(first_word(field).to_owned()),
        _ => Ok(field.to_owned()),
    }
}

/// The stored form of a text of several lines.
///
/// # Errors
/// [`several`], or the error of the kind.
pub(super) fn of_lines(kind: Kind, text: &str) -> Result<String, String> {
    read(kind, text).map_err(|error| several(kind, text).unwrap_or_else(|| error.to_string()))
}

/// The error of a text that consists of several puzzles with as many lines each.
fn several(kind: Kind, text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let are_puzzles = |count: &usize| {
        let mut puzzles = lines.chunks(lines.len() / count);
        lines.len().is_multiple_of(*count) && puzzles.all(|lines| read(kind, &lines.join("\n")).is_ok())
    };
    let count = (2..=lines.len() / 2).find(are_puzzles)?;
    Some(format!("{count} puzzles without an empty line between them; add one"))
}

/// The stored form of a text.
///
/// # Errors
/// [`TextError`] if the text is not one of the kind.
pub(super) fn read(kind: Kind, text: &str) -> Result<String, TextError> {
    kind.normalize(kind.text_variant(), text)
}

fn first_word(line: &str) -> &str {
    line.trim().split(|character: char| character == ',' || character.is_whitespace()).next().unwrap_or_default()
}

/// The solution that the line of a puzzle states: the field that the header of a table names, or a later field without empty cells
/// that is a puzzle of the kind.
pub(super) fn answer_in(kind: Kind, line: &str, table: Option<Header>) -> Option<String> {
    let fields = fields(line);
    match table {
        Some(header) => header.solution(&fields),
        None => fields.into_iter().skip(1).find(|field| {
            let stored = read(kind, field).ok();
            stored.is_some_and(|stored| kind.cells(&stored).iter().all(|cell| *cell != "."))
        }),
    }
}

/// Whether a line is the header of a table: names separated by commas, semicolons, or tabs, or `puzzle` alone.
pub(super) fn is_header(line: &str) -> bool {
    let is_of_name = |character: char| character.is_alphabetic() || "_-\" ".contains(character);
    let is_separator = |character| ",;\t".contains(character);
    let has_names = line.contains(is_separator) && line.contains(char::is_alphabetic);
    line.trim() == "puzzle"
        || has_names && line.chars().all(|character| is_of_name(character) || is_separator(character))
}
