//! Puzzles and ratings, to the wire.

use super::{kind, level, level_at, rating, symmetry, timestamp};
use crate::{
    proto::v1 as pb,
    store::{
        StoreError,
        puzzle::{Puzzle, StoredRecord},
        rating::{Outcome, Rating},
    },
};
use puzzled_engine::{kind::PuzzleKind, level::level_of, record::RatingRecord, registry, text::TextError};

/// The wire's puzzle; without its solution unless that was asked for.
///
/// # Errors
/// [`StoreError::Corrupt`] if its kind cannot read its text.
pub(crate) fn puzzle_message(puzzle: Puzzle, include_solution: bool) -> Result<pb::Puzzle, StoreError> {
    let Puzzle { shelf, .. } = &puzzle;
    // A kind that only a newer version knows is handed out undrawn.
    let (drawing, link) = match registry::kind(&shelf.kind) {
        Some(kind) => shown(kind, &puzzle).map_err(|_| corrupt(&puzzle))?,
        None => Default::default(),
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
        link,
        extra: puzzle.is_extra,
        withdraw_time,
        withdraw_reason: withdraw_reason.unwrap_or_default(),
        variant: puzzle.shelf.variant,
        text: puzzle.text,
        solution: if include_solution { puzzle.solution } else { String::new() },
        scrambled: false,
        ratings: Vec::new(),
    })
}

/// The drawing, and the link where the kind has one.
fn shown(kind: &dyn PuzzleKind, puzzle: &Puzzle) -> Result<(String, String), TextError> {
    let (variant, text) = (&puzzle.shelf.variant, &puzzle.text);
    Ok((kind.draw(variant, text)?, kind.link(variant, text)?.unwrap_or_default()))
}

fn corrupt(puzzle: &Puzzle) -> StoreError {
    StoreError::Corrupt { table: "puzzles", column: "text", id: puzzle.id.0 }
}

/// The wire's rating by a newer rater, of a puzzle of this kind.
pub(crate) fn later_rating(kind_name: &str, later: Rating) -> pb::Rating {
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
        level: tenths.map(|tenths| level_at(kind_name, tenths)).unwrap_or_default().into(),
        record: later.outcome.into_record().map(|full| record(kind(kind_name), full)),
        create_time: Some(timestamp(later.created_at)),
    }
}

/// The wire's rating of a puzzle of this kind.
pub(crate) fn rated_message(of: &dyn PuzzleKind, full: RatingRecord) -> pb::RateResponse {
    pb::RateResponse {
        level: level(level_of(of.levels(), full.rating)).into(),
        rating: rating(full.rating),
        record: Some(record(kind(of.name()), full.into())),
    }
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

fn metrics(kind: pb::Kind, named: &[(String, f64)]) -> Option<pb::rating_record::Metrics> {
    let number = |name| named.iter().find(|(known, _)| known == name).map_or(0.0, |(_, value)| *value);
    match kind {
        pb::Kind::Sudoku => Some(pb::rating_record::Metrics::Sudoku(pb::SudokuMetrics {
            er: number("er"),
            ep: number("ep"),
            ed: number("ed"),
            hodoku_score: whole(number("hodoku_score")),
            hodoku_level: whole(number("hodoku_level")),
            clues: whole(number("clues")),
            freedom: whole(number("freedom")),
            branching_factor: number("branching_factor"),
            backtracks: whole(number("backtracks")),
            steps: whole(number("steps")),
            openings: number("openings"),
            looks: number("looks"),
            predicted_seconds: number("predicted_seconds"),
            predicted_seconds_low: number("predicted_seconds_low"),
            predicted_seconds_high: number("predicted_seconds_high"),
        })),
        pb::Kind::Kakuro => Some(pb::rating_record::Metrics::Kakuro(pb::KakuroMetrics {
            tier: whole(number("tier")),
            load: number("load"),
            effort: number("effort"),
            effort_per_cell: number("effort_per_cell"),
            relative_time: number("relative_time"),
            coefficient: number("coefficient"),
            paper_level: whole(number("paper_level")),
            cells: whole(number("cells")),
            runs: whole(number("runs")),
            freedom: whole(number("freedom")),
            branching_factor: number("branching_factor"),
            backtracks: whole(number("backtracks")),
            steps: whole(number("steps")),
            chain: whole(number("chain")),
        })),
        pb::Kind::Unspecified => None,
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts are stored as whole numbers")]
fn whole(value: f64) -> u32 {
    value as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_engine::budget::Budget;

    #[test]
    fn the_numbers_of_hodoku_reach_their_fields() {
        let numbers = [("hodoku_score".to_owned(), 986.0), ("hodoku_level".to_owned(), 3.0)];
        let wanted = pb::SudokuMetrics { hodoku_score: 986, hodoku_level: 3, ..Default::default() };
        assert_eq!(metrics(pb::Kind::Sudoku, &numbers), Some(pb::rating_record::Metrics::Sudoku(wanted)));
    }

    #[test]
    fn every_named_number_of_a_sudoku_reaches_its_field() {
        let names = [
            "er",
            "ep",
            "ed",
            "clues",
            "freedom",
            "branching_factor",
            "backtracks",
            "steps",
            "openings",
            "looks",
            "predicted_seconds",
            "predicted_seconds_low",
            "predicted_seconds_high",
        ];
        let numbers: Vec<_> = names.into_iter().zip(1..).map(|(name, n)| (name.to_owned(), f64::from(n))).collect();
        let Some(pb::rating_record::Metrics::Sudoku(sudoku)) = metrics(pb::Kind::Sudoku, &numbers) else {
            panic!("no metrics");
        };
        let wanted = pb::SudokuMetrics {
            er: 1.0,
            ep: 2.0,
            ed: 3.0,
            hodoku_score: 0,
            hodoku_level: 0,
            clues: 4,
            freedom: 5,
            branching_factor: 6.0,
            backtracks: 7,
            steps: 8,
            openings: 9.0,
            looks: 10.0,
            predicted_seconds: 11.0,
            predicted_seconds_low: 12.0,
            predicted_seconds_high: 13.0,
        };
        assert_eq!(sudoku, wanted);
    }

    /// Of a puzzle of its own, so that a number that the rater names otherwise is found missing.
    #[test]
    fn every_number_that_the_kakuro_rater_names_reaches_its_field() {
        let kind = registry::kind("kakuro").unwrap();
        let never = false.into();
        let mut budget = Budget::new(u64::MAX, &never);
        let reasoned = kind.reason("", "# \\4 \\3\n3\\ . .\n4\\ . .", &mut budget).unwrap();
        let record = StoredRecord::from(reasoned.record.unwrap());
        let named: Vec<_> = record.metrics.iter().zip(1..).map(|((name, _), n)| (name.clone(), f64::from(n))).collect();
        let Some(pb::rating_record::Metrics::Kakuro(kakuro)) = metrics(pb::Kind::Kakuro, &named) else {
            panic!("no metrics");
        };
        let wanted = pb::KakuroMetrics {
            tier: 1,
            load: 2.0,
            effort: 3.0,
            effort_per_cell: 4.0,
            relative_time: 5.0,
            coefficient: 6.0,
            paper_level: 7,
            cells: 8,
            runs: 9,
            freedom: 10,
            branching_factor: 11.0,
            backtracks: 12,
            steps: 13,
            chain: 14,
        };
        assert_eq!(kakuro, wanted);
    }
}
