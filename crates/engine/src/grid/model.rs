//! Turns a puzzle into a model of the constraint core, for the second proof. This file builds the rules anew from the puzzle and shares
//! nothing with `rules.rs`, so a wrong house in either file fails one of the proofs.

use super::{
    puzzle::Puzzle,
    variant::{Areas, Content, Extra},
};
use crate::{
    csp::{
        Constraint::{self, AllDifferent, Exactly},
        Domain, Model, Search, Var,
    },
    shared::budget::{Budget, OutOfBudget},
};

/// The solutions of a puzzle, at most `limit` of them. A puzzle whose digits exclude each other has none.
///
/// # Errors
/// [`OutOfBudget`] if fewer than `limit` were found and more may exist.
pub(crate) fn solutions(puzzle: &Puzzle, limit: usize, budget: &mut Budget<'_>) -> Result<Vec<Vec<u8>>, OutOfBudget> {
    Search::new(&model(puzzle)).solutions(limit, budget)
}

/// Whether a complete board contains the digits of the puzzle and breaks none of its rules. Looks at each group of cells and searches
/// nothing.
pub(crate) fn holds(puzzle: &Puzzle, solution: &[u8]) -> bool {
    model(puzzle).holds(solution)
}

/// One variable for each cell in reading order, whose value is its digit.
fn model(puzzle: &Puzzle) -> Model {
    let mut model = Model::new();
    let (mut all, mut post) = (Domain::range(1, puzzle.variant.size), AllDifferent as fn(Vec<Var>) -> Constraint);
    if puzzle.variant.content == Content::Stars {
        (all, post) = (Domain::range(0, 1), |vars| Exactly { vars, value: 1, count: 1 });
    }
    let domain = |digit: u8| if digit == 0 { all } else { Domain::only(digit) };
    let vars: Vec<Var> = puzzle.digits.iter().map(|&digit| model.variable(domain(digit))).collect();
    for group in groups(puzzle) {
        model.post(post(group.into_iter().map(|cell| vars[cell]).collect()));
    }
    if puzzle.variant.content == Content::Stars {
        let not_both = vec![Domain::range(0, 1), Domain::only(0)];
        for [one, other] in touching(puzzle.variant.size.into()) {
            model.post(Constraint::Pair { vars: [vars[one], vars[other]], allowed: not_both.clone() });
        }
    }
    model
}

/// The pairs of cells that share a side or a corner.
fn touching(size: usize) -> impl Iterator<Item = [usize; 2]> {
    let from = move |row: usize, column: usize| {
        let next = [(row, column + 1), (row + 1, column), (row + 1, column + 1), (row + 1, column.wrapping_sub(1))];
        let on_board = next.into_iter().filter(move |&(row, column)| row < size && column < size);
        on_board.map(move |(next_row, next_column)| [row * size + column, next_row * size + next_column])
    };
    (0..size).flat_map(move |row| (0..size).flat_map(move |column| from(row, column)))
}

/// The groups of cells in which all digits differ, or that hold one star each.
fn groups(puzzle: &Puzzle) -> Vec<Vec<usize>> {
    let variant = puzzle.variant;
    let size = usize::from(variant.size);
    let lines = (0..size).flat_map(|line| {
        let row = (0..size).map(|place| line * size + place).collect();
        let column = (0..size).map(|place| place * size + line).collect();
        [row, column]
    });
    let mut groups: Vec<Vec<usize>> = lines.collect();
    match variant.areas {
        Areas::Boxes { rows, columns } => {
            let corners = rectangles(size, usize::from(rows), usize::from(columns));
            groups.extend(corners.map(|corner| rectangle(size, corner, usize::from(rows), usize::from(columns))));
        }
        Areas::Regions => groups.extend((0..variant.size).map(|number| {
            let numbers = puzzle.regions.iter().enumerate();
            numbers.filter(|(_, region)| **region == number).map(|(cell, _)| cell).collect()
        })),
    }
    for extra in variant.extra {
        match extra {
            Extra::Diagonals => {
                groups.push((0..size).map(|place| place * (size + 1)).collect());
                groups.push((1..=size).map(|place| place * (size - 1)).collect());
            }
            Extra::Windows => groups.extend([10, 14, 46, 50].map(|corner| rectangle(size, corner, 3, 3))),
        }
    }
    groups
}

/// The upper left cells of the rectangles that divide a board.
fn rectangles(size: usize, rows: usize, columns: usize) -> impl Iterator<Item = usize> {
    (0..size).step_by(rows).flat_map(move |row| (0..size).step_by(columns).map(move |column| row * size + column))
}

fn rectangle(size: usize, corner: usize, rows: usize, columns: usize) -> Vec<usize> {
    (0..rows).flat_map(|row| (0..columns).map(move |column| corner + row * size + column)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::sizes::SIZES;

    #[test]
    fn solution_must_keep_the_givens_and_every_group() {
        let puzzle = |digits: &str| Puzzle {
            variant: &SIZES.variants[0],
            digits: digits.bytes().map(|digit| digit - b'0').collect(),
            regions: Vec::new(),
        };
        let holds = |given: &str, solution: &str| holds(&puzzle(given), &puzzle(solution).digits);
        assert!(holds("1000000000000000", "1234341221434321"));
        assert!(!holds("2000000000000000", "1234341221434321"), "another given");
        assert!(!holds("0000000000000000", "1234234134124123"), "boxes");
        assert!(!holds("0000000000000000", "123434122143432"), "too short");
    }
}
