//! 9×9 Sudoku stated in the constraint core: the second opinion on every puzzle.

use super::board::{CELLS, Grid, HOUSES};
use crate::{
    budget::{Budget, OutOfBudget},
    csp::{Config, Constraint, Domain, Model, Search, Var},
};

/// The solutions of a puzzle, at most `limit` of them. Givens that clash leave none.
///
/// # Errors
/// [`OutOfBudget`] if fewer than `limit` were found and more may exist.
pub fn solutions(puzzle: &Grid, limit: usize, budget: &mut Budget<'_>) -> Result<Vec<Grid>, OutOfBudget> {
    let model = model(puzzle);
    let mut search = Search::new(&model, Config::COUNTING);
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

/// One solution, if there is any.
///
/// # Errors
/// [`OutOfBudget`] if none was found and one may exist.
pub fn solve(puzzle: &Grid, budget: &mut Budget<'_>) -> Result<Option<Grid>, OutOfBudget> {
    solutions(puzzle, 1, budget).map(|found| found.first().copied())
}

/// A puzzle as a model: one variable a cell in reading order, values 1–9, and one all-different a house.
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
