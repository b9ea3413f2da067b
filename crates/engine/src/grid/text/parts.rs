//! Cuts a text into its parts: the name of the variant, the characters of the cells, and the named parts, such as the
//! letters of the regions. Cells may stand on one line, in words, or in a drawing with bars and rulings.

use super::place;
use crate::grid::variant::GridVariant;
use crate::shared::{
    names::quoted,
    phrases::{counted, list},
    text::{TextError, malformed},
};

/// The name of the part with regions.
pub(super) const REGIONS: &str = "regions=";

/// The names of the parts that a text of a variant has besides its cells, in the order in which they are written.
pub(crate) fn names(variant: &GridVariant) -> Vec<&'static str> {
    let regions: &[_] = if variant.has_regions() { &[REGIONS] } else { &[] };
    [regions, variant.clues.form().parts].concat()
}

/// The parts of a text.
#[derive(Debug, Default)]
pub(crate) struct Parts<'t> {
    /// The variant that the text names.
    pub(super) variant: Option<&'t str>,
    /// The characters of the cells.
    pub(super) cells: Vec<char>,
    /// The number of lines with cells.
    pub(super) rows: usize,
    /// The named parts, with `=` at the end of the name.
    named: Vec<(&'t str, &'t str)>,
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
        match word.find('=').map(|at| word.split_at(at + 1)) {
            // The name of a part begins with a letter. Other words with `=` are cells of a drawing.
            Some((name, value)) if name.starts_with(|sign: char| sign.is_ascii_alphabetic()) => {
                if self.part(name).is_some() {
                    return Err(malformed(format!("{name} is stated twice; state it once")));
                }
                self.named.push((name, value));
            }
            _ => self.cells.extend(word.chars()),
        }
        Ok(())
    }

    /// What the text states after a name.
    pub(super) fn part(&self, name: &str) -> Option<&'t str> {
        self.named.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// Whether the text has cells alone.
    pub(super) fn is_bare(&self) -> bool {
        self.named.is_empty()
    }

    /// Refuses parts that a variant lacks.
    pub(super) fn check(&self, variant: &GridVariant) -> Result<(), TextError> {
        let GridVariant { kind, name: of, .. } = variant;
        let names = names(variant);
        let Some((name, _)) = self.named.iter().find(|(name, _)| !names.contains(name)) else { return Ok(()) };
        let (name, allowed) = (quoted(name), list(names.iter().map(|name| (*name).to_owned()), "and"));
        let allowed = if allowed.is_empty() { "it has no named parts".to_owned() } else { format!("it has {allowed}") };
        Err(malformed(format!("{kind} {of} has no part {name}; remove it; {allowed}")))
    }
}

/// The letters of the part with this name, one for each cell, in lower case. `others` are the characters that are
/// allowed besides letters. Errors quote `allowed`, which names all allowed characters.
///
/// # Errors
/// [`TextError::Malformed`] if a character is not allowed, or if there are too few or too many.
pub(super) fn letters(
    variant: &GridVariant,
    (name, text): (&str, &str),
    others: &str,
    allowed: &str,
) -> Result<Vec<char>, TextError> {
    let letters: Vec<char> = text.chars().map(|sign| sign.to_ascii_lowercase()).collect();
    let is_wrong = |sign: &char| !sign.is_ascii_lowercase() && !others.contains(*sign);
    if let Some(at) = letters.iter().position(is_wrong) {
        let (place, found) = (place(variant, at), letters[at]);
        return Err(malformed(format!("{name} {place}: {found:?} is not allowed; use {allowed}")));
    }
    let (len, wanted) = (letters.len(), variant.cells());
    if len != wanted {
        let len = counted(len, "letter");
        return Err(malformed(format!("{name} has {len}; the puzzle must have exactly {wanted}")));
    }
    Ok(letters)
}

fn is_bar(sign: char) -> bool {
    matches!(sign, '|' | '│' | '┃' | '║' | '¦')
}

/// Whether a line separates rows of a drawing. A line of `-` alone is a row of empty cells.
fn is_ruling(line: &str) -> bool {
    let is_corner = |sign: char| matches!(sign, '+' | '=' | '─'..='╿') && !is_bar(sign);
    line.contains(is_corner) && line.chars().all(|sign| is_corner(sign) || is_bar(sign) || matches!(sign, '-' | ' '))
}
