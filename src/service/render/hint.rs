//! Converts hints to messages of the API: the next steps, or the wrong digits.

use super::solution::Board;
use crate::{proto::v1 as pb, service::errors::ServiceError};
use puzzled_engine::shared::{
    budget::OutOfBudget,
    step::{Cell, Step},
    text::Hint,
};

/// The maximum number of wrong digits in the message; the fields have all of them.
const NAMED_MAX: usize = 9;

impl Board {
    pub(in crate::service) fn hint(self, hint: Hint, nodes_max: u64) -> Result<pb::HintResponse, ServiceError> {
        let only = |outcome: pb::HintOutcome, message: &str| pb::HintResponse {
            outcome: outcome.into(),
            message: message.to_owned(),
            ..Default::default()
        };
        match hint {
            Hint::Steps(steps) => self.next_steps(steps),
            Hint::Wrong(cells) => Ok(self.wrong(&cells)),
            Hint::Solved => Ok(only(pb::HintOutcome::Solved, "the board is full, and every digit is right")),
            Hint::Stuck => Ok(only(pb::HintOutcome::Stuck, "the techniques that are known here find no step")),
            Hint::Unknown(OutOfBudget::Nodes) => Err(ServiceError::OutOfBudget { nodes_max }),
            Hint::Unknown(OutOfBudget::Cancelled) => Err(ServiceError::CallerGone),
        }
    }

    fn next_steps(self, steps: Vec<Step>) -> Result<pb::HintResponse, ServiceError> {
        let mut steps = steps.into_iter().map(|step| self.step(step, &[]));
        let step = steps.next().ok_or_else(|| ServiceError::Internal("a hint of no steps".to_owned()))?;
        Ok(pb::HintResponse {
            outcome: pb::HintOutcome::Step.into(),
            message: step.sentence.clone(),
            step: Some(step),
            following: steps.collect(),
            wrong: Vec::new(),
        })
    }

    fn wrong(self, cells: &[(Cell, u8)]) -> pb::HintResponse {
        let named = cells.iter().take(NAMED_MAX);
        let named: Vec<_> = named.map(|&(cell, digit)| format!("{digit} in {}", self.names(&[cell]))).collect();
        let more = match cells.len().saturating_sub(NAMED_MAX) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let contradict = if cells.len() == 1 { "contradicts" } else { "contradict" };
        pb::HintResponse {
            outcome: pb::HintOutcome::Wrong.into(),
            message: format!("{}{more} {contradict} the solution", named.join(", ")),
            wrong: cells.iter().map(|&(cell, digit)| self.cell(cell, digit)).collect(),
            ..Default::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_digits_are_named_with_their_cells_up_to_a_limit() {
        let board = Board::of(9);
        let one = board.hint(Hint::Wrong(vec![(10, 5)]), 0).unwrap();
        assert_eq!(one.message, "5 in r2c2 contradicts the solution");
        let many = board.hint(Hint::Wrong((0..11).map(|cell| (cell, 1)).collect()), 0).unwrap();
        assert!(many.message.starts_with("1 in r1c1, 1 in r1c2, "), "{}", many.message);
        assert!(many.message.ends_with(", 1 in r1c9 and 2 more contradict the solution"), "{}", many.message);
        assert_eq!((many.wrong.len(), many.wrong[10]), (11, pb::Cell { row: 2, column: 2, digit: 1 }));
    }
}
