//! Puzzles and ratings, to the wire.

use super::{kind, level_at, rating, symmetry, timestamp};
use crate::{
    engine::{record::RatingRecord, registry},
    proto::v1 as pb,
    service::errors::ServiceError,
    store::{
        StoreError,
        puzzle::{Puzzle, StoredRecord},
    },
};

/// The wire's puzzle; without its solution unless that was asked for.
pub(in crate::service) fn puzzle(puzzle: Puzzle, include_solution: bool) -> Result<pb::Puzzle, ServiceError> {
    let Puzzle { shelf, .. } = &puzzle;
    // A kind that only a newer version knows is handed out undrawn.
    let drawing = match registry::kind(&shelf.kind) {
        Some(kind) => kind.draw(&shelf.variant, &puzzle.text).map_err(|_| corrupt(&puzzle))?,
        None => String::new(),
    };
    let wire_kind = kind(&shelf.kind);
    let (withdraw_time, withdraw_reason) =
        puzzle.withdrawn.as_ref().map(|tombstone| (timestamp(tombstone.at), tombstone.reason.clone())).unzip();
    Ok(pb::Puzzle {
        id: puzzle.id.to_string(),
        kind: wire_kind.into(),
        symmetry: symmetry(shelf.symmetry).into(),
        givens: puzzle.givens.into(),
        level: level_at(&shelf.kind, shelf.rating).into(),
        rating: rating(shelf.rating),
        record: Some(record(wire_kind, puzzle.record)),
        seed: puzzle.seed,
        job_id: puzzle.job_id.to_string(),
        job_index: puzzle.job_index,
        job_try: puzzle.job_try,
        engine_version: puzzle.engine_version,
        create_time: Some(timestamp(puzzle.created_at)),
        drawing,
        withdraw_time,
        withdraw_reason: withdraw_reason.unwrap_or_default(),
        variant: puzzle.shelf.variant,
        text: puzzle.text,
        solution: if include_solution { puzzle.solution } else { String::new() },
    })
}

fn corrupt(puzzle: &Puzzle) -> StoreError {
    StoreError::Corrupt { table: "puzzles", column: "text", id: puzzle.id.0 }
}

/// The wire's record of a rating.
pub(in crate::service) fn record(kind: pb::Kind, record: StoredRecord) -> pb::RatingRecord {
    pb::RatingRecord {
        metrics: metrics(kind, &record.metrics),
        rater: record.rater,
        rater_version: record.rater_version,
        explanation: record.explanation,
        techniques: record
            .techniques
            .into_iter()
            .map(|(technique, tenths, count)| pb::TechniqueCount { technique, rating: rating(tenths), count })
            .collect(),
    }
}

/// A record of the engine's, as it would be read back from the store.
pub(in crate::service) fn as_stored(record: RatingRecord) -> StoredRecord {
    let techniques = record.techniques.into_iter().map(|used| (used.technique.to_owned(), used.rating, used.count));
    StoredRecord {
        rater: record.rater.to_owned(),
        rater_version: record.rater_version,
        techniques: techniques.collect(),
        metrics: record.metrics.into_iter().map(|metric| (metric.name.to_owned(), metric.value)).collect(),
        explanation: record.explanation,
    }
}

fn metrics(kind: pb::Kind, named: &[(String, f64)]) -> Option<pb::rating_record::Metrics> {
    let number = |name| named.iter().find(|(known, _)| known == name).map_or(0.0, |(_, value)| *value);
    match kind {
        pb::Kind::Sudoku => Some(pb::rating_record::Metrics::Sudoku(pb::SudokuMetrics {
            er: number("er"),
            ep: number("ep"),
            ed: number("ed"),
            clues: whole(number("clues")),
            freedom: whole(number("freedom")),
            branching_factor: number("branching_factor"),
            backtracks: whole(number("backtracks")),
            steps: whole(number("steps")),
        })),
        pb::Kind::Unspecified | pb::Kind::Kakuro => None,
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts are stored as whole numbers")]
fn whole(value: f64) -> u32 {
    value as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_named_number_of_a_sudoku_reaches_its_field() {
        let names = ["er", "ep", "ed", "clues", "freedom", "branching_factor", "backtracks", "steps"];
        let numbers: Vec<_> = names.into_iter().zip(1..).map(|(name, n)| (name.to_owned(), f64::from(n))).collect();
        let Some(pb::rating_record::Metrics::Sudoku(sudoku)) = metrics(pb::Kind::Sudoku, &numbers) else {
            panic!("no metrics");
        };
        let wanted = pb::SudokuMetrics {
            er: 1.0,
            ep: 2.0,
            ed: 3.0,
            clues: 4,
            freedom: 5,
            branching_factor: 6.0,
            backtracks: 7,
            steps: 8,
        };
        assert_eq!(sudoku, wanted);
    }
}
