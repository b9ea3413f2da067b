//! Solves Kakuro with the constraint core. Every puzzle that the kernel finds unique is checked here a second time.

use super::{
    board::{Digit, Puzzle},
    layout::Run,
};
use crate::{
    csp::{Constraint, Domain, Model, Search, Var},
    shared::budget::{Budget, OutOfBudget},
};

/// The solutions of a puzzle, at most `limit` of them.
///
/// # Errors
/// [`OutOfBudget`] if fewer than `limit` were found and more may exist.
pub fn solutions(puzzle: &Puzzle, limit: usize, budget: &mut Budget<'_>) -> Result<Vec<Vec<Digit>>, OutOfBudget> {
    Search::new(&model(puzzle)).solutions(limit, budget)
}

/// The puzzle as a model: one variable with the values 1–9 for each white cell in reading order, and one constraint for
/// each run with a clue.
#[must_use]
pub fn model(puzzle: &Puzzle) -> Model {
    let mut model = Model::new();
    let vars: Vec<Var> = puzzle.layout().cells().iter().map(|_| model.variable(Domain::range(1, 9))).collect();
    for (run, sum) in puzzle.clued_runs() {
        model.post(Constraint::DifferentSum { vars: of_run(run, &vars), total: sum.into() });
    }
    model
}

fn of_run(run: &Run, vars: &[Var]) -> Vec<Var> {
    run.whites().iter().map(|&white| vars[usize::from(white)]).collect()
}
