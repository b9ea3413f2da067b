//! The two fonts of PDF files, Helvetica and Helvetica-Bold: the encoding of texts, and their widths. Every reader of PDF has these
//! fonts, so files do not contain them.

/// The first character of [`WIDTHS`] and [`BOLD_WIDTHS`].
const FIRST: u8 = 32;

/// The characters of the encoding from 0x80 to 0x9F, by Windows code page 1252. A blank stands for no character.
const SPECIALS: &str = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

/// The font of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Font {
    /// Helvetica.
    Regular,
    /// Helvetica-Bold.
    Bold,
}

/// A text in the encoding of the fonts, one byte for each character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Encoded(Vec<u8>);

impl Encoded {
    /// Encodes a text.
    ///
    /// # Errors
    /// The first character that the encoding lacks.
    pub(super) fn of(text: &str) -> Result<Self, char> {
        text.chars().map(|character| byte(character).ok_or(character)).collect::<Result<_, _>>().map(Self)
    }

    /// The bytes, as a PDF file has them.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The width in points at a font size in points.
    pub(super) fn width(&self, font: Font, size: f32) -> f32 {
        width(&self.0, font, size)
    }

    /// Breaks the text at its blanks into lines of at most `width_max` points. A longer word is broken too.
    pub(super) fn lines(&self, font: Font, size: f32, width_max: f32) -> Vec<Self> {
        let mut lines = Vec::<Vec<u8>>::new();
        for word in self.0.split(|byte| *byte == b' ').filter(|word| !word.is_empty()) {
            match lines.last_mut() {
                Some(line)
                    if width(line, font, size) + width(b" ", font, size) + width(word, font, size) <= width_max =>
                {
                    line.push(b' ');
                    line.extend_from_slice(word);
                }
                _ => lines.extend(pieces(word, font, size, width_max)),
            }
        }
        lines.into_iter().map(Self).collect()
    }
}

/// The parts of a word that each fit into a line, at least one character each.
fn pieces(word: &[u8], font: Font, size: f32, width_max: f32) -> Vec<Vec<u8>> {
    let mut pieces = vec![Vec::new()];
    for &byte in word {
        match pieces.last_mut() {
            Some(piece) if piece.is_empty() || width(piece, font, size) + width(&[byte], font, size) <= width_max => {
                piece.push(byte);
            }
            _ => pieces.push(vec![byte]),
        }
    }
    pieces
}

fn width(bytes: &[u8], font: Font, size: f32) -> f32 {
    let widths = match font {
        Font::Regular => &WIDTHS,
        Font::Bold => &BOLD_WIDTHS,
    };
    let thousandths = bytes.iter().filter_map(|byte| widths.get(usize::from(byte.checked_sub(FIRST)?)));
    thousandths.map(|width| f32::from(*width)).sum::<f32>() * size / 1_000.0
}

/// The byte of a character in the encoding `WinAnsi`.
fn byte(character: char) -> Option<u8> {
    match character {
        ' '..='~' | '\u{a0}'..='\u{ff}' => u8::try_from(u32::from(character)).ok(),
        _ => (0x80..).zip(SPECIALS.chars()).find(|(_, special)| *special == character).map(|(byte, _)| byte),
    }
}

/// The widths of Helvetica in thousandths of the font size, from the blank on. Source: Adobe's font metrics (AFM).
#[rustfmt::skip]
const WIDTHS: [u16; 224] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556,
    833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500,
    556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500,
    334, 260, 334, 584, 350, 556, 350, 222, 556, 333, 1000, 556, 556, 333, 1000, 667, 333, 1000, 350, 611, 350, 350,
    222, 222, 333, 333, 350, 556, 1000, 333, 1000, 500, 333, 944, 350, 500, 667, 278, 333, 556, 556, 556, 556, 260,
    556, 333, 737, 370, 556, 584, 333, 737, 333, 400, 584, 333, 333, 333, 556, 537, 278, 333, 333, 365, 556, 834, 834,
    834, 611, 667, 667, 667, 667, 667, 667, 1000, 722, 667, 667, 667, 667, 278, 278, 278, 278, 722, 722, 778, 778,
    778, 778, 778, 584, 778, 722, 722, 722, 722, 667, 667, 611, 556, 556, 556, 556, 556, 556, 889, 500, 556, 556, 556,
    556, 278, 278, 278, 278, 556, 556, 556, 556, 556, 556, 556, 584, 611, 556, 556, 556, 556, 500, 556, 500,
];

/// The widths of Helvetica-Bold, as [`WIDTHS`].
#[rustfmt::skip]
const BOLD_WIDTHS: [u16; 224] = [
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611,
    556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389,
    280, 389, 584, 350, 556, 350, 278, 556, 500, 1000, 556, 556, 333, 1000, 667, 333, 1000, 350, 611, 350, 350, 278,
    278, 500, 500, 350, 556, 1000, 333, 1000, 556, 333, 944, 350, 500, 667, 278, 333, 556, 556, 556, 556, 280, 556,
    333, 737, 370, 556, 584, 333, 737, 333, 400, 584, 333, 333, 333, 611, 556, 278, 333, 333, 365, 556, 834, 834, 834,
    611, 722, 722, 722, 722, 722, 722, 1000, 722, 667, 667, 667, 667, 278, 278, 278, 278, 722, 722, 778, 778, 778,
    778, 778, 584, 778, 722, 722, 722, 722, 667, 667, 611, 556, 556, 556, 556, 556, 556, 889, 556, 556, 556, 556, 556,
    278, 278, 278, 278, 611, 611, 611, 611, 611, 611, 611, 584, 611, 611, 611, 611, 611, 556, 611, 556,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_the_bytes_and_widths_of_their_font() {
        for (text, bytes, regular, bold) in [
            ("Sudoku 9x9", &b"Sudoku 9x9"[..], 5_281.0, 5_613.0),
            ("Café – 7 €", b"Caf\xe9 \x96 7 \x80", 4_614.0, 4_669.0),
            ("\u{178}\u{153}", b"\x9f\x9c", 1_611.0, 1_611.0),
        ] {
            let encoded = Encoded::of(text).unwrap();
            assert_eq!(encoded.bytes(), bytes, "{text}");
            let widths = [Font::Regular, Font::Bold].map(|font| encoded.width(font, 1_000.0));
            assert!(widths.iter().zip([regular, bold]).all(|(is, should)| (is - should).abs() < 0.1), "{widths:?}");
        }
        for (text, missing) in [("Судоку", 'С'), ("a\tb", '\t'), ("\u{81}", '\u{81}'), ("数独", '数')] {
            assert_eq!(Encoded::of(text), Err(missing), "{text}");
        }
    }

    #[test]
    fn lines_are_no_wider_than_they_may_be() {
        let text = Encoded::of("  Each row has each digit once; WWWWWWWWWWWW too ").unwrap();
        let lines = text.lines(Font::Regular, 10.0, 80.0);
        let shown: Vec<_> = lines.iter().map(|line| String::from_utf8(line.bytes().to_vec()).unwrap()).collect();
        assert_eq!(shown, ["Each row has", "each digit once;", "WWWWWWWW", "WWWW too"]);
    }
}
