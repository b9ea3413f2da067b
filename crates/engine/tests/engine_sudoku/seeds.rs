//! Golden tests: the puzzles and grids of fixed seeds, which may change with the engine version only.

use std::fmt::Write as _;

use puzzled_engine::{
    shared::{
        level::Level,
        rng::Rng,
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
    },
    sudoku::make::grids::{random_grid, scramble},
};

use super::{first_made, styled};

/// Compares with a file in `tests/golden`. On a mismatch, the message contains the whole new file.
fn check_golden(name: &str, golden: &str, now: &str) {
    assert!(golden == now, "tests/golden/{name} should be:\n{now}");
}

#[test]
fn a_seed_keeps_its_puzzle() {
    let mut now = String::new();
    let levels = Level::ALL.map(|level| (level.name(), Difficulty::Level(level)));
    for symmetry in Symmetry::ALL {
        for (name, difficulty) in [("any", Difficulty::Any)].into_iter().chain(levels) {
            let (try_number, made) = first_made(&Spec { symmetry, ..styled(difficulty, None) }, 7);
            let rating = made.record.rating;
            writeln!(now, "{} {name} try {try_number} rated {rating} {}", symmetry.name(), made.text).unwrap();
        }
    }
    check_golden("sudoku_generate.txt", include_str!("../golden/sudoku_generate.txt"), &now);
}

#[test]
fn a_seed_keeps_its_grid_and_its_scramble() {
    let mut now = String::new();
    for seed in 0..5 {
        let mut rng = Rng::from_seed(seed);
        let grid = random_grid(&mut rng);
        writeln!(now, "{seed} {} {}", grid.line(), scramble(&grid, &mut rng).line()).unwrap();
    }
    check_golden("sudoku_grids.txt", include_str!("../golden/sudoku_grids.txt"), &now);
}
