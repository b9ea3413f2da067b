//! `puzzled export`: prints the stored puzzles of a database, filtered by kind, rating, job, and more, as text or JSON, or what
//! each audience has had.

use std::collections::HashMap;

use clap::Args;
use tokio::runtime::Runtime;

use crate::{
    cli::{
        CliError, Ended,
        input::{
            database::{DatabaseArgs, runtime},
            filter::FilterArgs,
            spec::{self, Kind},
        },
        output::{Format, Output, json},
    },
    rules::{
        jobs::job::JobId,
        stock::{
            criterion::{GivensFilter, VariantFilter},
            filter::ShelfFilter,
            history::DeliveryPlace,
            puzzle::{OriginFilter, Puzzle, PuzzleId},
            rating::Rating,
        },
    },
    store::{StoreError, check::CheckStore},
};
use puzzled_engine::{
    registry,
    shared::{kind::PuzzleKind, spec::Difficulty, text::TextForm},
};

/// The number of puzzles per read.
const PAGE: u32 = 1_000;

/// Export the puzzles of a database in the order of their IDs
///
/// As text, an empty line separates puzzles of several lines. Withdrawn puzzles are omitted. A server may use the database
/// meanwhile: puzzles that are stored during the export come last. Exit code: 0 exported, 1 failed.
#[derive(Debug, Args)]
pub(in crate::cli) struct ExportArgs {
    #[command(flatten)]
    filter: FilterArgs,

    /// Only puzzles of this job, such as job-3 [default: all jobs]
    #[arg(long, value_name = "JOB", value_parser = spec::job)]
    job: Option<JobId>,

    /// Only puzzles of this import [default: all]
    #[arg(long = "import", value_name = "NAME", conflicts_with = "job")]
    import_id: Option<String>,

    /// text: the puzzle, 81 characters for 9×9 Sudoku; json: one object per line, with the solution and ratings by newer raters
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Export what each audience has had instead of puzzles: one JSON object per line, with audience, repeat hash, and time, for
    /// `import --deliveries`
    #[arg(long, conflicts_with_all = [
        "job", "kind", "variant", "level", "min_rating", "max_rating", "symmetry", "givens", "technique", "format",
    ])]
    deliveries: bool,

    #[command(flatten)]
    database: DatabaseArgs,
}

pub(in crate::cli) fn run(args: ExportArgs) -> Result<Ended, CliError> {
    if args.deliveries {
        return deliveries(args.database);
    }
    let filter = filter(&args.filter)?;
    let runtime = runtime()?;
    let store = args.database.open(&runtime)?;
    let mut output = Output::new(None);
    let origin = args.job.map(OriginFilter::Job).or(args.import_id.map(OriginFilter::Import));
    let (mut after, with_record) = (None, matches!(args.format, Format::Json));
    loop {
        let page = runtime.block_on(async {
            match &origin {
                Some(origin) => store.puzzles_of(origin, &filter, after, PAGE, with_record).await,
                None => store.puzzles(&filter, after, PAGE, with_record).await,
            }
        })?;
        let mut ratings = match args.format {
            Format::Text => HashMap::new(),
            Format::Json => ratings(&runtime, &*store, &page)?,
        };
        let last = page.last().map(|puzzle| puzzle.id);
        for puzzle in page {
            match args.format {
                Format::Text => {
                    // The texts of an unknown kind count as lines.
                    let form = registry::kind(&puzzle.shelf.kind).map_or(TextForm::Line, PuzzleKind::text_form);
                    output.text(&puzzle.text, form)?;
                }
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

/// Prints the deliveries of all audiences.
fn deliveries(database: DatabaseArgs) -> Result<Ended, CliError> {
    let runtime = runtime()?;
    let store = database.open(&runtime)?;
    let mut output = Output::new(None);
    let mut after = DeliveryPlace::default();
    loop {
        let page = runtime.block_on(store.all_deliveries(after, PAGE))?;
        let Some(last) = page.last() else { break };
        after = last.place;
        for delivery in &page {
            output.line(&json::delivered(delivery)?)?;
            output.advance();
        }
    }
    output.end()?;
    Ok(Ended::Done)
}

/// Returns the ratings by newer raters, by puzzle.
fn ratings(
    runtime: &Runtime,
    store: &dyn CheckStore,
    page: &[Puzzle],
) -> Result<HashMap<PuzzleId, Vec<Rating>>, StoreError> {
    let ids: Vec<_> = page.iter().map(|puzzle| puzzle.id).collect();
    let mut ratings = HashMap::<_, Vec<_>>::new();
    for rating in runtime.block_on(store.ratings(&ids))? {
        ratings.entry(rating.puzzle_id).or_default().push(rating);
    }
    Ok(ratings)
}

fn filter(args: &FilterArgs) -> Result<ShelfFilter, CliError> {
    let kind = args.kind()?;
    let variant = args.variant.as_deref().map_or(VariantFilter::Any, |name| variant(kind, name));
    let named = kind.and_then(|kind| Some((kind, kind.variant(variant.name().unwrap_or(kind.default_variant()))?)));
    let (technique, difficulty) = match named {
        Some((kind, info)) => {
            let technique = args.technique.as_deref().map(|name| spec::technique(kind, info, name)).transpose()?;
            let ratings = (args.level, args.min_rating, args.max_rating);
            (technique, spec::difficulty(kind, info, ratings, technique)?)
        }
        None => (None, Difficulty::Any),
    };
    Ok(ShelfFilter {
        kind: kind.map(|kind| kind.name().to_owned()),
        variant,
        symmetry: args.symmetry,
        difficulty,
        technique: technique.map(|known| known.name.to_owned()),
        givens: args
            .givens
            .map_or(GivensFilter::Any, |range| GivensFilter::Within { min: Some(range.min), max: Some(range.max) }),
    })
}

/// Returns the variants that a name matches. Without a kind, the first kind that has such a variant decides.
fn variant(kind: Option<Kind>, name: &str) -> VariantFilter {
    let has = |kind: &&Kind| kind.check_variant(name).is_ok();
    VariantFilter::named(kind.or_else(|| registry::kinds().iter().find(has).copied()), name)
}
