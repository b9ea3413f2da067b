//! `Hint`: gets the next step on a player's board, or its wrong digits.

use super::{asked::board_fault, caller_puzzle::CallerPuzzle};
use crate::{
    calls::{Asked, Cancel, Class, Reply, Service, ServiceError},
    wire::Parser,
};
use puzzled_api::{
    board::{Board, KindAndVariant},
    v1 as pb,
};
use puzzled_engine::shared::{
    budget::{Budget, OutOfBudget},
    kind::HintFor,
    step::{Cell, Step},
    text::{Hint, board::PlayerBoard},
};

/// The maximum number of wrong digits in the message of a hint; the fields have all of them.
const WRONG_NAMED_MAX: usize = 9;

impl Service {
    pub(crate) async fn hint(&self, request: &Asked<pb::HintRequest>) -> Reply<pb::HintResponse> {
        let mut parser = Parser::default();
        // Only its length is checked here. The board is parsed later, when the solution is known.
        parser.is_short("board", &request.get_ref().board, &self.settings().limits);
        let puzzle = self.asked(parser, request).await?;
        let pb::HintRequest { board: text, candidates, .. } = request.get_ref().clone();
        let work = move |cancel: &Cancel| hinted(&puzzle, PlayerBoard { text: &text, candidates: &candidates }, cancel);
        self.compute(Class::Short, request, work).await?
    }
}

/// The next step on a board, or its wrong digits. The puzzle must have exactly one solution.
fn hinted(puzzle: &CallerPuzzle, board: PlayerBoard<'_>, cancel: &Cancel) -> Result<pb::HintResponse, ServiceError> {
    let solution = puzzle.solution(cancel)?;
    let hint_for = HintFor { variant: &puzzle.variant, text: &puzzle.text, solution: &solution };
    let mut budget = Budget::new(puzzle.rating_nodes_max, cancel);
    let hint = puzzle.kind.hint(hint_for, board, &mut budget).map_err(board_fault)?;
    hint_message(puzzle.board, (puzzle.kind, &puzzle.variant), hint, puzzle.search_nodes_max)
}

fn hint_message(
    board: Board,
    of: KindAndVariant<'_>,
    hint: Hint,
    nodes_max: u64,
) -> Result<pb::HintResponse, ServiceError> {
    let only = |outcome: pb::HintOutcome, message: &str| pb::HintResponse {
        outcome: outcome.into(),
        message: message.to_owned(),
        ..Default::default()
    };
    match hint {
        Hint::Steps(steps) => next_steps(board, of, steps),
        Hint::Wrong(cells) => Ok(wrong(board, &cells)),
        Hint::Solved => Ok(only(pb::HintOutcome::Solved, "the board is full, and every digit is right")),
        Hint::Stuck => Ok(only(pb::HintOutcome::Stuck, "the techniques that are known here find no step")),
        Hint::Unknown(OutOfBudget::Nodes) => Err(ServiceError::OutOfBudget { nodes_max }),
        Hint::Unknown(OutOfBudget::Cancelled) => Err(ServiceError::CallerGone),
    }
}

fn next_steps(board: Board, of: KindAndVariant<'_>, steps: Vec<Step>) -> Result<pb::HintResponse, ServiceError> {
    let mut steps = steps.into_iter().map(|step| board.step(of, step, &[]));
    let step = steps.next().ok_or_else(|| ServiceError::Internal("a hint of no steps".to_owned()))?;
    Ok(pb::HintResponse {
        outcome: pb::HintOutcome::Step.into(),
        message: step.sentence.clone(),
        step: Some(step),
        following: steps.collect(),
        wrong: Vec::new(),
    })
}

fn wrong(board: Board, cells: &[(Cell, u8)]) -> pb::HintResponse {
    let named = cells.iter().take(WRONG_NAMED_MAX);
    let name = |&(cell, digit): &(Cell, u8)| match digit {
        0 => format!("the candidates of {}", board.names(&[cell])),
        _ => format!("{digit} in {}", board.names(&[cell])),
    };
    let named: Vec<_> = named.map(name).collect();
    let more = match cells.len().saturating_sub(WRONG_NAMED_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let contradict = if matches!(cells, [(_, 1..)]) { "contradicts" } else { "contradict" };
    pb::HintResponse {
        outcome: pb::HintOutcome::Wrong.into(),
        message: format!("{}{more} {contradict} the solution", named.join(", ")),
        wrong: cells.iter().map(|&(cell, digit)| board.cell(cell, digit)).collect(),
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_engine::registry;

    #[test]
    fn wrong_digits_are_named_with_their_cells_up_to_a_limit() {
        let (board, kind) = (Board::of(9), (registry::kind("sudoku").unwrap(), "9x9"));
        let one = hint_message(board, kind, Hint::Wrong(vec![(10, 5)]), 0).unwrap();
        assert_eq!(one.message, "5 in r2c2 contradicts the solution");
        let without = hint_message(board, kind, Hint::Wrong(vec![(10, 0)]), 0).unwrap();
        assert_eq!(without.message, "the candidates of r2c2 contradict the solution");
        let many = hint_message(board, kind, Hint::Wrong((0..11).map(|cell| (cell, 1)).collect()), 0).unwrap();
        assert!(many.message.starts_with("1 in r1c1, 1 in r1c2, "), "{}", many.message);
        assert!(many.message.ends_with(", 1 in r1c9 and 2 more contradict the solution"), "{}", many.message);
        assert_eq!((many.wrong.len(), many.wrong[10]), (11, pb::Cell { row: 2, column: 2, digit: 1 }));
    }
}
