//! Exports the puzzles of a database, or what its audiences have had.

use std::collections::HashMap;

use tokio::runtime::Runtime;

use super::WantedArgs;
use crate::{
    operate::{CommandError, database::runtime, json},
    settings::DatabaseSettings,
};
use puzzled_base::ids::PuzzleId;
use puzzled_cli::{input::criteria_flags::refused, output::Output};
use puzzled_store::{
    StoreError,
    check_store::CheckStore,
    deliveries::history::DeliveryPlace,
    stock::{
        filter::ShelfFilter,
        puzzle::{OriginFilter, Puzzle},
        rating::Rating,
    },
};

/// The number of puzzles per read.
const PAGE: u32 = 1_000;

pub(super) fn export(database: DatabaseSettings, wanted: &WantedArgs) -> Result<(), CommandError> {
    let filter = ShelfFilter::stated(&wanted.filter.criteria()?).map_err(|faults| refused(&faults))?;
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
    Ok(output.end()?)
}

/// Prints the deliveries of all audiences.
pub(super) fn export_deliveries(database: DatabaseSettings) -> Result<(), CommandError> {
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
    Ok(output.end()?)
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
