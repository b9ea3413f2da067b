//! Replaces characters that other keyboards and programs write by those of ASCII, so that the readers of texts need not know them.

/// The byte order mark, with which some programs begin a file.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The full-width characters that Japanese keyboards type. Each comes [`FULL_WIDTH_AFTER`] after its character in ASCII.
const FULL_WIDTH: std::ops::RangeInclusive<char> = '！'..='～';

/// The distance of full-width characters from those of ASCII.
const FULL_WIDTH_AFTER: u32 = '！' as u32 - '!' as u32;

/// The text without byte order marks, with full-width characters as those of ASCII, and with every white space except tabs and line
/// feeds as a blank. Each line ends with a line feed.
#[must_use]
pub fn uniform(text: &str) -> String {
    let characters = text.chars().filter(|&character| character != BYTE_ORDER_MARK);
    let ascii = characters.map(|character| match character {
        character if FULL_WIDTH.contains(&character) => {
            char::from_u32(u32::from(character) - FULL_WIDTH_AFTER).unwrap_or(character)
        }
        '\t' | '\r' | '\n' => character,
        character if character.is_whitespace() => ' ',
        character => character,
    });
    ascii.collect::<String>().replace("\r\n", "\n").replace('\r', "\n")
}

#[cfg(test)]
mod tests {
    use super::uniform;

    #[test]
    fn signs_of_other_keyboards_become_those_of_ascii() {
        for (text, wanted) in [
            ("\u{feff}５３．\u{3000}＊\u{a0}#", "53. * #"),
            ("a\r\nb\rc\nd\te", "a\nb\nc\nd\te"),
            ("１６＼９", "16\\9"),
            ("é│", "é│"),
        ] {
            assert_eq!(uniform(text), wanted);
        }
    }
}
