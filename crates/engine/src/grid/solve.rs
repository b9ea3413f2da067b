//! The layer's own solver: a depth-first search over copies of the position. It knows no technique but
//! singles, so its number of nodes does not measure how hard a puzzle is for people.

use super::{
    cells::Cells,
    clues::Exclusion,
    position::Position,
    puzzle::Puzzle,
    rounds::{Single, hidden, naked, place},
    rules::Rules,
};
use crate::shared::{
    budget::{Budget, OutOfBudget},
    rng::Rng,
    step::Cell,
};

/// The maximum number of nodes to fill a board. Without a dead end, that takes about as many nodes as a board has rows.
pub(crate) const NODES_PER_FILL_MAX: u64 = 300;

/// The solutions of a puzzle, at most `limit` of them. A puzzle whose digits exclude each other has none.
///
/// # Errors
/// [`OutOfBudget`] if fewer than `limit` were found and more may exist.
pub(crate) fn solutions(puzzle: &Puzzle, limit: usize, budget: &mut Budget<'_>) -> Result<Vec<Vec<u8>>, OutOfBudget> {
    let rules = Rules::of(puzzle);
    Position::of(&rules, &puzzle.digits).map_or(Ok(Vec::new()), |position| Search::of(limit).run(&position, budget))
}

/// A random board that fulfills the rules. `None` if there is none, or if the search takes more than `nodes_max` nodes.
///
/// # Errors
/// [`OutOfBudget::Cancelled`].
pub(crate) fn fill(
    rules: &Rules,
    nodes_max: u64,
    rng: &mut Rng,
    budget: &mut Budget<'_>,
) -> Result<Option<Vec<u8>>, OutOfBudget> {
    let mut cells = rules.all.list();
    rng.shuffle(&mut cells);
    let search = Search { random: Some((&cells, rng)), ..Search::of(1) };
    let found = budget.try_within(nodes_max, |budget| search.run(&Position::empty(rules), budget))?;
    Ok(found.into_iter().flatten().next())
}

/// Whether no solution of a position has this candidate.
///
/// # Errors
/// [`OutOfBudget`] if the search ends before the answer.
pub(crate) fn is_refuted(
    position: &Position<'_>,
    (cell, digit): (Cell, u8),
    budget: &mut Budget<'_>,
) -> Result<bool, OutOfBudget> {
    let mut with_candidate = *position;
    with_candidate.place(cell, digit);
    Ok(Search::of(1).run(&with_candidate, budget)?.is_empty())
}

/// The position after all singles and all extra rules. `None` if they show that it has no solution. Singles are placed
/// one after the other, which is faster than rounds.
pub(crate) fn propagate<'r>(position: &Position<'r>) -> Option<Position<'r>> {
    let (mut position, mut singles) = (*position, Vec::new());
    loop {
        let open = position.open();
        naked(&position, &mut singles).ok()?;
        place_all(&mut position, &mut singles)?;
        for digit in position.rules().digits.iter() {
            hidden(&position, digit, &mut singles).ok()?;
            place_all(&mut position, &mut singles)?;
        }
        if position.open() == open && !apply_extra_rules(&mut position)? {
            return Some(position);
        }
    }
}

/// Applies the first extra rule that excludes candidates, and returns whether there is one. `None` if a rule is broken.
fn apply_extra_rules(position: &mut Position<'_>) -> Option<bool> {
    let mut exclusions = Vec::new();
    for rule in position.rules().variant.extra_rules {
        rule(position, &mut exclusions).ok()?;
        if !exclusions.is_empty() {
            for Exclusion { digit, cells, .. } in exclusions {
                position.remove(digit, cells);
            }
            return Some(true);
        }
    }
    Some(false)
}

fn place_all(position: &mut Position<'_>, singles: &mut Vec<Single>) -> Option<()> {
    singles.drain(..).try_for_each(|single| place(position, single).ok())
}

/// A search for solutions.
struct Search<'a> {
    limit: usize,
    found: Vec<Vec<u8>>,
    /// For a random solution: an order of the cells. Of those with the fewest candidates, the first in this order is
    /// filled.
    random: Option<(&'a [Cell], &'a mut Rng)>,
}

impl Search<'_> {
    fn of(limit: usize) -> Self {
        Self { limit, found: Vec::new(), random: None }
    }

    fn run(mut self, position: &Position<'_>, budget: &mut Budget<'_>) -> Result<Vec<Vec<u8>>, OutOfBudget> {
        self.below(position, budget)?;
        Ok(self.found)
    }

    /// Adds the solutions of a position. The recursion is at most as deep as the board has cells.
    fn below(&mut self, position: &Position<'_>, budget: &mut Budget<'_>) -> Result<(), OutOfBudget> {
        let Some(mut position) = propagate(position) else { return Ok(()) };
        if position.is_solved() {
            self.found.push(position.digits().to_vec());
            return Ok(());
        }
        for (cell, digit) in self.choices(&position) {
            if self.found.len() == self.limit {
                break;
            }
            budget.take_node()?;
            let mut next = position;
            next.place(cell, digit);
            self.below(&next, budget)?;
            // A house with several stars has several of its choices, so no later choice may have this one, too.
            position.remove(digit, Cells::only(cell));
        }
        Ok(())
    }

    /// The candidates of one cell, or the places of one digit in a house, whichever are the fewest. Every solution has
    /// at least one of them.
    fn choices(&mut self, position: &Position<'_>) -> Vec<(Cell, u8)> {
        let open = position.open();
        let of_cell = match &self.random {
            _ if !position.rules().fills => None,
            Some((cells, _)) => position.narrowest_cell(cells.iter().copied().filter(|cell| open.contains(*cell))),
            None => position.narrowest_cell(open.iter()),
        };
        let both = of_cell.into_iter().chain(position.narrowest_house());
        let mut choices = both.min_by_key(Vec::len).unwrap_or_default();
        if let Some((_, rng)) = &mut self.random {
            rng.shuffle(&mut choices);
        }
        choices
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::sizes::SIZES;

    #[test]
    fn all_288_boards_of_size_4_are_found_once() {
        let puzzle = Puzzle::new(&SIZES.variants[0], vec![0; 16], Vec::new());
        let mut found = solutions(&puzzle, 1_000, &mut Budget::of_nodes(10_000)).unwrap();
        found.sort();
        found.dedup();
        assert_eq!(found.len(), 288);
        assert_eq!(solutions(&puzzle, 2, &mut Budget::of_nodes(100)).unwrap().len(), 2);
        assert_eq!(solutions(&puzzle, 2, &mut Budget::of_nodes(1)), Err(OutOfBudget::Nodes));
    }
}
