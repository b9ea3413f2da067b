//! Tests that the constraint core and the kernel find the same solutions, and that each part of the core saves search nodes.

use puzzled_engine::{
    csp::{Config, Search, Strength, Values, Variables},
    rng::Rng,
    sudoku::{board::Grid, core, grids::random_grid, kernel::Kernel},
};

use super::{COUNTS, TOP, grids, halved, with_budget};

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
fn core_and_solver_agree_on_boards_of_few_clues() {
    let mut rng = Rng::from_seed(16);
    for clues in 0..=16 {
        let mut cells: Vec<_> = (0..81).collect();
        rng.shuffle(&mut cells);
        let solution = random_grid(&mut rng);
        let digit = |cell: usize| if cells[..clues].contains(&cell) { solution.cells()[cell] } else { 0 };
        let line: String = (0..81).map(|cell| char::from(b'0' + digit(cell))).collect();
        check_solutions_agree(&Grid::parse(&line).unwrap(), 50, "few clues");
    }
}

/// Nodes that the core uses on a set of puzzles. It stops at each puzzle after `solutions` solutions or 20,000 nodes.
fn nodes(puzzles: &[Grid], solutions: usize, config: Config) -> u64 {
    let of_puzzle = |puzzle: &Grid| {
        with_budget(20_000, |budget| {
            let model = core::model(puzzle);
            let mut search = Search::new(&model, config);
            for _ in 0..solutions {
                if !matches!(search.next_solution(budget), Ok(Some(_))) {
                    break;
                }
            }
            budget.nodes_used()
        })
    };
    puzzles.iter().map(of_puzzle).sum()
}

#[test]
fn each_part_of_the_core_saves_nodes() {
    let full = Config::COUNTING;
    let forward = Config { strength: Strength::Forward, ..full };
    let check = Config { strength: Strength::Check, ..full };
    let in_order = |config| Config { variables: Variables::InOrder, ..config };
    let finding = |config| Config { values: Values::LeastConstraining, ..config };
    let easy: Vec<_> = grids(COUNTS[0].1).collect();
    let minimal: Vec<_> = grids(COUNTS[1].1).collect();
    let hard: Vec<_> = grids(TOP).collect();
    let half_empty: Vec<_> =
        COUNTS.iter().flat_map(|(_, lines, _)| grids(lines)).map(|puzzle| halved(&puzzle)).collect();
    // The part and its setting, the puzzles, the wanted number of solutions, and the configuration with and without the part.
    let cases = [
        ("fewest values first, full propagation", &hard, 2, full, in_order(full)),
        ("fewest values first, forward checking", &easy, 2, forward, in_order(forward)),
        ("fewest values first, forward checking", &minimal, 2, forward, in_order(forward)),
        ("least constraining value first, forward checking", &half_empty, 1, finding(forward), forward),
        ("the same, variables in order", &half_empty, 1, finding(in_order(forward)), in_order(forward)),
        ("full propagation, forward checking instead", &hard, 2, full, forward),
        ("forward checking, checks instead", &easy, 2, forward, check),
    ];
    for (what, puzzles, solutions, with, without) in cases {
        let [with, without] = [with, without].map(|config| nodes(puzzles, solutions, config));
        assert!(with < without, "{what}: {with} nodes with it, {without} without");
    }
}
