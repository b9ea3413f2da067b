//! Converts stored puzzles, ratings, and rating records with their metrics to messages of the API.

use std::collections::HashMap;

use super::board::Board;
use crate::{
    calls::ServiceError,
    wire::{level_at, timestamp},
};
use puzzled_api::{
    v1 as pb,
    words::{kind, level, rating, symmetry},
};
use puzzled_engine::{
    grid::GridMetrics,
    kakuro::metrics::KakuroMetrics,
    registry,
    shared::{
        kind::{PuzzleKind, WebLink},
        level::level_of,
        metrics::Metrics,
        record::RatingRecord,
        text::TextError,
        variant::VariantInfo,
    },
    sudoku::metrics::SudokuMetrics,
};
use puzzled_store::{
    StoreError,
    ids::PuzzleId,
    stock::{
        draws::Stock,
        puzzle::{Origin, Puzzle, ShelfKey, StoredRecord},
        rating::{Outcome, Rating},
    },
};

/// The optional parts of a stored puzzle in a response.
#[expect(clippy::struct_excessive_bools, reason = "one for each `include_` field of a request")]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Include {
    /// The solution.
    pub(crate) solutions: bool,
    /// The ratings of newer raters.
    pub(crate) ratings: bool,
    /// The drawing.
    pub(crate) drawing: bool,
    /// The boards and the regions.
    pub(crate) structure: bool,
    /// The links.
    pub(crate) links: bool,
    /// The record of the rating, the seed, and the job.
    pub(crate) record: bool,
}

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
    // Of a kind or a variant that only a newer version knows, this version knows only the text.
    let board = match registry::kind(&shelf.kind).map(|kind| board(kind, &puzzle, include)) {
        Some(Ok(board)) => board,
        Some(Err(_)) if shelf.is_known() => return Err(corrupt(&puzzle)),
        Some(Err(_)) | None => pb::Puzzle::default(),
    };
    let (withdraw_time, withdraw_reason) =
        puzzle.withdrawn.as_ref().map(|tombstone| (timestamp(tombstone.at), tombstone.reason.clone())).unzip();
    let rest = if include.record { with_origin(board, &puzzle) } else { board };
    Ok(pb::Puzzle {
        id: puzzle.id.to_string(),
        kind: kind(&shelf.kind).into(),
        symmetry: symmetry(shelf.symmetry).into(),
        givens: puzzle.givens.into(),
        level: level_at(shelf, shelf.rating).into(),
        rating: rating(shelf.rating),
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
        ..rest
    })
}

