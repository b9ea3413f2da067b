//! `puzzled export`: the puzzles of a database.

use std::collections::HashMap;

use clap::Args;
use tokio::runtime::Runtime;

use super::{
    CliError, Ended,
    database::{DatabaseArgs, runtime},
    json,
    output::{Format, Output},
    spec::{self, Kind},
};
use crate::store::{
    StoreError,
    audit::Audit,
    job::JobId,
    puzzle::{Puzzle, PuzzleId, ShelfFilter},
    rating::Rating,
};
use puzzled_engine::{
    kind::PuzzleKind,
    level::{Level, Tenths},
    registry,
    symmetry::Symmetry,
    text::TextForm,
};

/// Puzzles that one read takes.
const PAGE: u32 = 1_000;

/// Prints the puzzles of a database in the order of their ids
///
/// As text, puzzles of several lines are parted by an empty line. Withdrawn puzzles are left out. A server may be at work on the database: what it stores meanwhile comes at the end.
#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// Kind of puzzle [default: any, or the first one where there is a level or a rating]
    #[arg(long, value_name = "KIND", value_parser = spec::kind)]
    kind: Option<Kind>,

    /// Variant, such as 9x9 [default: any]
    #[arg(long, visible_alias = "size", value_name = "VARIANT")]
    variant: Option<String>,

    /// Level: easy, medium, hard, expert or evil [default: any]
    #[arg(long, value_name = "LEVEL", conflicts_with_all = ["min_rating", "max_rating"])]
    level: Option<Level>,

    /// Easiest rating, 0.0 to 25.5, one decimal [default: no bound]
    #[arg(long, value_name = "RATING", value_parser = spec::tenths)]
    min_rating: Option<Tenths>,

    /// Hardest rating, 0.0 to 25.5, one decimal [default: no bound]
    #[arg(long, value_name = "RATING", value_parser = spec::tenths)]
    max_rating: Option<Tenths>,

    /// Symmetry that they were made with [default: any]
    #[arg(long, value_name = "SYMMETRY")]
    symmetry: Option<Symmetry>,

    /// Only puzzles that this job made, surplus ones included, such as job-3 [default: of all jobs]
    #[arg(long, value_name = "JOB", value_parser = spec::job)]
    job: Option<JobId>,

    /// text: the puzzle as its kind writes it, 81 characters for 9×9 Sudoku; json: one object a line, with the solution, and with the ratings by newer raters where there are any
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    format: Format,

    #[command(flatten)]
    database: DatabaseArgs,
}

pub(super) fn run(args: ExportArgs) -> Result<Ended, CliError> {
    let filter = filter(&args)?;
    let runtime = runtime()?;
    let store = args.database.open(&runtime)?;
    let mut output = Output::new(None);
    let mut after = None;
    loop {
        let page = runtime.block_on(async {
            match args.job {
                Some(job) => store.puzzles_of_job(job, &filter, after, PAGE).await,
                None => store.puzzles(&filter, after, PAGE).await,
            }
        })?;
        let mut ratings = match args.format {
            Format::Text => HashMap::new(),
            Format::Json => ratings(&runtime, &*store, &page)?,
        };
        let last = page.last().map(|puzzle| puzzle.id);
        for puzzle in page {
            match args.format {
                Format::Text => output.text(&puzzle.text, form_of(&puzzle))?,
                Format::Json => {
                    let ratings = ratings.remove(&puzzle.id).unwrap_or_default();
                    output.line(&json::stored(puzzle, ratings)?)?;
                }
            }
            output.advance();
        }
        if last.is_none() {
            break;
        }
        after = last;
    }
    output.end()?;
    Ok(Ended::Done)
}

/// What newer raters said, by puzzle.
fn ratings(
    runtime: &Runtime,
    store: &dyn Audit,
    page: &[Puzzle],
) -> Result<HashMap<PuzzleId, Vec<Rating>>, StoreError> {
    let ids: Vec<_> = page.iter().map(|puzzle| puzzle.id).collect();
    let mut ratings = HashMap::<_, Vec<_>>::new();
    for rating in runtime.block_on(store.ratings(&ids))? {
        ratings.entry(rating.puzzle_id).or_default().push(rating);
    }
    Ok(ratings)
}

fn filter(args: &ExportArgs) -> Result<ShelfFilter, CliError> {
    let is_rated = args.level.is_some() || args.min_rating.is_some() || args.max_rating.is_some();
    // Levels and ratings mean something only together with a kind.
    let kind = if is_rated { Some(spec::or_first(args.kind)?) } else { args.kind };
    let (rating_min, rating_max) = match kind.zip(args.level) {
        Some((kind, level)) => level.range(kind.levels()),
        None => (args.min_rating.unwrap_or(Tenths(0)), args.max_rating.unwrap_or(Tenths(u8::MAX))),
    };
    if rating_min > rating_max {
        return Err(CliError::Spec(format!("--min-rating is {rating_min}, above --max-rating, which is {rating_max}")));
    }
    Ok(ShelfFilter {
        kind: kind.map(|kind| kind.name().to_owned()),
        variant: args.variant.clone(),
        symmetry: args.symmetry,
        rating_min,
        rating_max,
    })
}

/// A kind that only a newer version knows is taken to have lines.
fn form_of(puzzle: &Puzzle) -> TextForm {
    registry::kind(&puzzle.shelf.kind).map_or(TextForm::Line, PuzzleKind::text_form)
}
