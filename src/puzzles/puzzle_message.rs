//! Converts stored puzzles and their ratings to messages of the API.

use std::collections::HashMap;

use crate::{calls::ServiceError, wire::level_at};
use puzzled_api::{
    puzzle::{Include, drawn, record},
    v1 as pb,
    words::{kind, rating, symmetry, timestamp},
};
use puzzled_base::ids::PuzzleId;
use puzzled_engine::registry;
use puzzled_store::{
    StoreError,
    stock::{
        draws::Stock,
        puzzle::{Origin, Puzzle, ShelfKey},
        rating::{Outcome, Rating},
    },
};

/// The messages for puzzles, in the same order. Ratings need one more read.
pub(super) async fn puzzle_messages(
    stock: &Stock,
    puzzles: Vec<Puzzle>,
    include: Include,
) -> Result<Vec<pb::Puzzle>, ServiceError> {
    let mut ratings = ratings_of(stock, &puzzles, include).await?;
    let messages = puzzles.into_iter().map(|puzzle| {
        let ratings = ratings.remove(&puzzle.id).unwrap_or_default();
        Ok(pb::Puzzle { ratings, ..puzzle_message(puzzle, include)? })
    });
    messages.collect()
}

/// The ratings of newer raters, by puzzle; none if they are not requested.
pub(super) async fn ratings_of(
    stock: &Stock,
    puzzles: &[Puzzle],
    include: Include,
) -> Result<HashMap<PuzzleId, Vec<pb::Rating>>, ServiceError> {
    let mut ratings = HashMap::<_, Vec<_>>::new();
    if include.ratings {
        let shelves: HashMap<_, _> = puzzles.iter().map(|puzzle| (puzzle.id, &puzzle.shelf)).collect();
        let ids: Vec<_> = puzzles.iter().map(|puzzle| puzzle.id).collect();
        for rating in stock.store().ratings(&ids).await? {
            if let Some(shelf) = shelves.get(&rating.puzzle_id) {
                ratings.entry(rating.puzzle_id).or_default().push(later_rating(shelf, rating));
            }
        }
    }
    Ok(ratings)
}

/// The API's message for a puzzle with the requested parts, without the ratings of newer raters.
///
/// # Errors
/// [`StoreError::Corrupt`] if its kind knows its variant and cannot read its text.
pub(crate) fn puzzle_message(puzzle: Puzzle, include: Include) -> Result<pb::Puzzle, StoreError> {
    let Puzzle { shelf, .. } = &puzzle;
    let texts = [&*puzzle.text, &*puzzle.solution];
    // If only a newer version knows the kind or the variant, this version has only the text.
    let drawn = match registry::kind(&shelf.kind).map(|kind| drawn(kind, &shelf.variant, texts, include)) {
        Some(Ok(drawn)) => drawn,
        Some(Err(_)) if shelf.is_known() => return Err(corrupt(&puzzle)),
        Some(Err(_)) | None => pb::Puzzle::default(),
    };
    let (withdraw_time, withdraw_reason) =
        puzzle.withdrawn.as_ref().map(|tombstone| (timestamp(tombstone.at), tombstone.reason.clone())).unzip();
    let rest = if include.record { with_origin(drawn, &puzzle) } else { drawn };
    Ok(pb::Puzzle {
        id: puzzle.id.to_string(),
        kind: kind(&shelf.kind).into(),
        symmetry: symmetry(shelf.symmetry).into(),
        givens: puzzle.givens.into(),
        level: level_at(shelf, shelf.rating).into(),
        rating: rating(shelf.rating),
        class: puzzle.repeat_hash.class(),
        technique: puzzle.technique,
        predicted_seconds: puzzle.predicted_seconds,
        record: puzzle.record.filter(|_| include.record).map(record),
        create_time: Some(timestamp(puzzle.created_at)),
        withdraw_time,
        withdraw_reason: withdraw_reason.unwrap_or_default(),
        variant: puzzle.shelf.variant,
        text: puzzle.text,
        solution: if include.solutions { puzzle.solution } else { String::new() },
        held: puzzle.position.is_none(),
        scramble_seed: None,
        ratings: Vec::new(),
        ..rest
    })
}

/// The message with the fields that say which job made a puzzle, or which import brought it.
fn with_origin(message: pb::Puzzle, puzzle: &Puzzle) -> pb::Puzzle {
    let message = pb::Puzzle { engine_version: puzzle.engine_version, ..message };
    match &puzzle.origin {
        Origin::Job(job) => pb::Puzzle {
            seed: job.seed,
            job_id: job.job_id.to_string(),
            job_index: job.index,
            job_try: job.try_number,
            ..message
        },
        Origin::Import(import) => pb::Puzzle {
            import_id: import.import_id.clone(),
            import_line: import.line,
            import_note: import.note.clone(),
            ..message
        },
    }
}

fn corrupt(puzzle: &Puzzle) -> StoreError {
    StoreError::Corrupt { table: "puzzles", column: "text", id: puzzle.id.0 }
}

/// The API's message for a newer rater's rating of a puzzle on this shelf.
pub(crate) fn later_rating(shelf: &ShelfKey, later: Rating) -> pb::Rating {
    let outcome = match later.outcome {
        Outcome::Rated { .. } => pb::RatingOutcome::Rated,
        Outcome::AtLeast(_) => pb::RatingOutcome::AtLeast,
        Outcome::Stuck => pb::RatingOutcome::Stuck,
    };
    let tenths = later.outcome.rating();
    pb::Rating {
        rater: later.rater,
        rater_version: later.rater_version,
        outcome: outcome.into(),
        rating: tenths.map(rating).unwrap_or_default(),
        level: tenths.map(|tenths| level_at(shelf, tenths)).unwrap_or_default().into(),
        record: later.outcome.record().cloned().map(record),
        create_time: Some(timestamp(later.created_at)),
    }
}
