//! The text of grid kinds: the name of the variant with a colon, the cells row by row, and the parts that the variant
//! needs, such as `regions=` or `cages=`. [`parse`] also reads other notations; [`write`] writes only this one.

pub(crate) mod cages;
pub(crate) mod fpuzzles;
pub(crate) mod parts;
mod regions;
pub(crate) mod sightlines;
pub(crate) mod signs;
pub(crate) mod totals;

use super::{
    kind::GridKind,
    puzzle::Puzzle,
    variant::{Content, GridVariant},
};
use crate::shared::{
    self,
    names::quoted,
    phrases::{counted, range},
    text::{TextError, foreign, malformed, uniform::uniform},
    variant::SYMBOLS,
};
use parts::{Parts, REGIONS};
pub(crate) use parts::{named_variant, names as part_names};
pub(crate) use regions::one_cell;

/// From this size on, some programs write the digits from 0, and empty cells as another character. So a text with both
/// is refused: its `0` may be a digit.
const COUNTED_FROM_ZERO: u8 = 10;

/// Reads a puzzle, a board, or a solution. If `variant` is empty, the text decides: by the name that it begins with, or
/// else by its number of cells, which stands for the plain variant of this size.
///
/// # Errors
/// [`TextError`] names the part, the place, the value, and what is allowed.
pub(crate) fn parse(kind: &'static GridKind, variant: &str, text: &str) -> Result<Puzzle, TextError> {
    let text = uniform(text);
    if kind.has_fpuzzles()
        && let Some(stated) = shared::text::fpuzzles::read(&text)?
    {
        let variant = named(kind, if variant.is_empty() { &stated.variant } else { variant })?;
        check_name(variant, Some(&stated.variant))?;
        return fpuzzles::read(variant, stated);
    }
    own(kind, variant, &text).map_err(|error| foreign::refused(kind.name, &text).unwrap_or(error))
}

/// Reads a puzzle in the notation of the layer.
fn own(kind: &'static GridKind, variant: &str, text: &str) -> Result<Puzzle, TextError> {
    let parts = Parts::of(text)?;
    let variant = match (variant, parts.variant) {
        (_, None) if text.contains("://") => return Err(unread_address(kind)),
        ("", None) => plain(kind, &parts).ok_or_else(|| unknown_size(kind, &parts))?,
        ("", Some(name)) | (name, _) => named(kind, name)?,
    };
    read(variant, &parts, None)
}

