//! Checks hints on boards with pencil marks: the checker proves each step from the player's candidates.

use puzzled_engine::{
    shared::{
        kind::{HintFor, PuzzleKind},
        rng::Rng,
        step::Step,
        text::{Hint, board::PlayerBoard},
    },
    sudoku::{
        Sudoku,
        board::Grid,
        techniques::{check_hint, reason},
    },
};

use super::{
    reference::{is_soak, sample},
    with_budget,
};

/// Boards without and with `PUZZLED_SOAK=1`.
const BOARDS: [usize; 2] = [100, 1_000];

#[test]
fn steps_follow_from_candidates_of_which_any_wrong_ones_are_removed() {
    let puzzles = sample();
    let boards = BOARDS[usize::from(is_soak())];
    let mut with_removals = 0;
    for index in 0..boards {
        let row = &puzzles[index * puzzles.len() / boards];
        let mut rng = Rng::from_seed(index as u64);
        let before = some_steps(&row.puzzle, &mut rng);
        let board = board_after(&row.puzzle, &before);
        let candidates = marks(&board, &row.solution, &before, &mut rng);
        let texts = [row.puzzle, row.solution, board].map(|grid| grid.dotted());
        let puzzle = HintFor { variant: "9x9", text: &texts[0], solution: &texts[1] };
        let on_board = PlayerBoard { text: &texts[2], candidates: &candidates };
        match with_budget(|budget| Sudoku.hint(puzzle, on_board, budget)).unwrap() {
            Hint::Steps(steps) => {
                assert_eq!(check_hint(&board, &candidates, &steps), Ok(()), "{texts:?} {candidates:?}");
                with_removals += usize::from(!steps[0].removed.is_empty());
            }
            Hint::Solved | Hint::Stuck | Hint::Unknown(_) => {}
            Hint::Wrong(wrong) => panic!("{texts:?} {candidates:?}: {wrong:?}"),
        }
    }
    assert!(with_removals > boards / 4, "{with_removals} hints begin with a removal");
}

/// The steps of a puzzle before one that removes candidates, if there is one.
fn some_steps(puzzle: &Grid, rng: &mut Rng) -> Vec<Step> {
    let mut steps = with_budget(|budget| reason(puzzle, budget));
    let removing: Vec<_> = (0..steps.len()).filter(|&step| steps[step].placed.is_empty()).collect();
    steps.truncate(if removing.is_empty() { 0 } else { removing[rng.index(removing.len())] });
    steps
}

fn board_after(puzzle: &Grid, steps: &[Step]) -> Grid {
    let mut digits = *puzzle.cells();
    steps.iter().flat_map(|step| &step.placed).for_each(|&(cell, digit)| digits[usize::from(cell)] = digit);
    Grid::parse(&digits.map(|digit| char::from(b'0' + digit)).iter().collect::<String>()).unwrap()
}

/// Pencil marks of most empty cells. They lack most of the candidates that the steps removed, and a few other wrong ones.
fn marks(board: &Grid, solution: &Grid, steps: &[Step], rng: &mut Rng) -> Vec<u32> {
    let removed: Vec<_> = steps.iter().flat_map(|step| &step.removed).copied().collect();
    let percent = rng.below(5);
    let mut keeps = |cell: u16, digit: u8| {
        let gone = if removed.contains(&(cell, digit)) { 80 } else { percent };
        digit == solution.cells()[usize::from(cell)] || rng.below(100) >= gone
    };
    let mut of_cell = |(cell, &digit): (u16, &u8)| {
        if digit != 0 { 0 } else { (1..=9).filter(|&other| keeps(cell, other)).map(|other| 1 << other).sum() }
    };
    (0..).zip(board.cells()).map(|cell| if cell.0 % 7 == 0 { 0 } else { of_cell(cell) }).collect()
}
