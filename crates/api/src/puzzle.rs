//! Builds the messages of a puzzle: what its text says (boards, regions, drawing, links), its ratings, and its rating records
//! with their metrics.

use super::{
    board::Board,
    v1 as pb,
    words::{level, rating},
};
use puzzled_engine::{
    grid::GridMetrics,
    kakuro::metrics::KakuroMetrics,
    registry,
    shared::{
        kind::{PuzzleKind, WebLink},
        level::level_of,
        metrics::Metrics,
        record::{RatingRecord, StoredRecord},
        text::TextError,
        variant::VariantInfo,
    },
    sudoku::metrics::SudokuMetrics,
};

/// The optional parts of a puzzle in a message.
#[expect(clippy::struct_excessive_bools, reason = "one for each `include_` field of a request")]
#[derive(Debug, Clone, Copy, Default)]
pub struct Include {
    /// The solution.
    pub solutions: bool,
    /// The ratings of newer raters.
    pub ratings: bool,
    /// The drawing.
    pub drawing: bool,
    /// The boards and the regions.
    pub structure: bool,
    /// The links.
    pub links: bool,
    /// The record of the rating, the seed, and the job.
    pub record: bool,
}

/// Builds a `Puzzle` with its size and the requested drawing, structure, and links, all read from its text. The other fields are
/// empty.
///
/// # Errors
/// [`TextError`] if the kind cannot read the text as one of this variant.
pub fn drawn(
    kind: &dyn PuzzleKind,
    variant: &str,
    [text, solution]: [&str; 2],
    include: Include,
) -> Result<pb::Puzzle, TextError> {
    let size = kind.size(variant, text)?;
    let cells = Board::of(size.columns);
    let mut puzzle = pb::Puzzle { rows: size.rows.into(), columns: size.columns.into(), ..pb::Puzzle::default() };
    if include.drawing {
        puzzle.drawing = kind.draw(variant, text)?;
    }
    if include.structure {
        puzzle.regions = cells.regions(kind.regions(variant, text)?);
        puzzle.board = cells.rows(&kind.digits(variant, text)?);
    }
    if include.structure && include.solutions {
        puzzle.solution_board = cells.rows(&kind.digits(variant, solution)?);
    }
    if include.links {
        puzzle.links = links(kind, variant, text)?;
    }
    Ok(puzzle)
}

/// The messages for the links of a puzzle.
///
/// # Errors
/// [`TextError`] if the kind cannot read the text as one of this variant.
pub fn links(kind: &dyn PuzzleKind, variant: &str, text: &str) -> Result<Vec<pb::Link>, TextError> {
    let link = |link: WebLink| pb::Link { name: link.name.to_owned(), url: link.url };
    Ok(kind.links(variant, text)?.into_iter().map(link).collect())
}

/// The message for the rating of a puzzle of this variant.
#[must_use]
pub fn rated(of: &VariantInfo, full: RatingRecord) -> pb::RateResponse {
    pb::RateResponse {
        level: level(level_of(of.levels, full.rating)).into(),
        rating: rating(full.rating),
        record: Some(record(full.into())),
    }
}

/// The message for a rating record.
#[must_use]
pub fn record(record: StoredRecord) -> pb::RatingRecord {
    pb::RatingRecord {
        effort: registry::effort(&record),
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

/// The message for metrics; `None` for those of a newer version, whose name or fields are unknown.
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
