//! Compares the kernel, in each of its variants, with the constraint core: on the benchmark sets and on random boards.
//!
//! With `PUZZLED_SOAK` set, the test takes all puzzles of the sets instead of 25 each, with 12 changed copies of each puzzle:
//! 104,000 boards in all. It then also reads the sets in the folder `PUZZLED_SETS`, if that is set.
#![cfg(test)]

use std::{fs, path::PathBuf};

use proptest::prelude::*;
use puzzled_engine::{
    shared::{budget::Budget, rng::Rng},
    sudoku::{
        board::Grid,
        core,
        kernel::Kernel,
        make::grids::{random_grid, scramble},
    },
};

const NODES_MAX: u64 = 10_000_000;

/// Checks that the core and all kernels find the same number of solutions, up to two, and returns it. The kernels must also agree
/// on the order of the solutions and on the nodes.
fn check(puzzle: &Grid) -> usize {
    let mut expected = core::solutions(puzzle, 2, &mut Budget::of_nodes(NODES_MAX)).unwrap();
    let answers: Vec<_> = Kernel::all()
        .into_iter()
        .map(|kernel| {
            let mut budget = Budget::of_nodes(NODES_MAX);
            let count = kernel.count(puzzle, 2, &mut budget).unwrap();
            let solutions = kernel.solutions(puzzle, 2, &mut budget).unwrap();
            (count, solutions, budget.nodes_used())
        })
        .collect();
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{puzzle:?}: {answers:?}");
    let (count, mut found, _) = answers[0].clone();
    assert_eq!((count, found.len()), (expected.len(), expected.len()), "{puzzle:?}");
    for solution in &found {
        assert_eq!((solution.givens(), solution.clash()), (81, None), "{puzzle:?}");
        let keeps_givens =
            puzzle.cells().iter().zip(solution.cells()).all(|(given, digit)| [0, *digit].contains(given));
        assert!(keeps_givens, "{puzzle:?}");
    }
    if count == 1 {
        found.append(&mut expected);
        assert_eq!(found[0], found[1]);
    }
    count
}

#[expect(clippy::disallowed_methods, reason = "a test is told by its caller how much to do")]
fn told(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

#[test]
fn counts_match_the_core_on_the_benchmark_sets() {
    let soak = told("PUZZLED_SOAK").is_some();
    let mut folders = vec![PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/peers/data"))];
    folders.extend(told("PUZZLED_SETS").filter(|_| soak).map(PathBuf::from));
    let (some, relatives) = if soak { (usize::MAX, 12) } else { (25, 1) };
    let mut rng = Rng::from_seed(22);
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    for file in files.filter(|file| file.extension().is_some_and(|ending| ending == "txt")) {
        let text = fs::read_to_string(&file).unwrap();
        for line in text.lines().take(some) {
            let puzzle = Grid::parse(line).unwrap();
            check(&puzzle);
            for _ in 0..relatives {
                check(&relative(&puzzle, &mut rng));
            }
        }
    }
}

#[test]
fn boards_with_few_clues_have_several_solutions() {
    let mut rng = Rng::from_seed(21);
    for clues in 0..=16 {
        for _ in 0..4 {
            assert_eq!(check(&some_cells(&random_grid(&mut rng), clues, &mut rng)), 2);
        }
    }
}

#[test]
fn clashing_givens_leave_no_solution() {
    let at = |clues: [(usize, u8); 2]| {
        let mut line = vec![b'.'; 81];
        for (cell, digit) in clues {
            line[cell] = b'0' + digit;
        }
        Grid::parse(std::str::from_utf8(&line).unwrap()).unwrap()
    };
    for clash in [[(0, 5), (8, 5)], [(4, 1), (76, 1)], [(60, 9), (80, 9)], [(0, 3), (1, 3)], [(10, 7), (19, 7)]] {
        for kernel in Kernel::all() {
            assert_eq!(kernel.count(&at(clash), 2, &mut Budget::of_nodes(NODES_MAX)), Ok(0), "{clash:?}");
        }
    }
}

/// A changed copy of a puzzle: scrambled, without one of its givens, or scrambled with a new digit in one cell. It has as many
/// solutions, more, or usually none.
fn relative(puzzle: &Grid, rng: &mut Rng) -> Grid {
    let mut cells = scramble(puzzle, rng).line().into_bytes();
    match rng.below(3) {
        0 => {}
        1 => {
            let givens: Vec<_> = (0..81).filter(|&cell| puzzle.cells()[cell] != 0).collect();
            cells = puzzle.line().into_bytes();
            cells[givens[usize::try_from(rng.below(givens.len() as u64)).unwrap()]] = b'0';
        }
        _ => {
            let cell = usize::try_from(rng.below(81)).unwrap();
            cells[cell] = b'1' + u8::try_from(rng.below(9)).unwrap();
        }
    }
    Grid::parse(std::str::from_utf8(&cells).unwrap()).unwrap()
}

fn some_cells(grid: &Grid, clues: usize, rng: &mut Rng) -> Grid {
    let mut cells: Vec<_> = (0..81).collect();
    rng.shuffle(&mut cells);
    let mut line = vec![b'.'; 81];
    for &cell in &cells[..clues] {
        line[cell] = b'0' + grid.cells()[cell];
    }
    Grid::parse(std::str::from_utf8(&line).unwrap()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// The puzzle has some cells of a grid, perhaps with a changed digit in one cell. It has one solution, several, or none.
    #[test]
    fn counts_match_the_core_and_survive_scrambling(
        seed: u64, clues in 17_usize..60, spoiled in proptest::option::of((0_usize..81, 1_u8..=9)),
    ) {
        let mut rng = Rng::from_seed(seed);
        let puzzle = some_cells(&random_grid(&mut rng), clues, &mut rng);
        let mut line = puzzle.line().into_bytes();
        if let Some((cell, digit)) = spoiled {
            line[cell] = b'0' + digit;
        }
        let puzzle = Grid::parse(std::str::from_utf8(&line).unwrap()).unwrap();
        let count = check(&puzzle);
        prop_assert_eq!(check(&scramble(&puzzle, &mut rng)), count);
    }
}