fn named(kind: &'static GridKind, name: &str) -> Result<&'static GridVariant, TextError> {
    kind.variant(name).ok_or_else(|| TextError::Variant { reason: kind.unknown(name) })
}

/// Reads a player's board. If the text has no named parts, the board gets the regions and clues of the puzzle.
/// Otherwise, it gets those of the text, and the caller compares them by [`Puzzle::clues_differ`]. An empty text stands
/// for the puzzle at its start.
///
/// # Errors
/// As [`parse`], or if the text names another variant.
pub(crate) fn parse_board(puzzle: &Puzzle, text: &str) -> Result<Puzzle, TextError> {
    let text = uniform(text);
    if text.trim().is_empty() {
        return Ok(puzzle.clone());
    }
    read(puzzle.variant, &Parts::of(&text)?, Some(puzzle))
}

/// The plain variant with as many cells as the text. `None` if the text names a variant, if a character is not that of
/// a cell, or if the cells stand neither on one line nor on one line for each row.
pub(crate) fn plain_variant(kind: &'static GridKind, text: &str) -> Option<&'static GridVariant> {
    let text = uniform(text);
    let parts = Parts::of(&text).ok()?;
    if parts.variant.is_some() {
        return None;
    }
    plain(kind, &parts).filter(|variant| {
        let is_cell = |sign: &char| digit_of(*sign, (variant.content, SYMBOLS)).is_some();
        [1, usize::from(variant.size)].contains(&parts.rows) && parts.cells.iter().all(is_cell)
    })
}

/// Writes a puzzle on one line. [`parse`] reads it back to the same puzzle.
pub(crate) fn write(puzzle: &Puzzle) -> String {
    let grid: String = puzzle.digits.iter().map(|digit| symbol(puzzle.variant, *digit)).collect();
    let mut text = format!("{}: {grid}", puzzle.variant.name);
    if !puzzle.regions.is_empty() {
        text.push(' ');
        text.push_str(REGIONS);
        text += &regions::write(puzzle);
    }
    text + &(puzzle.variant.clues.form().write)(puzzle.variant, &puzzle.clues)
}

/// The symbol of a digit, `.` for an empty cell.
pub(crate) fn symbol(variant: &GridVariant, digit: u8) -> char {
    if digit == 0 { '.' } else { char::from(variant.symbols().as_bytes()[usize::from(digit) - 1]) }
}

/// The plain variant with as many cells as the text.
fn plain(kind: &'static GridKind, parts: &Parts<'_>) -> Option<&'static GridVariant> {
    kind.variants.iter().find(|variant| variant.cells() == parts.cells.len() && is_plain(variant))
}

/// Whether a variant is named by its size alone.
fn is_plain(variant: &GridVariant) -> bool {
    !variant.name.contains('-')
}

fn unread_address(kind: &GridKind) -> TextError {
    let read = if kind.has_fpuzzles() { "an address of f-puzzles with load=, or " } else { "" };
    malformed(format!("{} cannot read this address; use {read}the text of the puzzle", kind.name))
}

fn unknown_size(kind: &'static GridKind, parts: &Parts<'_>) -> TextError {
    let plain = kind.variants.iter().filter(|variant| is_plain(variant));
    let sizes: Vec<_> = plain.map(|variant| format!("{} ({})", variant.cells(), variant.name)).collect();
    let (cells, sizes) = (counted(parts.cells.len(), "cell"), sizes.join(", "));
    malformed(format!(
        "{cells}, and the text names no variant; begin it with a name, such as 6x6:, or use {sizes} cells"
    ))
}

/// The puzzle of a variant that the parts of a text state. If the text is a player's board, `known` is its puzzle.
fn read(variant: &'static GridVariant, parts: &Parts<'_>, known: Option<&Puzzle>) -> Result<Puzzle, TextError> {
    check_name(variant, parts.variant)?;
    parts.check(variant)?;
    let digits = digits(variant, &parts.cells)?;
    // A board without named parts has those of its puzzle.
    let known = known.filter(|_| parts.is_bare());
    let regions = match (variant.has_regions(), parts.part(REGIONS), known) {
        (false, ..) => Vec::new(),
        (true, Some(letters), _) => regions::parse(variant, letters)?,
        (true, None, Some(known)) => known.regions.clone(),
        (true, None, None) => {
            let count = variant.cells();
            return Err(malformed(format!("{REGIONS} is missing; add it with {count} letters, one for each cell")));
        }
    };
    let clues = match known {
        Some(known) => known.clues.clone(),
        None => (variant.clues.form().parse)(variant, parts)?,
    };
    Ok(Puzzle { clues, ..Puzzle::new(variant, digits, regions) })
}

/// Refuses the name of another variant.
fn check_name(variant: &GridVariant, named: Option<&str>) -> Result<(), TextError> {
    let Some(other) = named.filter(|name| *name != variant.name) else { return Ok(()) };
    let (other, name) = (quoted(other), variant.name);
    Err(TextError::Variant { reason: format!("the text names the variant {other}; the puzzle is of {name}") })
}

fn digits(variant: &GridVariant, cells: &[char]) -> Result<Vec<u8>, TextError> {
    let symbols = &SYMBOLS[..usize::from(variant.digits())];
    let refused = |at: usize, why: &str| {
        let (place, found, allowed) = (place(variant, at), cells[at], allowed(variant));
        malformed(format!("{place}: {found:?} is not allowed{why}; use {allowed}"))
    };
    let mut digits = Vec::with_capacity(cells.len());
    for (at, sign) in cells.iter().enumerate() {
        digits.push(digit_of(*sign, (variant.content, symbols)).ok_or_else(|| refused(at, ""))?);
    }
    if digits.len() != variant.cells() {
        return Err(TextError::Length { len: digits.len(), wanted: variant.cells() });
    }
    let zero = cells.iter().position(|sign| *sign == '0');
    let other = cells.iter().zip(&digits).any(|(sign, digit)| *digit == 0 && *sign != '0');
    let is_digit = matches!(variant.content, Content::Halves { .. });
    match zero.filter(|_| other && !is_digit && variant.size >= COUNTED_FROM_ZERO) {
        Some(at) => Err(refused(at, " together with another sign for an empty cell")),
        None => Ok(digits),
    }
}

/// The place of a cell, for messages.
fn place(variant: &GridVariant, cell: usize) -> String {
    let size = usize::from(variant.size);
    format!("row {}, column {}", cell / size + 1, cell % size + 1)
}

/// The digit of a character, 0 for an empty cell, `None` for a character that no cell has.
fn digit_of(sign: char, (content, symbols): (Content, &str)) -> Option<u8> {
    match (sign, content) {
        ('*', Content::Stars(_)) => Some(1),
        ('0' | '1', Content::Halves { .. }) => Some(if sign == '0' { 1 } else { 2 }),
        (_, Content::Halves { .. }) => matches!(sign, '.' | '_' | '?').then_some(0),
        ('.' | '0' | '_' | '-' | '?' | '*' | 'x' | 'X', _) => Some(0),
        (_, Content::Digits(_)) => {
            let at = symbols.find(sign.to_ascii_uppercase())?;
            u8::try_from(at + 1).ok()
        }
        (_, Content::Stars(_)) => None,
    }
}

/// The characters that a cell may have, for messages.
fn allowed(variant: &GridVariant) -> String {
    let last = symbol(variant, variant.digits());
    match (variant.content, last) {
        (Content::Stars(_), _) => ". for a cell without a star, * for a star".to_owned(),
        (Content::Digits(_), '1'..='9') => format!("1 to {last}, . for an empty cell"),
        (Content::Halves { .. }, _) => "0, 1, . for an empty cell".to_owned(),
        (Content::Digits(_), _) => format!("1 to 9, {}, . for an empty cell", range('A', last)),
    }
}

#[cfg(test)]
mod tests;
