//! `BatchGetPuzzles`: answers many `GetPuzzle` requests in one call, each of which succeeds or fails on its own.
//! Requests without a view run together, so that they share reads and writes. Requests with a scrambled view wait for
//! seats at the compute threads, and are not refused.

use std::collections::BTreeMap;

use futures_util::{
    future::join_all,
    stream::{self, StreamExt as _},
};
use prost::Message as _;
use tonic::Status;

use super::draw::{DrawRequest, SeatTaken};
use crate::{
    calls::{Asked, Invalid, Reply, Service, ServiceError},
    puzzles::may_batch,
};
use puzzled_api::v1::{self as pb, batch_get_puzzles_result::Result as Answer};

impl Service {
    /// The answers, in the order of the requests. None of them waits for a puzzle.
    pub(crate) async fn batch_get_puzzles(
        &self,
        request: &Asked<pb::BatchGetPuzzlesRequest>,
    ) -> Reply<pb::BatchGetPuzzlesResponse> {
        let draw = self.draw_request(request, "BatchGetPuzzles", SeatTaken::Never)?;
        let batch = request.get_ref();
        may_batch(batch.requests.len(), &self.settings().limits)?;
        let draw = DrawRequest { timeout: None, lacking: 0, ..draw };
        let mut answers = self.all_answers(batch, (0..batch.requests.len()).collect(), &draw).await;
        // Exclusive requests that lack a puzzle are asked again, and queue one job for all that ask the same.
        for (at, lacking) in lacking(batch, &answers) {
            let draw = DrawRequest { lacking, ..draw.clone() };
            let again = self.all_answers(batch, vec![at], &draw).await;
            answers.extend(again);
        }
        let answers = (0..batch.requests.len()).filter_map(|at| answers.remove(&at));
        Ok(pb::BatchGetPuzzlesResponse { results: answers.map(result).collect() })
    }

    /// The answers to the requests at these indices, with their indices.
    async fn all_answers(
        &self,
        batch: &pb::BatchGetPuzzlesRequest,
        places: Vec<usize>,
        draw: &DrawRequest,
    ) -> BTreeMap<usize, Result<pb::Puzzle, ServiceError>> {
        let viewing = DrawRequest { seat: SeatTaken::InTurn, ..draw.clone() };
        let (mut views, mut others) = (Vec::new(), Vec::new());
        for at in places {
            let request = &batch.requests[at];
            match request.scramble_seed {
                Some(_) => views.push(self.answer(at, request, &viewing)),
                None => others.push(self.answer(at, request, draw)),
            }
        }
        // At most one view per thread at a time: more would hold seats without being answered earlier.
        let threads = self.settings().limits.compute_threads as usize;
        let views = stream::iter(views).buffer_unordered(threads).collect::<Vec<_>>();
        let (others, views) = tokio::join!(join_all(others), views);
        others.into_iter().chain(views).collect()
    }

    /// The answer to the request at an index, with that index.
    async fn answer(
        &self,
        at: usize,
        request: &pb::GetPuzzleRequest,
        draw: &DrawRequest,
    ) -> (usize, Result<pb::Puzzle, ServiceError>) {
        if request.wait {
            // A waiting request would delay the others. At a deadline, their deliveries would be lost.
            return (
                at,
                Err(Invalid::one("wait", "true in a batch; send this request in a separate GetPuzzle call".to_owned())),
            );
        }
        // The number of puzzles that exclusive requests lack is known only after all requests were answered.
        if request.exclusive && request.enqueue_if_short && draw.lacking == 0 {
            let request = pb::GetPuzzleRequest { enqueue_if_short: false, ..request.clone() };
            return (at, self.puzzle_for(&request, draw).await);
        }
        (at, self.puzzle_for(request, draw).await)
    }
}

/// The exclusive requests that lack a puzzle and may queue a job, each with the number of those that ask the same.
fn lacking(
    batch: &pb::BatchGetPuzzlesRequest,
    answers: &BTreeMap<usize, Result<pb::Puzzle, ServiceError>>,
) -> Vec<(usize, u32)> {
    let lacks = |request: &pb::GetPuzzleRequest, at: usize| {
        request.exclusive
            && request.enqueue_if_short
            && matches!(answers.get(&at), Some(Err(ServiceError::StockExhausted(_))))
    };
    let short = batch.requests.iter().enumerate().filter(|(at, request)| lacks(request, *at));
    let short: Vec<_> = short
        .map(|(at, request)| {
            (at, pb::GetPuzzleRequest { request_id: String::new(), scramble_seed: None, ..request.clone() })
        })
        .collect();
    let alike = |asked: &pb::GetPuzzleRequest| short.iter().filter(|(_, other)| other == asked).count();
    short.iter().map(|(at, asked)| (*at, u32::try_from(alike(asked)).unwrap_or(u32::MAX))).collect()
}

fn result(answer: Result<pb::Puzzle, ServiceError>) -> pb::BatchGetPuzzlesResult {
    let answer = match answer {
        Ok(puzzle) => Answer::Puzzle(Box::new(puzzle)),
        Err(error) => Answer::Status(error.into()),
    };
    pb::BatchGetPuzzlesResult { result: Some(answer) }
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
