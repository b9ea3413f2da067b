//! Compares the making of full Sudoku grids and of minimal puzzles with the crate `sudoku`. Also measures, without a
//! peer, uniform grids, which the crate lacks, and canonical forms.

use std::{hint::black_box, sync::atomic::AtomicBool};

use puzzled_engine::{
    shared::{budget::Budget, rng::Rng, symmetry::Symmetry},
    sudoku::{
        board::Grid,
        canonical::canonical,
        make::{
            grids::{random_grid, uniform_grid},
            thin::thin_fully,
        },
        orbits::{Orbit, orbits},
    },
};
use sudoku::Sudoku;

use crate::measure::{self, Row, Work};

/// Number of pieces of work in each row, and the number of puzzles or grids in a piece.
const PIECES: usize = 50;
const A_PIECE: usize = 10;

pub fn compare(puzzles: &[String], show: impl Fn(Row)) {
    let never = AtomicBool::new(false);
    let mut rng = Rng::from_seed(1);
    let work = |name| Work { name, pieces: PIECES, items: PIECES * A_PIECE };
    let theirs = piece(Sudoku::generate_solved);
    show(measure::compare(work("grids"), piece(|| random_grid(&mut rng)), theirs));
    let uniform = || uniform_grid(&mut rng, &mut Budget::new(u64::MAX, &never)).expect("a budget without end");
    show(measure::alone(work("grids_uniform"), piece(uniform)));
    let mut minimal = |orbits: &[Orbit]| {
        let grid = random_grid(&mut rng);
        thin_fully(&grid, orbits, &mut rng, &mut Budget::new(u64::MAX, &never)).expect("a budget without end")
    };
    let [cells, pairs] = [Symmetry::None, Symmetry::Rotation180].map(orbits);
    let theirs = piece(|| Sudoku::generate_with_symmetry(sudoku::Symmetry::None));
    show(measure::compare(work("minimal"), piece(|| minimal(&cells)), theirs));
    show(measure::compare(work("minimal_rotation180"), piece(|| minimal(&pairs)), piece(Sudoku::generate)));
    let mut grids = puzzles.iter().map(|puzzle| Grid::parse(puzzle).expect("a line of the set")).cycle();
    show(measure::alone(work("canonical"), piece(|| grids.next().map(|grid| canonical(&grid)))));
}

/// A piece of work that calls `make` for each of its puzzles or grids.
fn piece<T>(mut make: impl FnMut() -> T) -> impl FnMut(usize) {
    move |_| {
        for _ in 0..A_PIECE {
            black_box(make());
        }
    }
}
