//! Fuzz target: Sudoku boards with one solution, several, or none, and boards with clashing givens. Runs all operations of the
//! engine on them and checks the results.
#![no_main]

use fuzz::{Asked, Choices, in_time};
use libfuzzer_sys::fuzz_target;
use puzzled_engine::{shared::{budget::Budget, rng::Rng}, sudoku::{Sudoku, board::{CELLS, Grid}, make::grids::random_grid, hodoku, kernel::Kernel, rate::rating, techniques::check_steps}};

/// Nodes per operation: about a tenth of a second of work.
const NODES_MAX: u64 = 100_000;

/// Most cells that are changed in a board made from a full grid.
const CHANGED_MAX: usize = 4;

fuzz_target!(|data: &[u8]| in_time(|| look(data)));

fn look(data: &[u8]) {
    let text = board(&mut Choices(data));
    let grid = Grid::parse(&text).expect("81 signs");
    let asked = Asked { kind: &Sudoku, variant: "9x9", text: &text, nodes_max: NODES_MAX, rates_solvable_only: true };
    let answered = asked.ask(digit_at);
    check_steps(&grid, &answered.steps).unwrap_or_else(|fault| panic!("{fault:?} of {:?}", answered.steps[fault.step]));
    let outcome = rating::outcome(&grid, &mut Budget::of_nodes(NODES_MAX));
    assert_eq!(matches!(outcome, rating::Outcome::Clash), grid.clash().is_some());
    let _ = hodoku::rate(&grid, &mut Budget::of_nodes(NODES_MAX));
    if let Some(solution) = answered.solution {
        asked.hint(&solution, &half_filled(&text, &solution, data), digit_at);
    }
}

fn digit_at(solution: &str, cell: u16) -> u8 {
    solution.as_bytes()[usize::from(cell)] - b'0'
}

/// A board. The first choice decides how it is made: from random digits, from some cells of a full grid, or from a full grid
/// thinned while the solution stays unique. Then some cells may be changed.
fn board(choices: &mut Choices<'_>) -> String {
    let way = choices.below(4);
    let mut signs: Vec<u8> = match way {
        0 => (0..CELLS).map(|_| sign(choices.byte() & 31)).collect(),
        1 => some_of(choices).into_bytes(),
        _ => thinned(choices).into_bytes(),
    };
    // Without this, most boards would have no solution.
    if way != 2 {
        for _ in 0..choices.below(CHANGED_MAX + 1) {
            let cell = choices.below(CELLS);
            signs[cell] = sign(choices.byte() % 12);
        }
    }
    String::from_utf8(signs).expect("digits and points")
}

fn sign(number: u8) -> u8 {
    if (1..=9).contains(&number) { b'0' + number } else { b'.' }
}

fn full(choices: &mut Choices<'_>) -> Grid {
    let seed = u64::from(choices.byte()) << 8 | u64::from(choices.byte());
    random_grid(&mut Rng::from_seed(seed))
}

fn some_of(choices: &mut Choices<'_>) -> String {
    let line = full(choices).line();
    let kept: Vec<u8> = (0..=CELLS / 8).map(|_| choices.byte()).collect();
    let is_kept = |cell: usize| kept[cell / 8] >> (cell % 8) & 1 == 1;
    line.chars().enumerate().map(|(cell, sign)| if is_kept(cell) { sign } else { '.' }).collect()
}

fn thinned(choices: &mut Choices<'_>) -> String {
    let mut text = full(choices).line();
    let mut order: Vec<usize> = (0..CELLS).collect();
    for at in (1..CELLS).rev() {
        order.swap(at, choices.below(at + 1));
    }
    let tried = 40 + choices.below(CELLS - 39);
    for cell in &order[..tried] {
        let mut less = text.clone();
        less.replace_range(cell..=cell, ".");
        let grid = Grid::parse(&less).expect("81 signs");
        if Kernel::fastest().count(&grid, 2, &mut Budget::of_nodes(NODES_MAX)) == Ok(1) {
            text = less;
        }
    }
    text
}

/// The puzzle with some cells filled in, correctly or not.
fn half_filled(text: &str, solution: &str, data: &[u8]) -> String {
    let mut signs = text.as_bytes().to_vec();
    for (&byte, cell) in data.iter().rev().zip((0..CELLS).rev()) {
        match byte % 8 {
            0 | 1 => signs[cell] = solution.as_bytes()[cell],
            7 if byte > 240 => signs[cell] = sign(byte % 10),
            _ => {}
        }
    }
    String::from_utf8(signs).expect("digits and points")
}
