//! `BatchGetPuzzles`: answers many `GetPuzzle` requests in one call, each of which succeeds or fails on its own.
//! Requests without a view run together, so that they share reads and writes. Requests with a scrambled view wait for
//! seats at the compute threads, and are not refused.

use futures_util::{
    future::join_all,
    stream::{self, StreamExt as _},
};
use prost::Message as _;
use tonic::Status;

use super::draw_request::{DrawRequest, SeatTaken};
use crate::{
    proto::v1::{self as pb, batch_get_puzzles_result::Result as Answer},
    service::{
        Service,
        errors::{ServiceError, fields::Invalid},
        parse,
    },
};

impl Service {
    /// The answers, in the order of the requests. None of them waits for a puzzle.
    pub(super) async fn puzzles_for(
        &self,
        batch: &pb::BatchGetPuzzlesRequest,
        draw: DrawRequest,
    ) -> Result<pb::BatchGetPuzzlesResponse, ServiceError> {
        let limits = self.limits();
        parse::batch(batch.requests.len(), &limits)?;
        let plain = DrawRequest { timeout: None, ..draw };
        let viewing = DrawRequest { seat: SeatTaken::InTurn, ..plain.clone() };
        let (mut views, mut others) = (Vec::new(), Vec::new());
        for (at, request) in batch.requests.iter().enumerate() {
            match request.scramble_seed {
                Some(_) => views.push(self.answer(at, request, &viewing)),
                None => others.push(self.answer(at, request, &plain)),
            }
        }
        // At most one view per thread at a time: more would hold seats without being answered earlier.
        let views = stream::iter(views).buffer_unordered(limits.compute_threads as usize).collect::<Vec<_>>();
        let (mut answers, views) = tokio::join!(join_all(others), views);
        answers.extend(views);
        answers.sort_by_key(|(at, _)| *at);
        Ok(pb::BatchGetPuzzlesResponse { results: answers.into_iter().map(|(_, answer)| answer).collect() })
    }

    /// The answer to the request at an index, with that index.
    async fn answer(
        &self,
        at: usize,
        request: &pb::GetPuzzleRequest,
        draw: &DrawRequest,
    ) -> (usize, pb::BatchGetPuzzlesResult) {
        let puzzle = if request.wait {
            // A waiting request would delay the others. At a deadline, their deliveries would be lost.
            Err(Invalid::one("wait", "true in a batch: ask in a call of its own".to_owned()))
        } else {
            self.puzzle_for(request, draw).await
        };
        let answer = match puzzle {
            Ok(puzzle) => Answer::Puzzle(Box::new(puzzle)),
            Err(error) => Answer::Status(error.into()),
        };
        (at, pb::BatchGetPuzzlesResult { result: Some(answer) })
    }
}

impl From<ServiceError> for tonic_types::Status {
    /// The same status as a message, for one of several requests.
    fn from(error: ServiceError) -> Self {
        let status = Status::from(error);
        // A status carries its details as this message.
        Self::decode(status.details()).unwrap_or_else(|_| Self {
            code: status.code().into(),
            message: status.message().to_owned(),
            details: Vec::new(),
        })
    }
}
