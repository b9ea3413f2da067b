//! `BatchGetPuzzles`: many `GetPuzzle` requests in one call, each of which succeeds or fails on its own. All are under way
//! together, so that those of a kind share one read or one write.

use futures_util::future::join_all;

use super::{
    Service,
    errors::{Invalid, ServiceError},
    parse,
};
use crate::proto::v1::{self as pb, batch_get_puzzles_result::Result as Answer};

impl Service {
    /// The answers, in the order of the requests.
    pub(super) async fn puzzles_for(
        &self,
        batch: pb::BatchGetPuzzlesRequest,
    ) -> Result<pb::BatchGetPuzzlesResponse, ServiceError> {
        parse::batch(batch.requests.len(), &self.limits())?;
        let results = batch.requests.iter().map(|request| async {
            let answer = match self.answer(request).await {
                Ok(puzzle) => Answer::Puzzle(Box::new(puzzle)),
                Err(error) => Answer::Status(error.into()),
            };
            pb::BatchGetPuzzlesResult { result: Some(answer) }
        });
        Ok(pb::BatchGetPuzzlesResponse { results: join_all(results).await })
    }

    async fn answer(&self, request: &pb::GetPuzzleRequest) -> Result<pb::Puzzle, ServiceError> {
        // One that waits would hold up the others, and a deadline would lose what they were handed out.
        if request.wait {
            return Err(Invalid::one("wait", "true in a batch: ask in a call of its own".to_owned()));
        }
        self.puzzle_for(request, None).await
    }
}
