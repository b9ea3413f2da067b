//! Tests of the kernel: list of variants, other and n-th solutions, random filling, budgets, and cancelling.
//! `tests/kernel.rs` compares its counts with the constraint core.

use std::sync::atomic::AtomicBool;

use super::*;

const UNIQUE: &str = "1.8..24......6..5..4.8...7...7.2.84.91......5....3.1....6.8.7.3..........94......";

fn each_kernel(nodes_max: u64, check: impl Fn(Kernel, &mut Budget<'_>)) {
    for kernel in Kernel::all() {
        check(kernel, &mut Budget::of_nodes(nodes_max));
    }
}

#[test]
fn all_starts_with_portable_and_ends_with_the_fastest() {
    let all = Kernel::all();
    assert_eq!((all[0].name(), all.last().copied()), ("portable", Some(Kernel::fastest())));
}

#[test]
fn has_other_agrees_with_counting_to_two() {
    each_kernel(1_000_000, |kernel, budget| {
        let puzzle = Grid::parse(UNIQUE).unwrap();
        let solution = kernel.solutions(&puzzle, 2, budget).unwrap()[0];
        for cell in 0..81 {
            let mut thinner = puzzle;
            thinner.0[usize::from(cell)] = 0;
            let two = kernel.count(&thinner, 2, budget).unwrap() == 2;
            assert_eq!(kernel.has_other(&thinner, &solution, &[cell], budget), Ok(two), "cell {cell}");
        }
    });
}

#[test]
fn nth_solution_is_the_nth_in_order() {
    each_kernel(1_000_000, |kernel, budget| {
        let mut puzzle = Grid::parse(UNIQUE).unwrap();
        (puzzle.0[0], puzzle.0[2]) = (0, 0);
        let all = kernel.solutions(&puzzle, 10_000, budget).unwrap();
        assert!(all.len() > 2 && all.len() < 10_000, "{}", all.len());
        for number in [0, 1, all.len() - 1, all.len()] {
            assert_eq!(kernel.nth_solution(&puzzle, number, budget), Ok(all.get(number).copied()));
        }
    });
}

#[test]
fn all_1728_grids_of_a_nearly_full_board_are_found_once() {
    // Two bands that repeat each other: rows 7 to 9 can be written in every way that their columns allow.
    each_kernel(1_000_000, |kernel, budget| {
        let start = "123456789456789123789123456231564897564897231897231564...........................";
        let mut all = kernel.solutions(&Grid::parse(start).unwrap(), 100_000, budget).unwrap();
        let found = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!((all.len(), found), (1728, 1728));
        assert!(all.iter().all(|grid| grid.givens() == 81 && grid.clash().is_none()));
    });
}

#[test]
fn fill_returns_a_solution() {
    let mut rng = Rng::from_seed(31);
    for kernel in Kernel::all() {
        let filled = kernel.fill(&Grid::EMPTY, &mut rng).unwrap();
        assert_eq!((filled.givens(), filled.clash()), (81, None));
    }
}

#[test]
fn exhausted_budget_is_not_an_answer() {
    each_kernel(3, |kernel, budget| {
        assert_eq!(kernel.count(&Grid::EMPTY, 1000, budget), Err(OutOfBudget::Nodes));
    });
}

#[test]
fn cancel_flag_ends_the_search() {
    let raised = AtomicBool::new(true);
    for kernel in Kernel::all() {
        let mut budget = Budget::new(1000, &raised);
        assert_eq!(kernel.count(&Grid::EMPTY, 1000, &mut budget), Err(OutOfBudget::Cancelled));
    }
}
