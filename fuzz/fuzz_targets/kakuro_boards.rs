//! Fuzz target: small Kakuro boards with one solution, several, or none. Asks the engine for verdict, steps, rating,
//! canonical form, drawing, view, and hint, and checks the results.
#![no_main]

use fuzz::{Asked, Choices, in_time};
use libfuzzer_sys::fuzz_target;
use puzzled_engine::{shared::budget::Budget, kakuro::{Kakuro, board::{Digit, Puzzle}, layout::{Direction, Layout, Run}, techniques::check_steps, notation::text}};

/// Nodes per operation: less than a second of work.
const NODES_MAX: u64 = 1_000;

/// Longest side of a board, in cells; the shortest is 3.
const SIDE_MAX: usize = 8;

fuzz_target!(|data: &[u8]| in_time(|| look(data)));

fn look(data: &[u8]) {
    let mut choices = Choices(data);
    let Some(layout) = layout(&mut choices) else { return };
    let written = match filled(&layout, &mut choices) {
        Some(digits) => text::write(&Puzzle::of_solution(layout.clone(), &digits)),
        None => with_sums(&layout, &mut choices),
    };
    let Ok(puzzle) = text::parse(&written) else { return };
    let asked = Asked { kind: &Kakuro, variant: "", text: &written, nodes_max: NODES_MAX, rates_solvable_only: true };
    let digit_at = |solution: &str, cell: u16| {
        let white = layout.cells().iter().position(|&other| other == cell).expect("a white cell");
        text::parse_board(solution).expect("a solution").digits[white]
    };
    let answered = asked.ask(digit_at);
    check_steps(&puzzle, &answered.steps, &mut Budget::of_nodes(1_000_000))
        .unwrap_or_else(|fault| panic!("{fault:?} of {:?}", answered.steps[fault.step]));
    if let Some(solution) = answered.solution {
        let right = text::parse_board(&solution).expect("a solution").digits;
        let digits: Vec<Digit> = right.iter().map(|&digit| some(digit, choices.byte())).collect();
        asked.hint(&solution, &text::write_board(&puzzle, &digits), digit_at);
    }
}

/// Chooses an empty cell, the right digit, or sometimes another digit.
fn some(digit: Digit, choice: u8) -> Digit {
    match choice {
        250.. => choice % 10,
        128..250 => digit,
        _ => 0,
    }
}

/// A layout with random white cells. A cell that would form a run of one cell becomes a block. `None` if the layout is not valid.
fn layout(choices: &mut Choices<'_>) -> Option<Layout> {
    let (width, height) = (3 + choices.below(SIDE_MAX - 2), 3 + choices.below(SIDE_MAX - 2));
    let mut white = vec![false; width * height];
    for row in 1..height {
        let of_row = choices.byte();
        (1..width).for_each(|column| white[row * width + column] = of_row >> (column - 1) & 1 == 0);
    }
    loop {
        let has = |cell: usize| white.get(cell).copied().unwrap_or(false);
        // The index after a row's last cell is the next row's first cell, which is never white.
        let alone = |&cell: &usize| {
            has(cell) && (!(has(cell + 1) || has(cell - 1)) || !(has(cell + width) || has(cell - width)))
        };
        let Some(cell) = (width + 1..white.len()).find(alone) else { break };
        white[cell] = false;
    }
    Layout::new(width, height, &white).ok()
}

/// Digits that differ within each run. `None` for about a fifth of the inputs, whose boards get random sums, and if a cell has no possible
/// digit.
fn filled(layout: &Layout, choices: &mut Choices<'_>) -> Option<Vec<Digit>> {
    if choices.byte() >= 200 {
        return None;
    }
    let mut digits = vec![0; layout.cells().len()];
    for white in 0..digits.len() {
        let peers = layout.runs_of(white).map(|run| layout.runs()[run].whites());
        let taken = |digit: &Digit| peers.iter().any(|run| run.iter().any(|&peer| digits[usize::from(peer)] == *digit));
        let free: Vec<Digit> = (1..=9).filter(|digit| !taken(digit)).collect();
        digits[white] = *free.get(choices.below(free.len().max(1)))?;
    }
    Some(digits)
}

/// A text of the layout with random sums that fit the lengths of its runs.
fn with_sums(layout: &Layout, choices: &mut Choices<'_>) -> String {
    let mut clues = vec![[None; 2]; layout.width() * layout.height()];
    for Run { direction, clue_at, .. } in layout.runs() {
        clues[usize::from(*clue_at)][usize::from(*direction == Direction::Down)] = Some(0);
    }
    for run in layout.runs() {
        // The lowest digits give the least sum, the highest ones the greatest.
        let len = run.whites().len();
        let min = len * (len + 1) / 2;
        let sum = min + choices.below(len * (9 - len) + 1);
        clues[usize::from(run.clue_at)][usize::from(run.direction == Direction::Down)] = Some(sum);
    }
    let side = |clue: Option<usize>| clue.map_or_else(String::new, |sum| sum.to_string());
    let sign = |(white, [across, down]): (bool, [Option<usize>; 2])| match (white, across, down) {
        (true, ..) => ".".to_owned(),
        (false, None, None) => "#".to_owned(),
        (false, ..) => format!("{}\\{}", side(across), side(down)),
    };
    let signs: Vec<_> = layout.signs().into_iter().zip(clues).map(sign).collect();
    signs.chunks(layout.width()).map(|row| row.join(" ")).collect::<Vec<_>>().join("\n")
}
