//! Exports the puzzles of a database, or what its audiences have had.

use std::collections::HashMap;

use tokio::runtime::Runtime;

use super::WantedArgs;
use crate::{
    cli::{
        CliError,
        input::{
            database::runtime,
            filter::FilterArgs,
            spec::{self, Kind},
        },
        output::{Output, json},
    },
    rules::stock::{
        criterion::{GivensFilter, VariantFilter},
        filter::ShelfFilter,
        history::DeliveryPlace,
        puzzle::{OriginFilter, Puzzle, PuzzleId},
        rating::Rating,
    },
    settings::DatabaseSettings,
    store::{StoreError, check::CheckStore},
};
use puzzled_engine::{registry, shared::spec::Difficulty};

/// The number of puzzles per read.
const PAGE: u32 = 1_000;

pub(super) fn export(database: DatabaseSettings, wanted: &WantedArgs) -> Result<(), CliError> {
    let filter = filter(&wanted.filter)?;
    let runtime = runtime()?;
    let store = database.open(&runtime)?;
    let mut output = Output::new(None);
    wanted.file.begin(&mut output)?;
    let origin = wanted.job.map(OriginFilter::Job).or(wanted.import_id.clone().map(OriginFilter::Import));
    let (mut after, include) = (None, wanted.file.include());
    loop {
        let page = runtime.block_on(async {
            match &origin {
                Some(origin) => store.puzzles_of(origin, &filter, after, PAGE, include.record).await,
                None => store.puzzles(&filter, after, PAGE, include.record).await,
            }
        })?;
        let Some(last) = page.last() else { break };
        after = Some(last.id);
        let mut ratings = if wanted.file.is_full() { ratings(&runtime, &*store, &page)? } else { HashMap::new() };
        for puzzle in page {
            let ratings = ratings.remove(&puzzle.id).unwrap_or_default();
            wanted.file.write(json::stored(puzzle, ratings, include)?, &mut output)?;
        }
    }
    output.end()
}

/// Prints the deliveries of all audiences.
pub(super) fn export_deliveries(database: DatabaseSettings) -> Result<(), CliError> {
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
    output.end()
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
