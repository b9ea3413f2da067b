//! Names the notations of other programs that a kind does not read. Otherwise, an error would count cells in a text that has none.

use super::{TextError, malformed};

/// The error for a text in a notation of another program. `None` if the notation is not known.
pub(crate) fn refused(kind: &str, text: &str) -> Option<TextError> {
    let what = notation(text.trim())?;
    Some(malformed(format!("{what} cannot be read as {kind}; `docs/notations.md` lists what can")))
}

fn notation(text: &str) -> Option<&'static str> {
    match text.chars().next()? {
        '[' => return Some("a JSON array"),
        '{' => return Some("a JSON object"),
        _ => {}
    }
    let digits = |text: &str| text.len() - text.trim_start_matches(|character: char| character.is_ascii_digit()).len();
    let rows = digits(text);
    let columns = text[rows..].strip_prefix('x').map_or(0, digits);
    let after = if columns > 0 { rows + 1 + columns } else { rows };
    if rows > 0 && columns > 0 && text[after..].starts_with('.') {
        return Some("a text with a size and a dot before its cells");
    }
    let (parameters, board) = text[after..].split_once(':')?;
    let is_of_id = |character: char| character.is_ascii_alphanumeric() || ",_".contains(character);
    let has_letters = board.contains(|character: char| character.is_ascii_lowercase());
    let is_id = rows > 0 && has_letters && parameters.chars().all(|character| character.is_ascii_alphanumeric());
    (is_id && board.chars().all(is_of_id)).then_some("the ID of a game of Simon Tatham's puzzles")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations_of_other_programs_are_named_and_own_texts_are_not() {
        let id = Some("the ID of a game of Simon Tatham's puzzles");
        for (text, expected) in [
            ("[[0,1],[1,0]]", Some("a JSON array")),
            ("{\"size\":6}", Some("a JSON object")),
            ("10x2.aaabb", Some("a text with a size and a dot before its cells")),
            ("6x6:a1b0c", id),
            ("6x6dn:a1b0c,_2", id),
            ("5:0,0D,3,0a", id),
            ("6x6: .3..5.", None),
            ("6x6:123", None),
            ("9x9-x:abc", None),
            ("abc", None),
            ("", None),
        ] {
            assert_eq!(notation(text), expected, "{text}");
        }
    }
}