/// Adds the fields that say which job made a puzzle, or which import brought it.
fn with_origin(message: pb::Puzzle, puzzle: &Puzzle) -> pb::Puzzle {
    let message = pb::Puzzle { engine_version: puzzle.engine_version, ..message };
    match &puzzle.origin {
        Origin::Job(job) => pb::Puzzle {
            seed: job.seed,
            job_id: job.job_id.to_string(),
            job_index: job.index,
            job_try: job.attempt,
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

/// The fields that a kind reads from the text of a puzzle.
fn board(kind: &dyn PuzzleKind, puzzle: &Puzzle, include: Include) -> Result<pb::Puzzle, TextError> {
    let Puzzle { shelf: ShelfKey { variant, .. }, text, solution, .. } = puzzle;
    let size = kind.size(variant, text)?;
    let cells = Board::of(size.columns);
    let mut board = pb::Puzzle { rows: size.rows.into(), columns: size.columns.into(), ..pb::Puzzle::default() };
    if include.drawing {
        board.drawing = kind.draw(variant, text)?;
    }
    if include.structure {
        board.regions = cells.regions(kind.regions(variant, text)?);
        board.board = cells.rows(&kind.digits(variant, text)?);
    }
    if include.structure && include.solutions {
        board.solution_board = cells.rows(&kind.digits(variant, solution)?);
    }
    if include.links {
        board.links = links(kind, variant, text)?;
    }
    Ok(board)
}

/// The API's messages for the links of a puzzle.
pub(super) fn links(kind: &dyn PuzzleKind, variant: &str, text: &str) -> Result<Vec<pb::Link>, TextError> {
    let link = |link: WebLink| pb::Link { name: link.name.to_owned(), url: link.url };
    Ok(kind.links(variant, text)?.into_iter().map(link).collect())
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

/// The API's message for the rating of a puzzle of this variant.
pub(crate) fn rated_message(of: &VariantInfo, full: RatingRecord) -> pb::RateResponse {
    pb::RateResponse {
        level: level(level_of(of.levels, full.rating)).into(),
        rating: rating(full.rating),
        record: Some(record(full.into())),
    }
}

fn record(record: StoredRecord) -> pb::RatingRecord {
    pb::RatingRecord {
        metrics: metrics(&record.metrics),
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

/// The API's message for metrics; `None` for those of a newer version.
fn metrics(metrics: &Metrics) -> Option<pb::rating_record::Metrics> {
    Some(match metrics.name() {
        "sudoku" => pb::rating_record::Metrics::Sudoku(sudoku(&metrics.read()?)),
        "kakuro" => pb::rating_record::Metrics::Kakuro(kakuro(&metrics.read()?)),
        GridMetrics::NAME => pb::rating_record::Metrics::Grid(grid(&metrics.read()?)),
        _ => return None,
    })
}

fn sudoku(metrics: &SudokuMetrics) -> pb::SudokuMetrics {
    pb::SudokuMetrics {
        er: rating(metrics.er),
        ep: rating(metrics.ep),
        ed: rating(metrics.ed),
        hodoku_score: metrics.hodoku_score,
        hodoku_level: metrics.hodoku_level.number(),
        givens: metrics.givens,
        freedom: metrics.freedom,
        branching_factor: metrics.branching_factor,
        backtracks: metrics.backtracks,
        steps: metrics.steps,
        openings: metrics.openings,
        looks: metrics.looks,
        predicted_seconds: metrics.predicted_seconds,
        predicted_seconds_low: metrics.predicted_seconds_low,
        predicted_seconds_high: metrics.predicted_seconds_high,
    }
}

fn kakuro(metrics: &KakuroMetrics) -> pb::KakuroMetrics {
    pb::KakuroMetrics {
        tier: metrics.tier,
        load: metrics.load,
        effort: metrics.effort,
        effort_per_cell: metrics.effort_per_cell,
        relative_time: metrics.relative_time,
        coefficient: metrics.coefficient,
        paper_level: metrics.paper_level,
        cells: metrics.cells,
        runs: metrics.runs,
        freedom: metrics.freedom,
        branching_factor: metrics.branching_factor,
        backtracks: metrics.backtracks,
        steps: metrics.steps,
        chain: metrics.chain,
    }
}

fn grid(metrics: &GridMetrics) -> pb::GridMetrics {
    pb::GridMetrics {
        rounds: metrics.rounds,
        steps: metrics.steps,
        freedom: metrics.freedom,
        branching_factor: metrics.branching,
        backtracks: metrics.backtracks,
        clues: metrics.clues,
        openings: metrics.openings,
        cage_sizes: metrics.cage_sizes.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_engine::{shared::level::Tenths, sudoku::hodoku::HodokuLevel};

    /// The metrics of the engine and of the API with these numbers. `ours => theirs` is a number that the API writes in
    /// another form.
    macro_rules! metrics_of {
        ($name:ident { $($field:ident: $ours:expr $(=> $theirs:expr)?,)* }) => {
            ($name { $($field: $ours),* }, pb::$name { $($field: last!($ours $(, $theirs)?)),* })
        };
    }

    macro_rules! last {
        ($only:expr) => {
            $only
        };
        ($first:expr, $second:expr) => {
            $second
        };
    }

    #[test]
    fn every_number_of_a_sudoku_reaches_its_field() {
        let (ours, expected) = metrics_of!(SudokuMetrics {
            er: Tenths(10) => 1.0,
            ep: Tenths(20) => 2.0,
            ed: Tenths(30) => 3.0,
            hodoku_score: 986,
            hodoku_level: HodokuLevel::Hard => 3,
            givens: 4,
            freedom: 5,
            branching_factor: 6.0,
            backtracks: 7,
            steps: 8,
            openings: 9.0,
            looks: 10.0,
            predicted_seconds: 11.0,
            predicted_seconds_low: 12.0,
            predicted_seconds_high: 13.0,
        });
        assert_eq!(metrics(&Metrics::of("sudoku", &ours)), Some(pb::rating_record::Metrics::Sudoku(expected)));
    }

    #[test]
    fn every_number_of_a_kakuro_reaches_its_field() {
        let (ours, expected) = metrics_of!(KakuroMetrics {
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
        });
        assert_eq!(metrics(&Metrics::of("kakuro", &ours)), Some(pb::rating_record::Metrics::Kakuro(expected)));
    }

    #[test]
    fn every_number_of_a_grid_reaches_its_field() {
        let (rounds, steps, freedom, backtracks, clues, openings) = (1, 2, 3, 5, 6, 7.0);
        let (branching, cage_sizes) = (4.0, vec![8, 9]);
        let ours = GridMetrics {
            rounds,
            steps,
            freedom,
            branching,
            backtracks,
            clues,
            openings,
            cage_sizes: cage_sizes.clone(),
        };
        let branching_factor = branching;
        let expected =
            pb::GridMetrics { rounds, steps, freedom, branching_factor, backtracks, clues, openings, cage_sizes };
        assert_eq!(metrics(&Metrics::of("grid", &ours)), Some(pb::rating_record::Metrics::Grid(expected)));
    }
}
