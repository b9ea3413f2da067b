//! The hint on a board that a caller brings with its puzzle.

use super::{
    brought::{Brought, Cancel, unread},
    compute::NODES_MAX,
    errors::ServiceError,
    parse::Checks,
};
use crate::proto::v1 as pb;
use puzzled_engine::{budget::Budget, kind::HintFor};

/// The next step on a board, or what is wrong with it. The puzzle must have exactly one solution.
pub(super) fn hint(brought: &Brought, board: &str, cancel: &Cancel) -> Result<pb::HintResponse, ServiceError> {
    let solution = brought.solution(cancel)?;
    let puzzle = HintFor { variant: &brought.variant, text: &brought.text, solution: &solution };
    let hint =
        brought.kind.hint(puzzle, board, &mut Budget::new(brought.rating_nodes_max, cancel)).map_err(|error| {
            // The puzzle itself was read before, so what cannot be read is the board.
            let mut checks = Checks::default();
            checks.refuse_text("board", &error);
            checks.done().err().unwrap_or_else(|| unread(&error))
        })?;
    brought.board.hint(hint, NODES_MAX)
}
