//! `WithdrawPuzzle`: removes a puzzle from circulation permanently.

use crate::{
    calls::{Asked, Reply, Service, ServiceError, actor_of},
    puzzles::puzzle_message,
    wire::Parser,
};
use puzzled_api::{puzzle::Include, v1 as pb};
use puzzled_base::ids::PuzzleId;

impl Service {
    pub(crate) async fn withdraw_puzzle(
        &self,
        request: &Asked<pb::WithdrawPuzzleRequest>,
    ) -> Reply<pb::WithdrawPuzzleResponse> {
        let by = actor_of(request, "WithdrawPuzzle")?;
        let request = request.get_ref();
        let id = parse(request)?;
        let withdrawn = self.stock.store().withdraw(id, &request.reason, &by).await?;
        let puzzle = withdrawn.ok_or(ServiceError::PuzzleNotFound(request.id.clone()))?;
        tracing::info!(puzzle = %puzzle.id, reason = request.reason, "puzzle withdrawn");
        let include = Include { record: request.include_record, ..Include::default() };
        let puzzle = Some(puzzle_message(puzzle, include)?);
        Ok(pb::WithdrawPuzzleResponse { puzzle })
    }
}

/// The ID of the puzzle to withdraw. The request must have a reason.
fn parse(request: &pb::WithdrawPuzzleRequest) -> Result<PuzzleId, ServiceError> {
    let mut parser = Parser::default();
    if request.id.is_empty() {
        parser.refuse("id", "required; set the ID of a puzzle".to_owned());
    }
    parser.required_reason(&request.reason);
    parser.done()?;
    request.id.parse().map_err(|()| ServiceError::PuzzleNotFound(request.id.clone()))
}
