//! Places singles in rounds. A round places all singles that the position had before the round. Then it applies each of
//! the variant's `round_rules` once. So the number of rounds depends on the position alone, not on the order of cells.

use super::{
    cells::{Cells, Houses},
    clues::{By, Exclusion},
    position::Position,
};
use crate::shared::step::Cell;

/// The rounds that follow from a position.
#[derive(Debug)]
pub(crate) struct Rounds<'r> {
    pub(crate) position: Position<'r>,
    /// The singles in the order of their rounds, some of them several times. Those of the next round come last.
    pub(crate) singles: Vec<Single>,
    /// The candidates that extra rules exclude, in the order of their rounds. Each has the number of singles that were
    /// placed before it.
    pub(crate) exclusions: Vec<(usize, Exclusion)>,
    /// How many of the singles are placed.
    placed: usize,
}

/// A digit that has to go into a cell.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Single {
    pub(crate) cell: Cell,
    pub(crate) digit: u8,
    /// The house in which the cell is a last place of the digit; `None` if the digit is the cell's last candidate.
    pub(crate) house: Option<usize>,
}

/// A contradiction.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Failure {
    /// The cell has no candidate.
    Cell(Cell),
    /// The house has no room for the digit.
    House(usize, u8),
    /// The rule cannot be fulfilled.
    Rule(By),
}

impl<'r> Rounds<'r> {
    /// The rounds that start from a position. The first round places `singles`.
    pub(crate) fn of(position: &Position<'r>, singles: Vec<Single>) -> Self {
        Self { position: *position, singles, exclusions: Vec::new(), placed: 0 }
    }

    /// Executes one round: places its singles, applies each of the `round_rules` once, and finds the singles of the
    /// next round. Returns false if the rules excluded nothing and no singles were found, so that a further round would
    /// change nothing.
    ///
    /// # Errors
    /// [`Failure`] if the singles contradict each other, or if the position after them is a contradiction.
    pub(crate) fn next(&mut self) -> Result<bool, Failure> {
        for single in &self.singles[self.placed..] {
            place(&mut self.position, *single)?;
        }
        self.placed = self.singles.len();
        let mut exclusions = Vec::new();
        let round_rules = self.position.rules().variant.round_rules;
        round_rules.iter().try_for_each(|rule| rule(&self.position, &mut exclusions))?;
        let has_exclusions = !exclusions.is_empty();
        for exclusion in exclusions {
            self.position.remove(exclusion.digit, exclusion.cells);
            self.exclusions.push((self.placed, exclusion));
        }
        let found = collect(&self.position, &mut self.singles);
        found.inspect_err(|_| self.singles.truncate(self.placed))?;
        Ok(has_exclusions || self.singles.len() > self.placed)
    }
}

/// The cells of the singles of a position. Empty if the position is a contradiction.
pub(crate) fn openings(position: &Position<'_>) -> Cells {
    let mut singles = Vec::new();
    let found = collect(position, &mut singles).map(|()| singles.iter().map(|single| single.cell).collect());
    found.unwrap_or(Cells::NONE)
}

/// Adds all singles of a position to a list.
///
/// # Errors
/// [`Failure`] if a cell that needs a digit has no candidate, or a digit has no place in a house.
fn collect(position: &Position<'_>, singles: &mut Vec<Single>) -> Result<(), Failure> {
    naked(position, singles)?;
    position.rules().digits.iter().try_for_each(|digit| hidden(position, digit, singles))
}

/// Adds the naked singles: the last candidates of cells.
///
/// # Errors
/// [`Failure`] if a cell that needs a digit has no candidate.
pub(crate) fn naked(position: &Position<'_>, singles: &mut Vec<Single>) -> Result<(), Failure> {
    if !position.rules().fills {
        return Ok(());
    }
    let [one, several] = position.cells_with_candidates();
    let single = |cell| Some(Single { cell, digit: position.candidates(cell).single()?, house: None });
    singles.extend(one.without(several).iter().filter_map(single));
    position.open().without(one).first().map_or(Ok(()), |cell| Err(Failure::Cell(cell)))
}

/// Adds the hidden singles of a digit: its last places in houses.
///
/// # Errors
/// [`Failure`] if a house that lacks the digit has no room for it.
pub(crate) fn hidden(position: &Position<'_>, digit: u8, singles: &mut Vec<Single>) -> Result<(), Failure> {
    for house in position.several().iter() {
        several(position, house, singles)?;
    }
    let lacking = position.lacking(digit);
    if lacking == Houses::NONE {
        return Ok(());
    }
    let [one, several] = position.houses_with_places(digit);
    let place = |house| position.places_in(house, digit).first();
    let single = |house| Some(Single { cell: place(house)?, digit, house: Some(house) });
    singles.extend(lacking.without(several).iter().filter_map(single));
    lacking.without(one).first().map_or(Ok(()), |house| Err(Failure::House(house, digit)))
}

/// Adds the places of a house that need a star, because the other places have no room for the stars that it lacks.
///
/// # Errors
/// [`Failure`] if all its places have no room for them.
fn several(position: &Position<'_>, house: usize, singles: &mut Vec<Single>) -> Result<(), Failure> {
    let (rules, digit) = (position.rules(), 1);
    let (places, missing) = (position.places_in(house, digit), position.missing(house));
    // At most four cells touch each other, so more of them have room for one star more.
    if places.len() > 4 * (missing - 1) + 1 {
        return Ok(());
    }
    if !rules.has_room(places, missing) {
        return Err(Failure::House(house, digit));
    }
    let is_needed = |cell: &Cell| !rules.has_room(places.without(Cells::only(*cell)), missing);
    singles.extend(places.iter().filter(is_needed).map(|cell| Single { cell, digit, house: Some(house) }));
    Ok(())
}

/// Places a single, unless it is placed already.
///
/// # Errors
/// [`Failure`] if another single of the round excludes it.
pub(crate) fn place(position: &mut Position<'_>, single: Single) -> Result<(), Failure> {
    let Single { cell, digit, house } = single;
    if position.candidates(cell).contains(digit) {
        position.place(cell, digit);
    } else if position.digit(cell) != digit {
        return Err(house.map_or(Failure::Cell(cell), |house| Failure::House(house, digit)));
    }
    Ok(())
}
