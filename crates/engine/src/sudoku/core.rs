//! Solves Sudoku with the constraint core. Each stored or judged puzzle that the kernel finds unique is checked here a second time.

use super::board::{CELLS, Grid, HOUSES};
use crate::{
    csp::{Constraint, Domain, Model, Search, Var},
    shared::budget::{Budget, OutOfBudget},
};

/// The solutions of a puzzle, at most `limit` of them. A puzzle whose givens clash has none.
///
/// # Errors
/// [`OutOfBudget`] if fewer than `limit` were found and more may exist.
pub fn solutions(puzzle: &Grid, limit: usize, budget: &mut Budget<'_>) -> Result<Vec<Grid>, OutOfBudget> {
    let model = model(puzzle);
    let mut search = Search::new(&model);
    let mut found = Vec::new();
    while found.len() < limit
        && let Some(values) = search.next_solution(budget)?
    {
        let mut cells = [0; CELLS];
        cells.copy_from_slice(&values);
        found.push(Grid(cells));
    }
    Ok(found)
}

/// The first solution found, or `None` if the puzzle has none.
///
/// # Errors
/// [`OutOfBudget`] if none was found but one may exist.
pub fn solve(puzzle: &Grid, budget: &mut Budget<'_>) -> Result<Option<Grid>, OutOfBudget> {
    solutions(puzzle, 1, budget).map(|found| found.first().copied())
}

/// A puzzle as a model: one variable per cell in reading order, values 1–9, and one all-different constraint per house.
#[must_use]
pub fn model(puzzle: &Grid) -> Model {
    let mut model = Model::new();
    let given = |digit: u8| if digit == 0 { Domain::range(1, 9) } else { Domain::only(digit) };
    let vars: Vec<Var> = puzzle.cells().iter().map(|&digit| model.variable(given(digit))).collect();
    for house in &HOUSES {
        model.post(Constraint::AllDifferent(house.iter().map(|&cell| vars[usize::from(cell)]).collect()));
    }
    model
}
