//! Refutation: a candidate falls because placing it and then all singles, round by round, leads to a contradiction.
//!
//! The rounds are synchronous: each places all singles that the position shows at its start. So the number of rounds depends on the
//! position alone, not on an order of cells.

use super::singles::candidate_counts;
use crate::{
    grid::{
        cells::{Cells, Digits},
        find::{Find, Take, Technique},
        position::Position,
    },
    shared::{level::Tenths, step::Cell},
};

/// The name of the technique, in every ladder.
pub(crate) const REFUTATION: &str = "Refutation";

/// The rating of 1, 2, 3, … rounds. More rounds have the last one.
const RATINGS: [u8; 9] = [66, 66, 72, 86, 90, 91, 92, 93, 94];

/// The rating of the shortest refutations.
pub(crate) const RATING_MIN: Tenths = Tenths(RATINGS[0]);

/// The rating of the longest refutations.
pub(crate) const RATING_MAX: Tenths = Tenths(RATINGS[RATINGS.len() - 1]);

/// The most rounds. Puzzles for people were seen to need at most 14.
const ROUNDS_MAX: u8 = 32;

/// If placing a candidate, and then all singles in rounds, leaves a cell without a candidate or a house without a place for a digit,
/// the candidate can be removed. Only the candidates that fall in the fewest rounds are found: Refutation.
pub(crate) fn refutation(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    let (mut fewest, mut fallen) = (rounds_max(technique.rating_max), Vec::new());
    for cell in position.open().iter() {
        for digit in position.candidates(cell).iter() {
            let Some(rounds) = rounds(position, (cell, digit), fewest) else { continue };
            if rounds < fewest {
                fewest = rounds;
                fallen.clear();
            }
            fallen.push((cell, digit));
        }
    }
    fallen.into_iter().any(|(cell, digit)| {
        take(Find {
            rating: rating(fewest),
            cells: Cells::only(cell),
            digits: Digits::only(digit),
            number: Some(fewest.into()),
            removed: vec![(digit, Cells::only(cell))],
            ..Find::of(technique)
        })
    });
}

fn rating(rounds: u8) -> Tenths {
    Tenths(RATINGS[usize::from(rounds).clamp(1, RATINGS.len()) - 1])
}

/// The most rounds with at most this rating.
fn rounds_max(rating_max: Tenths) -> u8 {
    (1..=ROUNDS_MAX).rfind(|rounds| rating(*rounds) <= rating_max).unwrap_or(0)
}

/// The number of rounds that refute a candidate. `None` if it does not fall within the limit.
fn rounds(position: &Position<'_>, (cell, digit): (Cell, u8), limit: u8) -> Option<u8> {
    let (mut position, mut singles) = (*position, Vec::new());
    position.place(cell, digit);
    for round in 1..=limit {
        if collect(&position, &mut singles).is_err() {
            return Some(round);
        }
        if singles.is_empty() || round == limit {
            return None;
        }
        if singles.iter().any(|single| place(&mut position, *single).is_err()) {
            return Some(round + 1);
        }
    }
    None
}

/// A digit that has to go into a cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Single {
    pub(super) cell: Cell,
    pub(super) digit: u8,
    /// The house in which it is the last place of the digit; `None` if the digit is the cell's last candidate.
    pub(super) house: Option<usize>,
}

/// A contradiction.
#[derive(Debug, Clone, Copy)]
pub(super) enum Failure {
    /// The cell has no candidate.
    Cell(Cell),
    /// The house has no place for the digit.
    House(usize, u8),
}

/// Lists all singles of a position.
///
/// # Errors
/// [`Failure`] if the position is broken.
pub(super) fn collect(position: &Position<'_>, singles: &mut Vec<Single>) -> Result<(), Failure> {
    singles.clear();
    let rules = position.rules();
    if rules.fills {
        let [one, several] = candidate_counts(position);
        if let Some(cell) = position.open().without(one).first() {
            return Err(Failure::Cell(cell));
        }
        let naked = one.without(several).iter();
        singles.extend(naked.filter_map(|cell| {
            let digit = position.candidates(cell).single()?;
            Some(Single { cell, digit, house: None })
        }));
    }
    for house in 0..rules.houses.len() {
        for digit in position.left(house).iter() {
            let places = position.places_in(house, digit);
            let Some(cell) = places.first() else { return Err(Failure::House(house, digit)) };
            if places == Cells::only(cell) {
                singles.push(Single { cell, digit, house: Some(house) });
            }
        }
    }
    Ok(())
}

/// Places a single, unless it is placed already.
///
/// # Errors
/// [`Failure`] if another single of the round excludes it.
pub(super) fn place(position: &mut Position<'_>, single: Single) -> Result<(), Failure> {
    let Single { cell, digit, house } = single;
    if position.candidates(cell).contains(digit) {
        position.place(cell, digit);
    } else if position.digit(cell) != digit {
        return Err(house.map_or(Failure::Cell(cell), |house| Failure::House(house, digit)));
    }
    Ok(())
}

/// The cells that a single fills in this position. None if the position is broken.
pub(crate) fn openings(position: &Position<'_>) -> Cells {
    let mut singles = Vec::new();
    let found = collect(position, &mut singles).map(|()| singles.iter().map(|single| single.cell).collect());
    found.unwrap_or(Cells::NONE)
}
