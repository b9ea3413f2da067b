//! Boards of every sort: unique, with many solutions, with none, with clashing givens, empty and full.

use proptest::{collection::vec, prelude::*};
use puzzled::engine::sudoku::{
    board::{Grid, HOUSES},
    rating::{quick, rate, reasoned},
    techniques::{check_steps, reason},
};

/// Each step fills a cell or removes a candidate, so there can be no more than candidates.
const STEPS_MAX: usize = 729;

const SOLUTION: &str = "536748291894152637271369584147295863325816749689437125453621978968574312712983456";

/// Checks whatever has to hold on any board.
fn check(board: &Grid) {
    let steps = reason(board);
    let reasoned = reasoned(board);
    assert!(steps.len() <= STEPS_MAX);
    assert_eq!(steps, reasoned.steps);
    assert_eq!(quick(board), reasoned.record.map(|record| record.rating));
    if board.clash().is_some() {
        assert_eq!((steps.len(), quick(board)), (0, None));
    } else {
        assert_eq!(check_steps(board, &steps), Ok(()));
    }
    let mut end = *board.cells();
    steps.iter().flat_map(|step| &step.placed).for_each(|&(cell, digit)| end[usize::from(cell)] = digit);
    let is_full = !end.contains(&0);
    assert_eq!(quick(board).is_some(), is_full && board.clash().is_none());
    if quick(board).is_some() {
        let is_whole = |house: &[u8; 9]| (1..=9).all(|digit| house.iter().any(|&cell| end[usize::from(cell)] == digit));
        assert!(HOUSES.iter().all(is_whole), "{board:?} ends at {end:?}");
    }
}

fn grid(cells: impl IntoIterator<Item = u8>) -> Grid {
    Grid::parse(&cells.into_iter().map(|digit| char::from(b'0' + digit)).collect::<String>()).unwrap()
}

/// The candidates that are drawn, each placed if it clashes with none before: mostly boards without a solution.
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
    assert_eq!(reason(&Grid::EMPTY), []);
    assert_eq!(quick(&Grid::EMPTY), None);
    let record = rate(&solution, &solution).unwrap();
    assert_eq!((record.rating.0, record.techniques.len()), (0, 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_ladder_ends_on_any_81_digits(cells in vec(prop_oneof![6 => Just(0), 1 => 1..=9u8], 81)) {
        check(&grid(cells));
    }

    #[test]
    fn the_ladder_ends_on_boards_without_a_solution(draws in vec((0..81usize, 1..=9u8), 1..160)) {
        check(&without_clash(&draws));
    }

    #[test]
    fn steps_hold_for_every_solution_that_there_is(kept in vec(any::<bool>(), 81), thinner in 0..3) {
        let solution = Grid::parse(SOLUTION).unwrap();
        let is_thin = |cell: usize| thinner > 0 && cell.is_multiple_of(4) || thinner > 1 && cell.is_multiple_of(3);
        let keeps = |cell: usize| kept[cell] && !is_thin(cell);
        let board = grid((0..81).map(|cell| if keeps(cell) { solution.cells()[cell] } else { 0 }));
        check(&board);
        for step in reason(&board) {
            let digit_of = |cell: u16| solution.cells()[usize::from(cell)];
            prop_assert!(step.placed.iter().all(|&(cell, digit)| digit_of(cell) == digit));
            prop_assert!(step.removed.iter().all(|&(cell, digit)| digit_of(cell) != digit));
        }
    }
}
