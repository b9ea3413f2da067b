//! Hints for a player: the wrong digits on a half-filled board, or the steps to the next digit.

use super::{board::Grid, techniques::to_next_digit};
use crate::shared::{budget::Budget, text::Hint};

/// The hint for a board of a puzzle with this solution. Givens that the board lacks are filled in first.
pub(super) fn hint(puzzle: &Grid, solution: &Grid, board: &Grid, budget: &mut Budget<'_>) -> Hint {
    let at = |cell: usize| if board.cells()[cell] == 0 { puzzle.cells()[cell] } else { board.cells()[cell] };
    let board = Grid(std::array::from_fn(at));
    let digits = board.cells().iter().zip(solution.cells());
    let cells = (0..).zip(digits).map(|(cell, (&digit, &right))| (cell, digit, right));
    Hint::of(cells, || to_next_digit(&board, budget))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{shared::budget::OutOfBudget, sudoku::board::CELLS};

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn of(puzzle: &str, board: &str) -> Hint {
        within(u64::MAX, puzzle, board)
    }

    fn within(nodes_max: u64, puzzle: &str, board: &str) -> Hint {
        let [puzzle, solution, board] = [puzzle, SOLUTION, board].map(|text| Grid::parse(text).unwrap());
        hint(&puzzle, &solution, &board, &mut Budget::of_nodes(nodes_max))
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
