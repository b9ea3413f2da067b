//! Tests that the constraint core and the kernel find the same solutions.

use puzzled_engine::{
    shared::rng::Rng,
    sudoku::{board::Grid, core, kernel::Kernel, make::grids::random_grid},
};

use super::{COUNTS, grids, with_budget};

fn check_solutions_agree(puzzle: &Grid, limit: usize, set: &str) {
    with_budget(u64::MAX, |budget| {
        let mut by_core = core::solutions(puzzle, limit, budget).unwrap();
        let mut by_kernel = Kernel::fastest().solutions(puzzle, limit, budget).unwrap();
        assert_eq!(by_core.len(), by_kernel.len(), "{set}: {puzzle:?}");
        assert_eq!(Kernel::fastest().count(puzzle, limit, budget), Ok(by_kernel.len()), "{set}: {puzzle:?}");
        for solution in by_core.iter().chain(&by_kernel) {
            let kept = puzzle.cells().iter().zip(solution.cells()).all(|(&given, &digit)| [0, digit].contains(&given));
            assert!(kept && solution.givens() == 81 && solution.clash().is_none(), "{set}: {puzzle:?} {solution:?}");
        }
        by_core.sort();
        by_kernel.sort();
        by_core.dedup();
        assert_eq!(by_core.len(), by_kernel.len(), "{set}: {puzzle:?} has a solution twice");
        if by_core.len() < limit {
            assert_eq!(by_core, by_kernel, "{set}: {puzzle:?}");
        }
        let one = core::solve(puzzle, budget).unwrap();
        assert_eq!(one.is_some(), !by_core.is_empty(), "{set}: {puzzle:?}");
    });
}

#[test]
fn core_and_kernel_find_the_same_solutions() {
    for (set, lines, limit) in COUNTS {
        for puzzle in grids(lines) {
            check_solutions_agree(&puzzle, limit, set);
        }
    }
}

#[test]
fn core_and_solver_agree_on_boards_of_few_givens() {
    let mut rng = Rng::from_seed(16);
    for givens in 0..=16 {
        let mut cells: Vec<_> = (0..81).collect();
        rng.shuffle(&mut cells);
        let solution = random_grid(&mut rng);
        let digit = |cell: usize| if cells[..givens].contains(&cell) { solution.cells()[cell] } else { 0 };
        let line: String = (0..81).map(|cell| char::from(b'0' + digit(cell))).collect();
        check_solutions_agree(&Grid::parse(&line).unwrap(), 50, "few givens");
    }
}
