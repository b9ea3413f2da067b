//! Cuts a text into its parts: the name of the variant, the signs of the cells, and the letters of the regions. Cells may stand on one
//! line, in words, or in a drawing with bars and rulings.

use crate::shared::{
    names::quoted,
    text::{TextError, malformed},
};

/// The name of the part with the regions.
pub(super) const REGIONS: &str = "regions=";

/// The parts of a text.
#[derive(Debug, Default)]
pub(super) struct Parts<'t> {
    /// The variant that the text names.
    pub(super) variant: Option<&'t str>,
    /// The signs of the cells.
    pub(super) cells: Vec<char>,
    /// The number of lines with cells.
    pub(super) rows: usize,
    /// The letters after `regions=`.
    pub(super) regions: Option<&'t str>,
}

/// The name of a variant, such as `6x6` or `9x9-x`, if the text begins with one and a colon. It may be unknown.
pub(crate) fn named_variant(text: &str) -> Option<&str> {
    let is_before = |sign: char| sign == '\u{feff}' || sign.is_whitespace();
    let (name, _) = text.trim_start_matches(is_before).split_once(':')?;
    let (size, rule) = name.split_once('-').unwrap_or((name, "x"));
    let (rows, columns) = size.split_once('x')?;
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|sign| sign.is_ascii_digit());
    let is_word = !rule.is_empty() && rule.bytes().all(|sign| sign.is_ascii_alphanumeric() || sign == b'-');
    (is_number(rows) && is_number(columns) && is_word).then_some(name)
}

impl<'t> Parts<'t> {
    pub(super) fn of(text: &'t str) -> Result<Self, TextError> {
        let variant = named_variant(text);
        let rest = match (variant, text.split_once(':')) {
            (Some(_), Some((_, rest))) => rest,
            _ => text,
        };
        let mut parts = Self { variant, ..Self::default() };
        for line in rest.lines().filter(|line| !is_ruling(line)) {
            let before = parts.cells.len();
            let is_between = |sign: char| sign.is_whitespace() || is_bar(sign);
            let words = line.split(is_between).filter(|word| !word.is_empty());
            words.into_iter().try_for_each(|word| parts.take(word))?;
            parts.rows += usize::from(parts.cells.len() > before);
        }
        Ok(parts)
    }

    fn take(&mut self, word: &'t str) -> Result<(), TextError> {
        match (word.strip_prefix(REGIONS), word.split_once('=')) {
            (Some(_), _) if self.regions.is_some() => {
                return Err(malformed(format!("{REGIONS} is stated twice; state it once")));
            }
            (Some(letters), _) => self.regions = Some(letters),
            (None, Some((name, _))) => {
                let name = quoted(name);
                return Err(malformed(format!("unknown part {name}; leave it out; the only named part is {REGIONS}")));
            }
            (None, None) => self.cells.extend(word.chars()),
        }
        Ok(())
    }
}

fn is_bar(sign: char) -> bool {
    matches!(sign, '|' | '│' | '┃' | '║' | '¦')
}

/// Whether a line separates rows of a drawing. A line of `-` alone is a row of empty cells.
fn is_ruling(line: &str) -> bool {
    let is_corner = |sign: char| matches!(sign, '+' | '=' | '─'..='╿') && !is_bar(sign);
    line.contains(is_corner) && line.chars().all(|sign| is_corner(sign) || is_bar(sign) || matches!(sign, '-' | ' '))
}
