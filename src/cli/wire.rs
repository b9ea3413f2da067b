//! Messages of the wire as JSON objects, with the wire's names and plain words for its enums.

use prost_types::{Duration, Timestamp};
use serde_json::{Value, json};

use super::tables::word;
use crate::proto::v1 as pb;

/// A job.
pub(super) fn job(job: &pb::Job) -> Value {
    let spec = job.spec.as_ref();
    let missed = job.missed.unwrap_or_default();
    json!({
        "id": job.id,
        "state": word(job.state().as_str_name()),
        "kind": spec.map(|spec| word(spec.kind().as_str_name())),
        "variant": spec.map(|spec| &spec.variant),
        "level": spec.and_then(|spec| level(spec.level())),
        "min_rating": spec.and_then(|spec| spec.min_rating),
        "max_rating": spec.and_then(|spec| spec.max_rating),
        "symmetry": spec.map(|spec| word(spec.symmetry().as_str_name())),
        "clues": spec.and_then(|spec| spec.clues),
        "technique": spec.and_then(|spec| said(&spec.technique)),
        "wanted": job.wanted,
        "made": job.made,
        "extra": job.extra,
        "tries": job.tries,
        "missed": {
            "repeats": missed.repeats,
            "unrated": missed.unrated,
            "off_target": missed.off_target,
            "clues": missed.clues,
            "unproven": missed.unproven,
            "solvers_disagreed": missed.solvers_disagreed,
        },
        "nearest": said(&job.nearest),
        "seed": job.seed,
        "priority": job.priority,
        "failed_attempts": job.failed_attempts,
        "error": said(&job.error),
        "request_id": said(&job.request_id),
        "labels": job.labels,
        "rescues": job.rescues,
        "no_extras": job.no_extras,
        "target_id": said(&job.target_id),
        "create_time": job.create_time.as_ref().map(time),
        "start_time": job.start_time.as_ref().map(time),
        "end_time": job.end_time.as_ref().map(time),
    })
}

/// The queue as a whole.
pub(super) fn queue(queue: &pb::Queue) -> Value {
    json!({
        "paused": queue.paused,
        "pause_time": queue.pause_time.as_ref().map(time),
        "pause_reason": said(&queue.pause_reason),
        "queued_jobs": queue.queued_jobs,
        "running_jobs": queue.running_jobs,
        "succeeded_jobs": queue.succeeded_jobs,
        "failed_jobs": queue.failed_jobs,
        "cancelled_jobs": queue.cancelled_jobs,
        "waiting_slices": queue.waiting_slices,
        "leased_slices": queue.leased_slices,
        "oldest_wait_seconds": queue.oldest_wait.as_ref().map(seconds),
        "rescues_last_hour": queue.rescues_last_hour,
        "rescues": queue.rescues,
    })
}

/// How a target stands.
pub(super) fn outlook(outlook: &pb::TargetOutlook) -> Value {
    let target = outlook.target.clone().unwrap_or_default();
    let cron = said(&target.cron);
    json!({
        "id": target.id,
        "kind": word(target.kind().as_str_name()),
        "variant": target.variant,
        "symmetry": word(target.symmetry().as_str_name()),
        "level": level(target.level()),
        "min_rating": target.min_rating,
        "max_rating": target.max_rating,
        "target": target.target,
        "low_water": target.low_water,
        "priority": target.priority,
        "no_extras": target.no_extras,
        "time_zone": cron.map(|_| &target.time_zone),
        "window_minutes": cron.map(|_| target.window_minutes),
        "cron": cron,
        "have": outlook.have,
        "missing": outlook.missing,
        "state": word(outlook.state().as_str_name()),
        "due_time": outlook.due_time.as_ref().map(time),
        "rate": outlook.rate.as_ref().map(rate),
        "seconds_to_full": outlook.time_to_full.as_ref().map(seconds),
        "job_id": said(&outlook.job_id),
        "last_error": said(&outlook.last_error),
        "unreachable": outlook.unreachable.map(|numbers| json!({
            "tries": numbers.tries,
            "max_rate": numbers.max_rate,
            "required_rate": numbers.required_rate,
        })),
    })
}

/// Puzzles of one level.
pub(super) fn level_stock(stock: &pb::LevelStock) -> Value {
    json!({
        "kind": word(stock.kind().as_str_name()),
        "variant": stock.variant,
        "level": level(stock.level()),
        "count": stock.count,
    })
}

fn rate(rate: &pb::MakingRate) -> Value {
    json!({
        "tries": rate.tries,
        "hits": rate.hits,
        "work_seconds": rate.work_time.as_ref().map(seconds),
        "hits_per_minute": rate.hits_per_minute,
        "seconds_per_hit": rate.seconds_per_hit,
    })
}

fn level(level: pb::Level) -> Option<String> {
    (level != pb::Level::Unspecified).then(|| word(level.as_str_name()))
}

fn said(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// RFC 3339.
fn time(at: &Timestamp) -> String {
    at.to_string()
}

#[expect(clippy::cast_precision_loss, reason = "spans of time stay far below 2^52 seconds")]
fn seconds(duration: &Duration) -> f64 {
    duration.seconds as f64 + f64::from(duration.nanos) / 1e9
}
