//! Reads and writes the signs between cells in a text: for each pair of neighbors, a sign or `-`.

use super::{parts::Parts, place};
use crate::{
    grid::{
        clues::{Clues, Relation, Sign, relations::neighbors},
        variant::{ClueType, GridVariant},
    },
    shared::{
        phrases::{counted, list},
        step::Cell,
        text::{TextError, malformed},
    },
};

/// The names of the parts with the signs between columns, and between rows.
pub(crate) const RIGHT: &str = "right=";
pub(crate) const DOWN: &str = "down=";

const NONE: char = '-';

/// The signs that a text states, in the order of their cells.
///
/// # Errors
/// [`TextError::Malformed`] if a part is missing or too short or long, or has a sign that the variant lacks.
pub(crate) fn parse(variant: &GridVariant, parts: &Parts<'_>) -> Result<Clues, TextError> {
    let ClueType::Signs(relations) = variant.clues else { return Ok(Clues::default()) };
    let mut signs = Vec::new();
    for name in [RIGHT, DOWN] {
        let pairs = pairs(variant, name);
        let wanted = pairs.len();
        let Some(text) = parts.part(name) else {
            return Err(malformed(format!(
                "{name} is missing; add it with {wanted} signs, row by row; {}",
                allowed(relations)
            )));
        };
        for (sign, &cells) in text.chars().zip(&pairs) {
            let is_meant = |relation: &&Relation| relation.sign().chars().eq([sign.to_ascii_lowercase()]);
            match relations.iter().find(is_meant) {
                Some(&relation) => signs.push(Sign { cells, relation }),
                None if sign == NONE => {}
                None => {
                    let (place, allowed) = (place(variant, cells[0].into()), allowed(relations));
                    return Err(malformed(format!("{name} {place}: {sign:?} is not allowed; {allowed}")));
                }
            }
        }
        let len = text.chars().count();
        if len != wanted {
            let len = counted(len, "sign");
            return Err(malformed(format!("{name} has {len}; the puzzle must have exactly {wanted}")));
        }
    }
    signs.sort_unstable();
    Ok(Clues { signs, ..Clues::default() })
}

/// Both parts with the signs, each after a space.
pub(crate) fn write(variant: &GridVariant, clues: &Clues) -> String {
    let sign = |cells: &[Cell; 2]| {
        clues.signs.iter().find(|sign| sign.cells == *cells).map_or("-", |sign| sign.relation.sign())
    };
    let part = |name| format!(" {name}{}", pairs(variant, name).iter().map(sign).collect::<String>());
    [RIGHT, DOWN].map(part).concat()
}

/// The pairs of neighbors of a part, row by row.
fn pairs(variant: &GridVariant, name: &str) -> Vec<[Cell; 2]> {
    neighbors(variant.size).filter(|[first, second]| (second - first == 1) == (name == RIGHT)).collect()
}

/// The signs that a variant has, for messages.
fn allowed(relations: &[Relation]) -> String {
    let signs = relations.iter().map(|relation| relation.sign().to_owned());
    format!("use {} for a sign, {NONE} for none", list(signs, "or"))
}
