//! Refutation: a candidate falls because placing it and then all singles, round by round, leads to a contradiction.
//!
//! The rounds are synchronous: each places all singles that the position shows at its start. So the number of rounds depends on the
//! position alone, not on an order of cells.

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
    let Some((rounds, fallen)) = fallen(position, rounds_max(technique.rating_max)) else { return };
    for (cell, digit) in fallen {
        let taken = take(Find {
            rating: rating(rounds),
            cells: Cells::only(cell),
            digits: Digits::only(digit),
            number: Some(rounds.into()),
            removed: vec![(digit, Cells::only(cell))],
            ..Find::of(technique)
        });
        if taken {
            return;
        }
    }
}

/// The candidates that fall in the fewest rounds, with their number. `None` if none falls within the limit.
fn fallen(position: &Position<'_>, limit: u8) -> Option<(u8, Vec<(Cell, u8)>)> {
    let (mut fewest, mut fallen) = (limit, Vec::new());
    for cell in position.open().iter() {
        for digit in position.candidates(cell).iter() {
            let Some(rounds) = Trial::of(position, (cell, digit)).rounds(fewest) else { continue };
            if rounds < fewest {
                fewest = rounds;
                fallen.clear();
            }
            fallen.push((cell, digit));
        }
    }
    (!fallen.is_empty()).then_some((fewest, fallen))
}

/// The number of rounds of a find; 0 if it is no refutation.
pub(super) fn rounds_of(find: &Find) -> u8 {
    let rounds = find.number.filter(|_| find.technique == REFUTATION);
    rounds.and_then(|rounds| u8::try_from(rounds).ok()).unwrap_or(0)
}

fn rating(rounds: u8) -> Tenths {
    Tenths(RATINGS[usize::from(rounds).clamp(1, RATINGS.len()) - 1])
}

/// The most rounds with at most this rating.
fn rounds_max(rating_max: Tenths) -> u8 {
    (1..=ROUNDS_MAX).rfind(|rounds| rating(*rounds) <= rating_max).unwrap_or(0)
}

/// A candidate that is tried.
#[derive(Debug)]
pub(super) struct Trial<'r> {
    position: Position<'r>,
    /// What the next round places.
    pub(super) singles: Vec<Single>,
}

impl<'r> Trial<'r> {
    pub(super) fn of(position: &Position<'r>, (cell, digit): (Cell, u8)) -> Self {
        let singles = vec![Single { cell, digit, house: None }];
        Self { position: *position, singles }
    }

    /// The number of rounds in which the candidate falls. `None` if it does not fall within the limit.
    fn rounds(mut self, limit: u8) -> Option<u8> {
        for round in 1..=limit {
            if self.round().is_err() {
                return Some(round);
            }
            if self.singles.is_empty() {
                return None;
            }
        }
        None
    }

    /// Places the singles of the round, the first time the candidate, and collects those of the next round.
    ///
    /// # Errors
    /// [`Failure`] if the candidate falls in this round.
    pub(super) fn round(&mut self) -> Result<(), Failure> {
        for single in self.singles.drain(..) {
            place(&mut self.position, single)?;
        }
        collect(&self.position, &mut self.singles)
    }
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

/// Adds all singles of a position to a list.
///
/// # Errors
/// [`Failure`] if the position is broken.
fn collect(position: &Position<'_>, singles: &mut Vec<Single>) -> Result<(), Failure> {
    let rules = position.rules();
    if rules.fills {
        let [one, several] = position.cells_with_candidates();
        if let Some(cell) = position.open().without(one).first() {
            return Err(Failure::Cell(cell));
        }
        let naked = one.without(several).iter();
        singles.extend(naked.filter_map(|cell| {
            let digit = position.candidates(cell).single()?;
            Some(Single { cell, digit, house: None })
        }));
    }
    for digit in rules.digits.iter() {
        let [one, several] = position.houses_with_places(digit);
        let lacking = position.lacking(digit);
        if let Some(house) = lacking.without(one).iter().next() {
            return Err(Failure::House(house, digit));
        }
        for house in lacking.without(several).iter() {
            if let Some(cell) = position.places_in(house, digit).first() {
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
fn place(position: &mut Position<'_>, single: Single) -> Result<(), Failure> {
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
