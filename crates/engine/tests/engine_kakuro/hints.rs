//! Checks hints on boards with pencil marks: the checker proves each step from the player's candidates. With
//! `PUZZLED_SOAK=1`, the test takes 1,000 boards.

use puzzled_engine::{
    kakuro::{
        Kakuro,
        board::Digit,
        notation::text::{self, write_board},
        techniques::check_hint,
    },
    shared::{
        budget::Budget,
        kind::{HintFor, PuzzleKind},
        rng::Rng,
        text::{Hint, board::PlayerBoard},
    },
};

use crate::{levels, mixed};

/// Boards without and with `PUZZLED_SOAK=1`.
const BOARDS: [usize; 2] = [100, 1_000];

#[test]
fn steps_follow_from_candidates_of_which_any_wrong_ones_are_removed() {
    let puzzles: Vec<_> = mixed().into_iter().chain(levels()).map(|(_, made)| made).collect();
    let boards = BOARDS[usize::from(is_soak())];
    let mut with_removals = 0;
    for index in 0..boards {
        let made = &puzzles[index % puzzles.len()];
        let mut rng = Rng::from_seed(index as u64);
        let solution = text::parse_board(&made.solution).unwrap();
        let percent = rng.below(60);
        let digits: Vec<Digit> =
            solution.digits.iter().map(|&right| if rng.below(100) < percent { right } else { 0 }).collect();
        let layout = solution.puzzle.layout();
        let mut candidates = vec![0; layout.width() * layout.height()];
        for (white, &cell) in layout.cells().iter().enumerate().filter(|(white, _)| digits[*white] == 0) {
            candidates[usize::from(cell)] = marks(solution.digits[white], &mut rng);
        }
        let board = write_board(&solution.puzzle, &digits);
        let puzzle = HintFor { variant: "", text: &made.text, solution: &made.solution };
        let on_board = PlayerBoard { text: &board, candidates: &candidates };
        match Kakuro.hint(puzzle, on_board, &mut Budget::of_nodes(1_000_000)).unwrap() {
            Hint::Steps(steps) => {
                let mut budget = Budget::of_nodes(10_000_000);
                let proved = check_hint(&solution.puzzle, &digits, &candidates, &steps, &mut budget);
                assert_eq!(proved, Ok(()), "{board} {candidates:?}");
                with_removals += usize::from(!steps[0].removed.is_empty());
            }
            Hint::Solved | Hint::Stuck | Hint::Unknown(_) => {}
            Hint::Wrong(wrong) => panic!("{board} {candidates:?}: {wrong:?}"),
        }
    }
    assert!(with_removals > boards / 20, "{with_removals} hints begin with a removal");
}

/// Pencil marks of an empty cell, from which some digits that are not right are missing, or none.
fn marks(right: Digit, rng: &mut Rng) -> u32 {
    if rng.below(3) == 0 {
        return 0;
    }
    (1..=9).filter(|&other| other == right || rng.below(4) != 0).map(|other| 1 << other).sum()
}

#[expect(clippy::disallowed_methods, reason = "a soak test is asked for by the environment")]
fn is_soak() -> bool {
    std::env::var("PUZZLED_SOAK").is_ok_and(|soak| soak == "1")
}
