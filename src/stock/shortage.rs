//! What to do where nothing in stock fits: which job would make up for it, and when asking again may help. Pure.

use std::time::Duration;

use crate::{
    clock::Millis,
    engine::{
        kind::PuzzleKind,
        level::Tenths,
        registry,
        spec::{Spec, Target},
        symmetry::Symmetry,
    },
    store::{job::Job, puzzle::ShelfFilter},
};

/// Puzzles that a job makes up with.
pub const TOP_UP_COUNT: u32 = 100;

/// Priority of such a job: somebody waits for it.
pub const TOP_UP_PRIORITY: i32 = 10;

/// Rest that is advised while a job that would help has shown no pace yet.
const RETRY_UNMEASURED: Duration = Duration::from_secs(10);

/// Bounds of the rest that is advised.
const RETRY_MIN: Duration = Duration::from_secs(1);
const RETRY_MAX: Duration = Duration::from_hours(1);

/// The spec of puzzles that a filter of this kind lets through. What it leaves open is as a job leaves it open.
#[must_use]
pub fn spec(kind: &dyn PuzzleKind, filter: &ShelfFilter) -> Spec {
    let (min, max) = (filter.rating_min, filter.rating_max);
    let border = kind.levels().iter().find(|border| (border.min, border.max) == (min, max));
    let target = match border {
        Some(border) => Target::Level(border.level),
        None if (min, max) == (ShelfFilter::ANY.rating_min, ShelfFilter::ANY.rating_max) => Target::Any,
        None => Target::within(kind.levels(), Some(min), Some(max)),
    };
    Spec {
        kind: kind.name().to_owned(),
        variant: filter.variant.clone().unwrap_or_else(|| kind.default_variant().to_owned()),
        symmetry: filter.symmetry.unwrap_or(Symmetry::None),
        target,
        clues: None,
    }
}

/// The name of what is missing: equal for equal specs.
#[must_use]
pub fn name(spec: &Spec) -> String {
    let target = match spec.target {
        Target::Any => "any level".to_owned(),
        Target::Level(level) => level.name().to_owned(),
        Target::Range { min, max } => format!("rated {min} to {max}"),
    };
    format!("{} {} {} {target}", spec.kind, spec.variant, spec.symmetry.name())
}

/// Time until one of these jobs, at the pace of each so far, has made a puzzle that may fit. None if no job would help.
#[must_use]
pub fn retry_after(jobs: &[Job], filter: &ShelfFilter, now: Millis) -> Option<Duration> {
    let helping: Vec<_> = jobs.iter().filter(|job| job.state.is_open() && may_fit(&job.spec, filter)).collect();
    let due = helping.iter().map(|job| job.not_before_at.ms_since(now).max(0)).min()?;
    let per_ms: f64 = helping.iter().filter_map(|job| pace(job, now)).sum();
    let rest = if per_ms > 0.0 { Duration::from_secs_f64(1.0 / per_ms / 1_000.0) } else { RETRY_UNMEASURED };
    Some((rest + Duration::from_millis(due.unsigned_abs())).clamp(RETRY_MIN, RETRY_MAX))
}

/// Puzzles that a job has made in a millisecond, at least one in [`RETRY_MAX`]; none before its first one.
fn pace(job: &Job, now: Millis) -> Option<f64> {
    let since = now.ms_since(job.started_at?).clamp(1, i64::try_from(RETRY_MAX.as_millis()).unwrap_or(i64::MAX));
    #[expect(clippy::cast_precision_loss, reason = "an hour of milliseconds is exact")]
    (job.made > 0).then(|| f64::from(job.made) / since as f64)
}

/// Whether some puzzle that the spec allows stands on a shelf that the filter lets through.
fn may_fit(spec: &Spec, filter: &ShelfFilter) -> bool {
    let (min, max) = match spec.target {
        Target::Any => (Tenths(0), Tenths(u8::MAX)),
        Target::Range { min, max } => (min, max),
        Target::Level(level) => {
            let borders = registry::kind(&spec.kind).map(PuzzleKind::levels);
            let border = borders.and_then(|borders| borders.iter().find(|border| border.level == level));
            border.map_or((Tenths(0), Tenths(u8::MAX)), |border| (border.min, border.max))
        }
    };
    filter.kind.as_ref().is_none_or(|kind| *kind == spec.kind)
        && filter.variant.as_ref().is_none_or(|variant| *variant == spec.variant)
        && filter.symmetry.is_none_or(|symmetry| symmetry == spec.symmetry)
        && min <= filter.rating_max
        && filter.rating_min <= max
}
