//! Unpacks and packs the puzzle in an address (lz-string, then Base64), and checks the fields that f-puzzles and SudokuPad have in common.

use serde_json::Value;

use super::{TextError, malformed};
use crate::shared::{names::quoted, phrases::counted};

/// The maximum number of compressed characters. An ordinary puzzle with title, rules, and solution has fewer than 2,000. Unpacking
/// 4,096 characters uses at most 10 MB of memory.
const PACKED_MAX: usize = 4_096;

/// The maximum number of characters after unpacking. An ordinary puzzle has fewer than 8,000.
const UNPACKED_MAX: usize = 65_536;

/// The field with the solution.
pub(crate) const SOLUTION: &str = "solution";

/// The fields that state no rule, of a puzzle or of its metadata, or as the first word of a text: names, messages, how the site shows
/// conflicts, and the fog, which hides cells and leaves the solution as it is.
const METADATA: [&str; 14] = [
    "title",
    "t",
    "author",
    "source",
    "comment",
    "comments",
    "msgcorrect",
    "msgincorrect",
    "successMessage",
    "highlightConflicts",
    "fogofwar",
    "foglight",
    "triggereffect",
    SOLUTION,
];

/// The statements of rules in words that say no more than that the puzzle is an ordinary Sudoku, in lower case.
const ORDINARY: [&str; 5] =
    ["", "sudoku", "normal sudoku rules apply", "classic sudoku rules apply", "standard sudoku rules apply"];

/// The names of kinds in such statements. What they add to an ordinary Sudoku, the puzzle states as cages or regions.
const KINDS: [&str; 3] = ["killer", "jigsaw", "irregular"];

/// Unpacks the compressed part of an address of `site`.
///
/// # Errors
/// [`TextError::Malformed`] if a limit is exceeded, or the part is damaged.
pub(crate) fn unpack(site: &str, packed: &str) -> Result<String, TextError> {
    let packed = packed.trim_end_matches('=');
    if packed.len() > PACKED_MAX {
        let len = packed.len();
        return Err(malformed(format!("{site}: {len} compressed characters; the maximum is {PACKED_MAX}")));
    }
    let is_base64 = |character: char| character.is_ascii_alphanumeric() || "+/".contains(character);
    if let Some((at, character)) = packed.chars().enumerate().find(|(_, character)| !is_base64(*character)) {
        let at = at + 1;
        return Err(malformed(format!(
            "{site}: {character:?} at character {at} of the compressed part is not allowed; copy the whole address"
        )));
    }
    let characters = lz_str::decompress_from_base64(packed).unwrap_or_default();
    if characters.len() > UNPACKED_MAX {
        let len = characters.len();
        return Err(malformed(format!("{site}: {len} characters after unpacking; the maximum is {UNPACKED_MAX}")));
    }
    let unpacked = String::from_utf16(&characters).unwrap_or_default();
    if unpacked.is_empty() {
        return Err(malformed(format!("{site}: the compressed part is damaged or ends early; copy the whole address")));
    }
    Ok(unpacked)
}

/// Parses JSON of `site`. Its depth is limited by the parser.
pub(crate) fn parsed(site: &str, json: &str) -> Result<Value, TextError> {
    serde_json::from_str(json)
        .map_err(|error| malformed(format!("{site}: the puzzle is not JSON: {error}; copy all of it again")))
}

/// Whether a value says nothing: null, false, 0, or an empty text or list.
pub(crate) fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Bool(true) => false,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
    }
}

/// The digit of a cell: 1–9 as a number or a text.
pub(crate) fn digit(value: &Value) -> Option<u8> {
    let digit = value.as_u64().or_else(|| value.as_str()?.parse().ok())?;
    u8::try_from(digit).ok().filter(|digit| (1..=9).contains(digit))
}

/// The digits of a stated solution, as text: a list of digits, or a text with as many characters. `.` is a cell that it leaves open. Empty
/// if the value says nothing.
///
/// # Errors
/// [`TextError::Malformed`] if it has another number of cells, or something else than digits.
pub(crate) fn stated_digits(site: &str, value: &Value, cells: usize) -> Result<String, TextError> {
    if is_nothing(value) {
        return Ok(String::new());
    }
    let character = |value: &Value| match value {
        value if is_nothing(value) => Some('.'),
        value => digit(value).map(|digit| char::from(b'0' + digit)),
    };
    let of_text = |character: char| match character {
        '1'..='9' => Some(character),
        _ => "0.?_- ".contains(character).then_some('.'),
    };
    let digits: Option<String> = match value {
        Value::Array(digits) => digits.iter().map(character).collect(),
        Value::String(digits) => digits.chars().map(of_text).collect(),
        _ => None,
    };
    let wrong = |what: String| malformed(format!("{site}: {SOLUTION} {what}; use {cells} digits, or omit it"));
    let digits = digits.ok_or_else(|| wrong("has other values than digits".to_owned()))?;
    if digits.len() == cells { Ok(digits) } else { Err(wrong(format!("has {}", counted(digits.len(), "cell")))) }
}

/// The error for a field of a puzzle, or of one of its parts, that is not empty and that no kind knows.
pub(crate) fn lacks(site: &str, name: &str) -> TextError {
    malformed(format!("{site}: {} may state an extra rule; use a puzzle without it", quoted(name)))
}

/// Refuses metadata that may state a rule.
pub(crate) fn check_metadata(site: &str, metadata: &Value) -> Result<(), TextError> {
    match metadata {
        Value::Object(fields) => fields.iter().try_for_each(|(name, value)| check_field(site, name, value)),
        _ => check_field(site, "metadata", metadata),
    }
}

/// Refuses a field of a puzzle or of its metadata that may state a rule.
pub(crate) fn check_field(site: &str, name: &str, value: &Value) -> Result<(), TextError> {
    match name {
        _ if METADATA.contains(&name) || is_nothing(value) => Ok(()),
        // Rules that are no text are not those of an ordinary Sudoku either.
        "rules" | "ruleset" => check_words(site, value.as_str().unwrap_or(name)),
        _ => Err(lacks(site, name)),
    }
}

/// Refuses rules in words unless they are those of an ordinary Sudoku.
fn check_words(site: &str, rules: &str) -> Result<(), TextError> {
    let is_word = |character: char| character.is_alphanumeric() || character.is_whitespace();
    let words = rules.to_lowercase().replace(|character| !is_word(character), "");
    let words: Vec<_> = words.split_whitespace().filter(|word| !KINDS.contains(word)).collect();
    let words = words.join(" ");
    if ORDINARY.contains(&&*words) {
        return Ok(());
    }
    let rules = quoted(rules);
    Err(malformed(format!(
        "{site}: the puzzle states rules in words, {rules}; only \"Normal sudoku rules apply\" is read"
    )))
}

/// Compresses JSON and escapes it for the query of an address.
pub(crate) fn pack(json: &str) -> String {
    // The library adds one `=` more than lz-string for JavaScript does.
    let compressed = lz_str::compress_to_base64(json);
    let compressed = compressed.trim_end_matches('=');
    let padding = "=".repeat(compressed.len().wrapping_neg() % 4);
    // These characters have other meanings there.
    format!("{compressed}{padding}").replace('+', "%2B").replace('/', "%2F").replace('=', "%3D")
}
