//! Converts the verdicts of solvers, and hints, to messages of the API. A verdict without a unique solution can be an error.

use crate::service::errors::ServiceError;
use puzzled_api::{
    board::{Board, KindAndVariant},
    v1 as pb,
};
use puzzled_engine::shared::{
    budget::OutOfBudget,
    step::{Cell, Step},
    text::{Hint, Verdict},
};

/// The maximum number of wrong digits in the message of a hint; the fields have all of them.
const WRONG_NAMED_MAX: usize = 9;

/// `rule` is that of [`PuzzleKind::under_rule`](puzzled_engine::shared::kind::PuzzleKind::under_rule), here and below.
pub(in crate::service) fn verdict(
    board: Board,
    verdict: Verdict,
    rule: &str,
    nodes_max: u64,
) -> Result<pb::ValidateResponse, ServiceError> {
    let answer = |verdict: pb::Verdict, message: String, solutions, cells: &[Cell]| pb::ValidateResponse {
        verdict: verdict.into(),
        message,
        solutions,
        drawing: String::new(),
        links: Vec::new(),
        cells: cells.iter().map(|&cell| board.cell(cell, 0)).collect(),
    };
    Ok(match verdict {
        Verdict::Unique { solution } => {
            answer(pb::Verdict::Unique, "exactly one solution".to_owned(), vec![solution], &[])
        }
        Verdict::NoSolution => answer(pb::Verdict::None, format!("no solution{rule}"), vec![], &[]),
        Verdict::Several { solutions, differ, .. } => {
            let message = format!("more than one solution{rule}; two of them differ in {}", board.names(&differ));
            answer(pb::Verdict::Several, message, solutions.into(), &differ)
        }
        Verdict::Contradiction { cells, reason } => {
            let message = format!("the givens contradict each other: {reason}");
            answer(pb::Verdict::Contradiction, message, vec![], &cells)
        }
        Verdict::SolversDisagree(disagreement) => return Err(ServiceError::SolversDisagree(disagreement)),
        Verdict::Unknown(OutOfBudget::Nodes) => {
            let message = format!("no verdict within {nodes_max} nodes of search");
            answer(pb::Verdict::Unknown, message, vec![], &[])
        }
        Verdict::Unknown(OutOfBudget::Cancelled) => return Err(ServiceError::CallerGone),
    })
}

/// The solution, if there is exactly one. Every other verdict is an error.
pub(in crate::service) fn unique(
    board: Board,
    verdict: Verdict,
    rule: String,
    nodes_max: u64,
) -> Result<String, ServiceError> {
    match verdict {
        Verdict::Unique { solution } => Ok(solution),
        Verdict::NoSolution => Err(ServiceError::NoSolution { rule }),
        Verdict::Several { solutions, differ, .. } => {
            Err(ServiceError::NotUnique { solutions, rule, cells: board.names(&differ) })
        }
        Verdict::Contradiction { cells, reason } => {
            Err(ServiceError::Contradiction { reason, cells: board.names(&cells) })
        }
        Verdict::SolversDisagree(disagreement) => Err(ServiceError::SolversDisagree(disagreement)),
        Verdict::Unknown(OutOfBudget::Nodes) => Err(ServiceError::OutOfBudget { nodes_max }),
        Verdict::Unknown(OutOfBudget::Cancelled) => Err(ServiceError::CallerGone),
    }
}

pub(in crate::service) fn hint(
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
        let one = hint(board, kind, Hint::Wrong(vec![(10, 5)]), 0).unwrap();
        assert_eq!(one.message, "5 in r2c2 contradicts the solution");
        let without = hint(board, kind, Hint::Wrong(vec![(10, 0)]), 0).unwrap();
        assert_eq!(without.message, "the candidates of r2c2 contradict the solution");
        let many = hint(board, kind, Hint::Wrong((0..11).map(|cell| (cell, 1)).collect()), 0).unwrap();
        assert!(many.message.starts_with("1 in r1c1, 1 in r1c2, "), "{}", many.message);
        assert!(many.message.ends_with(", 1 in r1c9 and 2 more contradict the solution"), "{}", many.message);
        assert_eq!((many.wrong.len(), many.wrong[10]), (11, pb::Cell { row: 2, column: 2, digit: 1 }));
    }
}
