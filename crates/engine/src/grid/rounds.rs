//! Singles, placed round by round. The rounds are synchronous: each places all singles that the position shows at its start. So the number
//! of rounds depends on the position alone, not on an order of cells.

use super::position::Position;
use crate::shared::step::Cell;

/// The rounds that follow from a position.
#[derive(Debug)]
pub(crate) struct Rounds<'r> {
    pub(crate) position: Position<'r>,
    /// The singles in the order of their rounds, some of them several times. Those of the next round come last.
    pub(crate) singles: Vec<Single>,
    /// How many of the singles are placed.
    placed: usize,
}

/// A digit that has to go into a cell.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Single {
    pub(crate) cell: Cell,
    pub(crate) digit: u8,
    /// The house in which it is the last place of the digit; `None` if the digit is the cell's last candidate.
    pub(crate) house: Option<usize>,
}

/// A contradiction.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Failure {
    /// The cell has no candidate.
    Cell(Cell),
    /// The house has no place for the digit.
    House(usize, u8),
}

impl<'r> Rounds<'r> {
    /// The rounds of which the first places `singles`.
    pub(crate) fn of(position: &Position<'r>, singles: Vec<Single>) -> Self {
        Self { position: *position, singles, placed: 0 }
    }

    /// Places the singles of the round, and finds those of the next one. Returns whether there are any.
    ///
    /// # Errors
    /// [`Failure`] if they contradict each other, or lead to a contradiction.
    pub(crate) fn next(&mut self) -> Result<bool, Failure> {
        for single in &self.singles[self.placed..] {
            place(&mut self.position, *single)?;
        }
        self.placed = self.singles.len();
        self.singles.append(&mut singles(&self.position)?);
        Ok(self.singles.len() > self.placed)
    }
}

/// All singles of a position.
///
/// # Errors
/// [`Failure`] if a cell that needs a digit has no candidate, or a digit has no place in a house.
pub(crate) fn singles(position: &Position<'_>) -> Result<Vec<Single>, Failure> {
    let (rules, mut singles) = (position.rules(), Vec::new());
    if rules.fills {
        let [one, several] = position.cells_with_candidates();
        if let Some(cell) = position.open().without(one).first() {
            return Err(Failure::Cell(cell));
        }
        let naked = one.without(several).iter();
        let single = |cell| Some(Single { cell, digit: position.candidates(cell).single()?, house: None });
        singles.extend(naked.filter_map(single));
    }
    for digit in rules.digits.iter() {
        let [one, several] = position.houses_with_places(digit);
        let lacking = position.lacking(digit);
        if let Some(house) = lacking.without(one).first() {
            return Err(Failure::House(house, digit));
        }
        let hidden = lacking.without(several).iter();
        let single =
            |house| Some(Single { cell: position.places_in(house, digit).first()?, digit, house: Some(house) });
        singles.extend(hidden.filter_map(single));
    }
    Ok(singles)
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
