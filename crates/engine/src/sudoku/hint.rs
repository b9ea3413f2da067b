//! Hints for a player: the wrong digits on a half-filled board, or the steps to the next digit.

use super::{
    board::{CELLS, Grid},
    techniques::to_next_digit,
};
use crate::{budget::Budget, step::Cell, text::Hint};

/// The hint for a board of a puzzle with this solution. Givens that the board lacks are filled in first.
pub(super) fn hint(puzzle: &Grid, solution: &Grid, board: &Grid, budget: &mut Budget<'_>) -> Hint {
    let at = |cell: usize| if board.cells()[cell] == 0 { puzzle.cells()[cell] } else { board.cells()[cell] };
    let board = Grid(std::array::from_fn(at));
    let wrong: Vec<_> = (0..CELLS).filter_map(|cell| wrong_digit(&board, solution, cell)).collect();
    if !wrong.is_empty() {
        return Hint::Wrong(wrong);
    }
    if board == *solution {
        return Hint::Solved;
    }
    match to_next_digit(&board, budget) {
        Ok(steps) if steps.is_empty() => Hint::Stuck,
        Ok(steps) => Hint::Steps(steps),
        Err(why) => Hint::Unknown(why),
    }
}

fn wrong_digit(board: &Grid, solution: &Grid, cell: usize) -> Option<(Cell, u8)> {
    let (digit, right) = (board.cells()[cell], solution.cells()[cell]);
    (digit != 0 && digit != right).then(|| (Cell::try_from(cell).expect("a grid has 81 cells"), digit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::OutOfBudget;

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn of(puzzle: &str, board: &str) -> Hint {
        within(u64::MAX, puzzle, board)
    }

    fn within(nodes_max: u64, puzzle: &str, board: &str) -> Hint {
        let [puzzle, solution, board] = [puzzle, SOLUTION, board].map(|text| Grid::parse(text).unwrap());
        let never = false.into();
        hint(&puzzle, &solution, &board, &mut Budget::new(nodes_max, &never))
    }

    #[test]
    fn steps_end_with_the_first_placement_and_lead_to_the_solution() {
        let mut board = PUZZLE.to_owned();
        for _ in 0..CELLS {
            let steps = match of(PUZZLE, &board) {
                Hint::Steps(steps) => steps,
                Hint::Solved => break,
                other => panic!("{board}: {other:?}"),
            };
            let (last, before) = steps.split_last().unwrap();
            assert!(before.iter().all(|step| step.placed.is_empty()) && last.placed.len() == 1, "{steps:?}");
            let (cell, digit) = (usize::from(last.placed[0].0), last.placed[0].1.to_string());
            board.replace_range(cell..=cell, &digit);
        }
        assert_eq!(board, SOLUTION);
    }

    #[test]
    fn every_wrong_digit_is_named_even_on_a_given() {
        let mut board = PUZZLE.replacen("53..", "6.42", 1);
        assert_eq!(of(PUZZLE, &board), Hint::Wrong(vec![(0, 6), (3, 2)]));
        board.replace_range(0..1, "5");
        board.replace_range(3..4, ".");
        assert!(matches!(of(PUZZLE, &board), Hint::Steps(_)), "a given that is left out counts as filled in");
    }

    #[test]
    fn hint_beyond_the_budget_is_unknown() {
        let few = format!("{}{}", &SOLUTION[..18], ".".repeat(63));
        assert_eq!(within(10_000, &few, &few), Hint::Unknown(OutOfBudget::Nodes));
    }
}
