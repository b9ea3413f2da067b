//! Writes the metrics of what this process does itself: the work of its workers, its deliveries, and its use of
//! connections to the database.

use std::fmt;

use super::scrape::Page;
use puzzled_store::{
    PoolUse, Store,
    jobs::queue::counters::{MISS_REASONS, OUTCOMES, QueueCounters},
    stock::{
        draws::StockCounters,
        puzzle_counts::{ANY_LEVEL, PuzzleCounters},
    },
};

/// Writes what the workers of this process have done.
pub(super) fn write_queue(page: &mut Page<'_>, counters: &QueueCounters) -> fmt::Result {
    let QueueCounters { job_waits, slices, reclaimed_slices, misses, made } = counters;
    let waits = [(Vec::new(), job_waits.now())];
    page.histograms(
        "puzzled_job_wait_seconds",
        "Time between the moment a job could start and its first claim by this process.",
        waits,
    )?;
    page.histograms("puzzled_slice_seconds", "Working time of a slice.", [(Vec::new(), slices.now())])?;
    let reclaimed = [(Vec::new(), reclaimed_slices)];
    page.counters(
        "puzzled_reclaimed_slices",
        "Slices that this process reclaimed after their lease expired.",
        reclaimed,
    )?;
    let missed = MISS_REASONS.into_iter().zip(misses).map(|(reason, misses)| (vec![("reason", reason)], misses));
    page.counters("puzzled_tries_missed", "Tries that gave no wanted puzzle, by reason.", missed)?;
    let outcomes = OUTCOMES.into_iter().zip(made);
    let made = outcomes.flat_map(|(outcome, made)| {
        let known = made.each().filter(|(_, level, _)| *level != ANY_LEVEL);
        known.map(move |(kind, level, made)| (vec![("kind", kind), ("level", level), ("outcome", outcome)], made))
    });
    page.counters(
        "puzzled_puzzles_made",
        "Puzzles made: stored, or lost because the worker no longer held the slice.",
        made,
    )
}

/// Writes what this process has delivered, and how often it could not.
pub(super) fn write_stock(page: &mut Page<'_>, counters: &StockCounters, exhausted: &PuzzleCounters) -> fmt::Result {
    let delivered = counters.delivered.each().filter(|(_, level, _)| *level == ANY_LEVEL);
    let delivered = delivered.map(|(kind, _, delivered)| (vec![("kind", kind)], delivered));
    page.counters("puzzled_deliveries", "Puzzles delivered to audiences.", delivered)?;
    let exhausted = exhausted.each().map(|(kind, level, calls)| (vec![("kind", kind), ("level", level)], calls));
    page.counters("puzzled_exhausted_calls", "Requests that failed because no puzzle in stock fits.", exhausted)
}

pub(super) fn write_pool(page: &mut Page<'_>, store: &dyn Store) -> fmt::Result {
    let PoolUse { used, idle } = store.connections();
    let states = [("used", used), ("idle", idle)];
    let states = states.map(|(state, connections)| (vec![("state", state)], f64::from(connections)));
    page.gauges("puzzled_database_connections", "Connections of this process to its database.", states)?;
    let help = "Reads for draws that failed and were repeated row by row; SQLite only.";
    #[expect(clippy::cast_precision_loss, reason = "counts stay below 2^52")]
    page.counter("puzzled_draw_fallbacks", help, store.draw_fallbacks() as f64)?;
    let waits = [(Vec::new(), store.connection_waits().now())];
    page.histograms("puzzled_database_connection_wait_seconds", "Time that a statement waits for a connection.", waits)
}
