//! Property tests of the ladder over random boards, with one solution, several, or none: it ends, each step follows
//! from its pattern, and steps hold for every solution unless they assume that there is only one.

use std::sync::atomic::AtomicBool;

use proptest::{collection::vec, prelude::*};
use puzzled_engine::{
    shared::{
        budget::{Budget, OutOfBudget},
        step::Step,
    },
    sudoku::{
        board::{Grid, HOUSES},
        rate::{
            rating::{Outcome, outcome},
            record::rate,
        },
        techniques::{check_steps, reason},
    },
};

/// Most steps of a solution. Each step fills a cell or removes a candidate, and there are 729 candidates.
const STEPS_MAX: usize = 729;

const SOLUTION: &str = "536748291894152637271369584147295863325816749689437125453621978968574312712983456";

/// Nodes for one board: enough for single chains and for some chains with several branches.
const NODES: u64 = 20_000;

fn with_budget<T>(work: impl FnOnce(&mut Budget<'_>) -> T) -> T {
    work(&mut Budget::new(NODES, &AtomicBool::new(false)))
}

/// Checks the properties that hold on every board.
fn check(board: &Grid) {
    let steps = with_budget(|budget| reason(board, budget));
    let outcome = with_budget(|budget| outcome(board, budget));
    assert!(steps.len() <= STEPS_MAX);
    if board.clash().is_some() {
        assert_eq!((steps.len(), outcome), (0, Outcome::Clash));
        return;
    }
    // On a board with several solutions, steps by uniqueness techniques may be wrong, but still follow from their patterns.
    assert_eq!(check_steps(board, &steps), Ok(()), "{board:?}");
    let hardest = steps.iter().map(|step| step.rating).max().unwrap_or_default();
    let mut end = *board.cells();
    steps.iter().flat_map(|step| &step.placed).for_each(|&(cell, digit)| end[usize::from(cell)] = digit);
    match outcome {
        Outcome::Rated(ratings) => {
            let is_whole =
                |house: &[u8; 9]| (1..=9).all(|digit| house.iter().any(|&cell| end[usize::from(cell)] == digit));
            assert!(HOUSES.iter().all(is_whole), "{board:?} ends at {end:?}");
            assert_eq!(ratings.er, hardest);
        }
        Outcome::Stuck(ratings) => assert_eq!((ratings.er, end.contains(&0)), (hardest, true)),
        Outcome::OutOfBudget { why, at_least } => {
            assert!(why == OutOfBudget::Nodes && at_least.er >= hardest && end.contains(&0));
        }
        Outcome::Clash | Outcome::Harder(_) => panic!("{board:?} has no clash, and no limit was given"),
    }
}

fn grid(cells: impl IntoIterator<Item = u8>) -> Grid {
    Grid::parse(&cells.into_iter().map(|digit| char::from(b'0' + digit)).collect::<String>()).unwrap()
}

/// Places the drawn digits in order, except those that clash with earlier ones. Most of these boards have no solution.
fn without_clash(draws: &[(usize, u8)]) -> Grid {
    let place = |board: Grid, &(cell, digit): &(usize, u8)| {
        let mut cells = *board.cells();
        cells[cell] = digit;
        let next = grid(cells);
        if next.clash().is_none() { next } else { board }
    };
    draws.iter().fold(Grid::EMPTY, place)
}

#[test]
fn the_empty_board_has_no_step_and_a_full_one_needs_none() {
    let solution = Grid::parse(SOLUTION).unwrap();
    check(&Grid::EMPTY);
    check(&solution);
    assert_eq!(with_budget(|budget| reason(&Grid::EMPTY, budget)), []);
    let record = with_budget(|budget| rate(&solution, &solution, budget)).unwrap();
    assert_eq!((record.rating.0, record.techniques.len()), (0, 0));
}

/// Whether a step holds only on boards with one solution.
fn assumes_one_solution(step: &Step) -> bool {
    step.technique.starts_with("Unique") || step.technique.starts_with("Bivalue")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn the_ladder_ends_on_any_81_digits(cells in vec(prop_oneof![6 => Just(0), 1 => 1..=9u8], 81)) {
        check(&grid(cells));
    }

    #[test]
    fn the_ladder_ends_on_boards_without_a_solution(draws in vec((0..81usize, 1..=9u8), 1..160)) {
        check(&without_clash(&draws));
    }

    #[test]
    fn steps_hold_for_every_solution(kept in vec(any::<bool>(), 81), thinner in 0..3) {
        let solution = Grid::parse(SOLUTION).unwrap();
        let is_thin = |cell: usize| thinner > 0 && cell.is_multiple_of(4) || thinner > 1 && cell.is_multiple_of(3);
        let keeps = |cell: usize| kept[cell] && !is_thin(cell);
        let board = grid((0..81).map(|cell| if keeps(cell) { solution.cells()[cell] } else { 0 }));
        check(&board);
        // After a step that assumes one solution, later steps need not agree with any solution of the board.
        let steps = with_budget(|budget| reason(&board, budget));
        for step in steps.iter().take_while(|step| !assumes_one_solution(step)) {
            let digit_of = |cell: u16| solution.cells()[usize::from(cell)];
            prop_assert!(step.placed.iter().all(|&(cell, digit)| digit_of(cell) == digit));
            prop_assert!(step.removed.iter().all(|&(cell, digit)| digit_of(cell) != digit));
        }
    }
}
