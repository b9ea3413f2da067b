//! Converts shelves, stock targets, and their outlooks to messages of the API.

use std::collections::BTreeMap;

use prost_types::Duration;

use crate::wire::{duration_of, level_at};
use puzzled_api::{
    criteria::StatesCriteria as _,
    v1 as pb,
    words::{kind, rating, symmetry, timestamp},
};
use puzzled_engine::shared::{criteria::Criteria, tries::LN_100};
use puzzled_store::{
    stock::puzzle::Shelf,
    targets::{
        need::{Need, Outlook, seconds_per_hit},
        target::{MakingRate, StockTarget, Wish},
    },
};

/// The counts of shelves, which must be in the order of their keys, and the outlooks of targets. Shelves that differ only in
/// technique and givens are one row.
pub(super) fn stock_message(
    shelves: Vec<Shelf>,
    held: u64,
    outlooks: impl Iterator<Item = Outlook>,
) -> pb::GetStockResponse {
    let mut rows: Vec<pb::Shelf> = Vec::new();
    for next in shelves.into_iter().map(shelf).filter(|shelf| shelf.count > 0) {
        match rows.last_mut() {
            Some(row) if pb::Shelf { count: next.count, ..row.clone() } == next => row.count += next.count,
            _ => rows.push(next),
        }
    }
    let shelves = rows;
    pb::GetStockResponse {
        total: shelves.iter().map(|shelf| shelf.count).sum(),
        levels: levels(&shelves),
        shelves,
        targets: outlooks.map(outlook).collect(),
        held,
    }
}

fn shelf(shelf: Shelf) -> pb::Shelf {
    let count = shelf.live();
    pb::Shelf {
        kind: kind(&shelf.key.kind).into(),
        symmetry: symmetry(shelf.key.symmetry).into(),
        level: level_at(&shelf.key, shelf.key.rating).into(),
        rating: rating(shelf.key.rating),
        variant: shelf.key.variant,
        count,
    }
}

fn levels(shelves: &[pb::Shelf]) -> Vec<pb::LevelStock> {
    let mut counts = BTreeMap::new();
    for shelf in shelves {
        *counts.entry((shelf.kind, &shelf.variant, shelf.level)).or_insert(0) += shelf.count;
    }
    counts
        .into_iter()
        .map(|((kind, variant, level), count)| pb::LevelStock { kind, variant: variant.clone(), level, count })
        .collect()
}

fn outlook(outlook: Outlook) -> pb::TargetOutlook {
    let (state, due_at) = match outlook.need {
        Need::Nothing => (pb::TargetState::Stocked, None),
        Need::Filling | Need::EnoughWithoutJob | Need::TooLateForJob => (pb::TargetState::Filling, None),
        Need::Job { .. } => (pb::TargetState::Due, None),
        Need::Window { opens_at } => (pb::TargetState::Waiting, opens_at),
        Need::Rest { until } => (pb::TargetState::Resting, Some(until)),
        Need::Unreachable => (pb::TargetState::Unreachable, None),
    };
    let unreachable =
        outlook.rate.as_ref().filter(|_| outlook.need == Need::Unreachable && outlook.refusal.is_none()).map(|rate| {
            // Rounded down, because a longer time is not proved.
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_precision_loss,
                reason = "positive, and working times stay far below 2^52 milliseconds"
            )]
            let min_ms_per_puzzle = (rate.work_ms as f64 / LN_100) as i64;
            pb::Unreachable {
                tries: rate.tries,
                work_time: Some(duration_of(rate.work_ms)),
                min_time_per_puzzle: Some(duration_of(min_ms_per_puzzle)),
            }
        });
    pb::TargetOutlook {
        have: outlook.have,
        missing: outlook.missing(),
        state: state.into(),
        due_time: due_at.map(timestamp),
        rate: outlook.rate.as_ref().map(making_rate),
        time_to_full: outlook.seconds_to_full.and_then(seconds),
        job_id: outlook.last.as_ref().map(|job| job.id.to_string()).unwrap_or_default(),
        last_error: outlook.last.and_then(|job| job.error).unwrap_or_default(),
        unreachable,
        refusal: outlook.refusal.unwrap_or_default(),
        target: Some(target_message(outlook.target)),
    }
}

pub(super) fn target_message(target: StockTarget) -> pb::StockTarget {
    let low_water = target.wish.low_water_mark();
    let Wish { spec, count, priority, schedule, .. } = target.wish;
    let (cron, time_zone, window_minutes) =
        schedule.map(|schedule| (schedule.cron, schedule.time_zone, schedule.window_minutes)).unwrap_or_default();
    pb::StockTarget {
        id: target.id.to_string(),
        target: count,
        low_water,
        priority,
        cron,
        time_zone,
        window_minutes,
        declared_by: target.declared_by.unwrap_or_default(),
        create_time: Some(timestamp(target.created_at)),
        update_time: Some(timestamp(target.updated_at)),
        ..pb::StockTarget::default()
    }
    .stating(&Criteria::from(&spec))
}

fn making_rate(rate: &MakingRate) -> pb::MakingRate {
    let each = seconds_per_hit(rate).unwrap_or(0.0);
    pb::MakingRate {
        tries: rate.tries,
        hits: rate.hits,
        work_time: Some(duration_of(rate.work_ms)),
        hits_per_minute: if each > 0.0 { 60.0 / each } else { 0.0 },
        seconds_per_hit: each,
    }
}

/// A waiting time; `None` if it exceeds the range of the API's type, about ten thousand years.
fn seconds(seconds: f64) -> Option<Duration> {
    const MAX: f64 = 315_576_000_000.0;
    #[expect(clippy::cast_possible_truncation, reason = "within bounds, and rounded to whole seconds on purpose")]
    (0.0..MAX).contains(&seconds).then(|| Duration { seconds: seconds.ceil() as i64, nanos: 0 })
}
