//! Reads and writes the cages of a board with operators: a letter for each cell, and for each cage its number and operator.

use super::{
    cages::{CAGES, letters_of, numbered, sized},
    parts::Parts,
    place,
};
use crate::{
    grid::{
        cells::Cells,
        clues::{Cage, Clues, Operator, open_sum::can_be_filled},
        rules::Rules,
        variant::GridVariant,
    },
    shared::{
        names::quoted,
        phrases::{counted, list},
        text::{TextError, malformed},
    },
};

/// The name of the part with the numbers and operators.
pub(crate) const TOTALS: &str = "totals=";

/// The maximum number of cells of a cage, so that a search can try all ways to fill it.
const CELLS_MAX: u32 = 6;

/// The cages that the parts of a text state, in the order of their first cells.
///
/// # Errors
/// [`TextError::Malformed`] as for cages with sums, or if a cage of several cells has no operator that suits it, or a single cell has one.
pub(crate) fn parse(variant: &'static GridVariant, parts: &Parts<'_>) -> Result<Clues, TextError> {
    let what = "a number and an operator for each cage";
    let cages = numbered(variant, parts, (TOTALS, "total", what), |cells, total| cage(variant, cells, total))?;
    // The rules of lines alone say whether a cage can be filled.
    let rules = Rules::with(variant, &[]);
    let impossible = |cage: &&Cage| !can_be_filled(cage, &rules);
    let Some(cage) = cages.iter().find(impossible) else { return Ok(Clues { cages, ..Clues::default() }) };
    let (first, cells) =
        (place(variant, cage.cells.first().unwrap_or_default().into()), counted(cage.cells.len(), "cell"));
    Err(malformed(format!("the cage at {first} has {cells} and the total {}; no digits make it", quoted(&total(cage)))))
}

/// A cage with its number and operator. A cage of one cell has a number alone.
fn cage(variant: &GridVariant, cells: Cells, stated: &str) -> Result<Cage, TextError> {
    let len = sized(variant, cells, CELLS_MAX)?;
    let number = stated.trim_end_matches(|sign: char| !sign.is_ascii_digit());
    let operator = &stated[number.len()..];
    let operators = Operator::ALL.into_iter().filter(|operator| len == 2 || len > 2 && !operator.is_of_two());
    let known = operators.clone().find(|known| known.is_written(operator));
    let wrong = |what: String| {
        let (first, cells) = (place(variant, cells.first().unwrap_or_default().into()), counted(len, "cell"));
        malformed(format!("the cage at {first} has {cells} and the total {}; use {what}", quoted(stated)))
    };
    let number = number.parse().ok().filter(|number: &u32| *number > 0 && i32::try_from(*number).is_ok());
    match (number, known) {
        (Some(number), None) if len == 1 && operator.is_empty() => Ok(Cage::of_sum(cells, number)),
        _ if len == 1 => Err(wrong(format!("a number from 1 to {}", variant.size))),
        (Some(number), Some(known)) => Ok(Cage { cells, number, operator: Some(known) }),
        _ => {
            let signs = list(operators.map(|operator| operator.sign().to_owned()), "or");
            Err(wrong(format!("a number and {signs}")))
        }
    }
}

impl Operator {
    /// Whether a text writes it in this way. Programs write some operators in several ways.
    fn is_written(self, sign: &str) -> bool {
        match self {
            Self::Add => sign == "+",
            Self::Subtract => matches!(sign, "-" | "−" | "–"),
            Self::Multiply => matches!(sign, "x" | "X" | "*" | "×"),
            Self::Divide => matches!(sign, "/" | ":" | "÷"),
        }
    }
}

/// The two named parts, each after a space.
pub(crate) fn write(variant: &GridVariant, clues: &Clues) -> String {
    let letters = letters_of(variant, clues.cages.iter().map(|cage| cage.cells));
    let totals: Vec<_> = clues.cages.iter().map(total).collect();
    format!(" {CAGES}{letters} {TOTALS}{}", totals.join(","))
}

/// The number of a cage with its operator.
pub(crate) fn total(cage: &Cage) -> String {
    format!("{}{}", cage.number, cage.operator.map_or("", Operator::sign))
}
