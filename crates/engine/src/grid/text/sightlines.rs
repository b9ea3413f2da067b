//! Reads and writes the clues beside the grid: for each side, a number or `.` for each row or column.

use super::{digit_of, parts::Parts, symbol};
use crate::{
    grid::{
        clues::{Clues, Sightline},
        variant::GridVariant,
    },
    shared::{
        phrases::counted,
        step::Side,
        text::{TextError, malformed},
    },
};

/// The names of the parts with the clues of each side, in the order of [`Side::ALL`].
pub(crate) const NAMES: [&str; 4] = ["north=", "east=", "south=", "west="];

/// The clues beside the grid that a text states.
///
/// # Errors
/// [`TextError::Malformed`] if a part is missing or too short or long, or has a character that no clue has.
pub(crate) fn parse(variant: &GridVariant, parts: &Parts<'_>) -> Result<Clues, TextError> {
    let (size, allowed) =
        (variant.size, format!("use 1 to {} for a clue, . for none", symbol(variant, variant.digits())));
    let mut sightlines = Vec::new();
    for (side, name) in Side::ALL.into_iter().zip(NAMES) {
        let (line_type, order) = match side {
            Side::North | Side::South => ("column", "from left to right"),
            Side::East | Side::West => ("row", "from top to bottom"),
        };
        let Some(text) = parts.part(name) else {
            return Err(malformed(format!("{name} is missing; add it with {size} signs, {order}; {allowed}")));
        };
        for (line, sign) in (0..size).zip(text.chars()) {
            let visible = digit_of(sign, (variant.content, variant.symbols())).ok_or_else(|| {
                malformed(format!("{name} {line_type} {}: {sign:?} is not allowed; {allowed}", line + 1))
            })?;
            sightlines.extend((visible > 0).then_some(Sightline { side, line, visible }));
        }
        let len = text.chars().count();
        if len != usize::from(size) {
            let len = counted(len, "sign");
            return Err(malformed(format!("{name} has {len}; the puzzle must have exactly {size}")));
        }
    }
    Ok(Clues { sightlines, ..Clues::default() })
}

/// The four named parts, each after a space.
pub(crate) fn write(variant: &GridVariant, clues: &Clues) -> String {
    let part = |(side, name)| {
        let signs: String = (0..variant.size).map(|line| symbol(variant, visible(clues, side, line))).collect();
        format!(" {name}{signs}")
    };
    Side::ALL.into_iter().zip(NAMES).map(part).collect()
}

/// The clue of a line, 0 for none.
pub(crate) fn visible(clues: &Clues, side: Side, line: u8) -> u8 {
    let clue = clues.sightlines.iter().find(|clue| (clue.side, clue.line) == (side, line));
    clue.map_or(0, |clue| clue.visible)
}
