//! `RecordDeliveries`: records puzzles that an audience has had elsewhere, all of a request or none. First solves their texts, all on one
//! compute thread, because the solution decides what the audience does not get again.

use crate::{
    calls::{Asked, Cancel, Class, Invalid, Reply, Service, ServiceError, actor_of},
    puzzles::text::{CallerPuzzle, PuzzleText},
    settings::Limits,
    wire::{Parser, each},
};
use puzzled_api::{RECORDED_MAX, v1 as pb};
use puzzled_base::{ids::PuzzleId, repeat_hash::RepeatHash};
use puzzled_engine::shared::names::quoted;
use puzzled_store::deliveries::history::{Had, Recorded};

/// A puzzle that an audience has had, as a request names it.
#[derive(Debug)]
enum NamedPuzzle {
    Stored(PuzzleId),
    Text(PuzzleText),
    Solved(RepeatHash),
}

impl Service {
    pub(crate) async fn record_deliveries(
        &self,
        request: &Asked<pb::RecordDeliveriesRequest>,
    ) -> Reply<pb::RecordDeliveriesResponse> {
        let by = actor_of(request, "RecordDeliveries")?;
        let settings = self.settings();
        let puzzles = parse(request.get_ref(), &settings.limits)?;
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

/// The puzzles of a request. An error names up to 20 faults, each with the index of its puzzle.
fn parse(request: &pb::RecordDeliveriesRequest, limits: &Limits) -> Result<Vec<NamedPuzzle>, ServiceError> {
    let mut parser = Parser::default();
    parser.required_audience(&request.audience);
    let count = request.puzzles.len();
    if !(1..=RECORDED_MAX).contains(&count) {
        parser.refuse("puzzles", format!("{count} are outside 1 to {RECORDED_MAX}"));
    }
    parser.done()?;
    each("puzzles", &request.puzzles, |puzzle| named(puzzle, limits))
}

fn named(puzzle: &pb::RecordedPuzzle, limits: &Limits) -> Result<NamedPuzzle, ServiceError> {
    let pb::RecordedPuzzle { id, kind, variant, text, repeat_hash } = puzzle;
    let has_text = *kind != i32::from(pb::Kind::Unspecified) || !variant.is_empty() || !text.is_empty();
    match (!id.is_empty(), has_text, !repeat_hash.is_empty()) {
        (true, false, false) => {
            id.parse().map(NamedPuzzle::Stored).map_err(|()| ServiceError::PuzzleNotFound(id.clone()))
        }
        (false, true, false) => Parser::default().puzzle(*kind, variant, text, limits).map(NamedPuzzle::Text),
        (false, false, true) => {
            repeat_hash.parse().map(NamedPuzzle::Solved).map_err(|fault| Invalid::one("repeat_hash", fault))
        }
        (false, false, false) => {
            Err(Invalid::one("id", "required unless text or repeat_hash is set; set one of them".to_owned()))
        }
        (true, ..) => {
            let fault = format!("{} together with kind, variant, text, or repeat_hash; set one of them", quoted(id));
            Err(Invalid::one("id", fault))
        }
        (false, true, true) => {
            let fault = format!("{} together with kind, variant, or text; set one of them", quoted(repeat_hash));
            Err(Invalid::one("repeat_hash", fault))
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

/// Converts a count, which is at most [`RECORDED_MAX`](puzzled_api::RECORDED_MAX).
fn count(puzzles: u64) -> u32 {
    u32::try_from(puzzles).unwrap_or(u32::MAX)
}
