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
    puzzle::{Puzzle, PuzzleId, ShelfFilter, VariantFilter},
    rating::Rating,
};
use puzzled_engine::{
    kind::{PuzzleKind, VariantInfo},
    level::{Level, Tenths},
    registry,
    spec::Target,
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
    /// Kind of puzzle [default: any, or the first one where there is a level, a rating, or a technique]
    #[arg(long, value_name = "KIND", value_parser = spec::kind)]
    kind: Option<Kind>,

    /// Variant, such as 9x9; a size alone, such as 20x20, stands for all variants of that size [default: any]
    #[arg(long, visible_alias = "size", value_name = "VARIANT")]
    variant: Option<String>,

    /// Level: easy, medium, hard, expert or evil [default: any]
    #[arg(long, value_name = "LEVEL", conflicts_with_all = ["min_rating", "max_rating"])]
    level: Option<Level>,

    /// Easiest rating, one decimal, up to 13.4 for Sudoku and 7.9 for Kakuro [default: no bound]
    #[arg(long, value_name = "RATING", value_parser = spec::tenths)]
    min_rating: Option<Tenths>,

    /// Hardest rating, one decimal, up to 13.4 for Sudoku and 7.9 for Kakuro [default: no bound]
    #[arg(long, value_name = "RATING", value_parser = spec::tenths)]
    max_rating: Option<Tenths>,

    /// Symmetry that they were made with [default: any]
    #[arg(long, value_name = "SYMMETRY")]
    symmetry: Option<Symmetry>,

    /// Technique that they were made with, such as X-Wing [default: any, and none]
    #[arg(long, value_name = "NAME")]
    technique: Option<String>,

    /// Number of givens that they were made with [default: any, asked for or not]
    #[arg(long, value_name = "N")]
    clues: Option<u16>,

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
    // Levels, ratings, and techniques mean something only together with a kind.
    let needs_kind = is_rated || args.technique.is_some();
    let kind = if needs_kind { Some(spec::or_first(args.kind)?) } else { args.kind };
    let variant = args.variant.as_deref().map_or(VariantFilter::Any, |name| variant(kind, name));
    let info = kind.and_then(|kind| kind.variant(variant.name().unwrap_or(kind.default_variant())));
    let difficulty = match (kind, args.level) {
        (_, Some(level)) => Target::Level(level),
        (Some(kind), None) if is_rated => spec::range(kind, info, args.min_rating, args.max_rating)?,
        _ => Target::Any,
    };
    Ok(ShelfFilter {
        kind: kind.map(|kind| kind.name().to_owned()),
        variant,
        symmetry: args.symmetry,
        difficulty,
        technique: args.technique.as_deref().map(|name| technique(info, name)).transpose()?,
        clues: args.clues,
    })
}

/// What a variant's name asks for; without a kind the first that has such a variant says so.
fn variant(kind: Option<Kind>, name: &str) -> VariantFilter {
    let has = |kind: &&Kind| kind.check_variant(name).is_ok();
    VariantFilter::named(kind.or_else(|| registry::kinds().iter().find(has).copied()), name)
}

fn technique(info: Option<&VariantInfo>, name: &str) -> Result<String, CliError> {
    let unknown = || info.map_or_else(|| format!("{name:?} is unknown"), |info| info.unknown_technique(name));
    let known = info.and_then(|info| info.technique(name)).map(|known| known.name.to_owned());
    known.ok_or_else(|| CliError::Spec(format!("--technique: {}", unknown())))
}

/// A kind that only a newer version knows is taken to have lines.
fn form_of(puzzle: &Puzzle) -> TextForm {
    registry::kind(&puzzle.shelf.kind).map_or(TextForm::Line, PuzzleKind::text_form)
}
