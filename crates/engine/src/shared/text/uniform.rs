//! Replaces the signs of other keyboards and programs in a text, so that readers meet only one sign for each thing.

/// The sign with which some programs begin a file.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The full-width signs that Japanese keyboards type, each as far behind its sign in ASCII as [`FULL_WIDTH_AFTER`] says.
const FULL_WIDTH: std::ops::RangeInclusive<char> = '！'..='～';

/// The distance of full-width signs from those of ASCII.
const FULL_WIDTH_AFTER: u32 = '！' as u32 - '!' as u32;

/// The text without byte order marks, with full-width signs as those of ASCII, and with every white space except tabs and line
/// feeds as a blank. Each line ends with a line feed.
#[must_use]
pub fn uniform(text: &str) -> String {
    let signs = text.chars().filter(|&sign| sign != BYTE_ORDER_MARK);
    let ascii = signs.map(|sign| match sign {
        sign if FULL_WIDTH.contains(&sign) => char::from_u32(u32::from(sign) - FULL_WIDTH_AFTER).unwrap_or(sign),
        '\t' | '\r' | '\n' => sign,
        sign if sign.is_whitespace() => ' ',
        sign => sign,
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
