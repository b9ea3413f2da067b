//! Records puzzles that an audience has had elsewhere. First solves their texts, all on one compute thread, because the solution
//! decides what the audience does not get again.

use tonic::Request;

use super::{Reply, caller_puzzle::CallerPuzzle};
use crate::calls::limits::compute::Cancel;
use crate::{
    calls::{errors::ServiceError, limits::compute::Class, open::actor_of, service::Service},
    service::parse::{self, NamedPuzzle},
    settings::Limits,
};
use puzzled_api::v1 as pb;
use puzzled_store::deliveries::history::{Had, Recorded};

impl Service {
    /// Records all puzzles of a request or none.
    pub(crate) async fn record_deliveries(
        &self,
        request: &Request<pb::RecordDeliveriesRequest>,
    ) -> Reply<pb::RecordDeliveriesResponse> {
        let by = actor_of(request, "RecordDeliveries")?;
        let settings = self.settings();
        let puzzles = parse::recorded(request.get_ref(), &settings.limits)?;
        let has_texts = puzzles.iter().any(|puzzle| matches!(puzzle, NamedPuzzle::Text(_)));
        let work = move |cancel: &Cancel| identified(puzzles, &settings.limits, cancel);
        let had = if has_texts { self.compute(Class::Long, request, work).await?? } else { work(&Cancel::new(false))? };
        match self.stock.store().record_deliveries(&request.get_ref().audience, &had, &by).await? {
            Recorded::Done { new, known } => {
                if new > 0 {
                    // The name of an audience may identify a person, so it is not logged.
                    tracing::info!(count = new, known, "deliveries recorded");
                }
                Ok(pb::RecordDeliveriesResponse { recorded: count(new), known: count(known) })
            }
            Recorded::NoPuzzle { index, id } => {
                Err(ServiceError::PuzzleNotFound(id.to_string()).in_list("puzzles", index))
            }
        }
    }
}

/// Identifies each puzzle by its ID, its form and solution, or its hash.
fn identified(puzzles: Vec<NamedPuzzle>, limits: &Limits, cancel: &Cancel) -> Result<Vec<Had>, ServiceError> {
    let had = |(index, puzzle)| match puzzle {
        NamedPuzzle::Stored(id) => Ok(Had::Stored(id)),
        NamedPuzzle::Solved(repeat_hash) => Ok(Had::Solved(repeat_hash)),
        NamedPuzzle::Text(text) => {
            let puzzle = CallerPuzzle::of(text, limits)?;
            let solution = puzzle.solution(cancel).map_err(|error| error.in_list("puzzles", index))?;
            puzzle.likeness(&solution).map(Had::Like)
        }
    };
    puzzles.into_iter().enumerate().map(had).collect()
}

/// Converts a count, which is at most [`RECORDED_MAX`](puzzled_store::deliveries::history::RECORDED_MAX).
fn count(puzzles: u64) -> u32 {
    u32::try_from(puzzles).unwrap_or(u32::MAX)
}
