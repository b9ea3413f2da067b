//! Rule: decides what to do if no puzzle in stock fits: which job would fill the shortfall, whether and how long to wait, and
//! whether and when to retry. Pure functions.

use std::time::Duration;

use crate::{
    deliveries::holder::Holder,
    jobs::job::Job,
    stock::filter::ShelfFilter,
    targets::{
        need::{Need, Outlook, is_hopeless, seconds_per_hit},
        target::MakingRate,
        window::Window,
    },
};
use puzzled_base::clock::Millis;
use puzzled_engine::shared::{
    criteria::Criteria,
    kind::PuzzleKind,
    spec::{Difficulty, Spec, SpecError},
};

/// The retry delay if no job has a pace yet and the spec has no making rate.
const RETRY_UNMEASURED: Duration = Duration::from_secs(10);

/// The shortest retry delay.
const RETRY_MIN: Duration = Duration::from_secs(1);
const RETRY_MAX: Duration = Duration::from_hours(1);

/// Before the first hit, the error asks the caller to retry, unless the misses show with 99% confidence that one puzzle takes longer than
/// this working time, in milliseconds.
const RETRY_PUZZLE_MS: f64 = 10_000.0;

/// A wait ends this long before the caller's deadline, so that the response arrives in time.
const WAIT_MARGIN: Duration = Duration::from_millis(100);

/// The spec of puzzles of this kind that a filter accepts, with the style of its level where the filter leaves it open.
///
/// # Errors
/// The first [`SpecError`] if the variant or the technique is unknown, or if the criteria exclude each other.
pub fn spec(kind: &dyn PuzzleKind, filter: &ShelfFilter) -> Result<Spec, SpecError> {
    on_scale(kind, filter.criteria()).spec(kind).map_err(first)
}

/// Like [`spec`], but only if such puzzles are made.
///
/// # Errors
/// The first [`SpecError`], also if the kind does not make such puzzles.
pub fn made_spec(kind: &dyn PuzzleKind, filter: &ShelfFilter) -> Result<Spec, SpecError> {
    on_scale(kind, filter.criteria()).resolve(kind).map_err(first)
}

/// Limits the ratings to the scale of the variant: a filter for all variants may state ratings that this one does not reach.
fn on_scale(kind: &dyn PuzzleKind, criteria: Criteria) -> Criteria {
    let Some(info) = kind.variant(criteria.variant.as_deref().unwrap_or(kind.default_variant())) else {
        return criteria;
    };
    let (Some(easiest), Some(hardest)) = (info.levels.first(), info.levels.last()) else { return criteria };
    let min_rating = criteria.min_rating.map(|min| min.max(easiest.min));
    let max_rating = criteria.max_rating.map(|max| max.min(hardest.max));
    Criteria { min_rating, max_rating, ..criteria }
}

fn first(faults: Vec<SpecError>) -> SpecError {
    faults.into_iter().next().unwrap_or_else(|| SpecError::invalid("kind", "no puzzles of these criteria are made"))
}

/// The name of a shortfall: equal for equal specs and holders.
#[must_use]
pub fn name(spec: &Spec, holder: Option<&Holder>) -> String {
    let difficulty = match spec.difficulty {
        Difficulty::Any => "any level".to_owned(),
        Difficulty::Level(level) => level.name().to_owned(),
        Difficulty::Range { min, max } => format!("rated {min} to {max}"),
    };
    let givens = spec.givens.map(|givens| format!("with {givens} givens"));
    let words = [&spec.kind, &spec.variant, spec.symmetry.name(), &difficulty].map(str::to_owned);
    let holder = holder.map(|holder| format!("for {holder}"));
    words.into_iter().chain(spec.technique.clone()).chain(givens).chain(holder).collect::<Vec<_>>().join(" ")
}

/// How long calls wait for a puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waits {
    /// The wait of a call without a deadline, unless `max` is shorter.
    pub default: Duration,
    /// The longest wait.
    pub max: Duration,
}

/// How long a call waits for a puzzle. `timeout` is the time until the caller's deadline.
#[must_use]
pub fn wait_max(timeout: Option<Duration>, waits: Waits) -> Duration {
    timeout.map_or(waits.default, |timeout| timeout.saturating_sub(WAIT_MARGIN)).min(waits.max)
}

/// The possible sources of new puzzles.
#[derive(Debug, Clone, Copy, Default)]
pub struct Supply<'a> {
    /// Whether the queue is paused, or the stock is full.
    pub is_stopped: bool,
    /// Whether the caller has queued a job that makes puzzles that fit.
    pub is_queued: bool,
    /// Open jobs.
    pub jobs: &'a [Job],
    /// Whether there may be more open jobs than `jobs`.
    pub has_more_jobs: bool,
    /// The stock targets.
    pub outlooks: &'a [Outlook],
}

/// Whether a puzzle that fits may be made: the queue runs, and a job or a refill may make one.
#[must_use]
pub fn may_be_made(supply: Supply<'_>, filter: &ShelfFilter, now: Millis) -> bool {
    let Supply { is_stopped, is_queued, jobs, has_more_jobs, outlooks } = supply;
    let job_helps = |job: &Job| job.state.is_open() && filter.may_get(&job.spec);
    let target_helps = |it: &Outlook| filter.may_get(&it.target.wish.spec) && may_be_refilled(it, now);
    !is_stopped && (is_queued || has_more_jobs || jobs.iter().any(job_helps) || outlooks.iter().any(target_helps))
}

/// Whether a refill of a target may be queued before its window closes.
fn may_be_refilled(outlook: &Outlook, now: Millis) -> bool {
    let schedule = outlook.target.wish.schedule.as_ref();
    let is_open = schedule.is_none_or(|it| Window::read(it, now).is_ok_and(|window| window.closes_at(now).is_some()));
    is_open && matches!(outlook.need, Need::Job { .. } | Need::Rest { .. } | Need::Filling)
}

/// Measurements of making puzzles that fit.
#[derive(Debug, Clone, Copy, Default)]
pub struct Measured<'a> {
    /// The making rate of their spec; `None` if the spec has no tries.
    pub rate: Option<&'a MakingRate>,
    /// The number of workers that share the work, as forecasts assume.
    pub workers: u32,
}

/// Whether to repeat a call that found no puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// No open job may make a puzzle that fits.
    NoJob,
    /// After this time, an open job has probably made a puzzle that fits.
    After(Duration),
    /// An open job may make one, but not soon: there was no hit so far.
    Hopeless {
        /// The number of tries without a hit.
        tries: u64,
    },
}

/// Decides whether a retry helps. The delay follows from the making rate of such puzzles, or else from the pace of each job
/// so far, or else is `RETRY_UNMEASURED`.
#[must_use]
pub fn retry(jobs: &[Job], filter: &ShelfFilter, measured: Measured<'_>, now: Millis) -> Retry {
    let helping: Vec<_> = jobs.iter().filter(|job| job.state.is_open() && filter.may_get(&job.spec)).collect();
    let Some(due) = helping.iter().map(|job| job.not_before_at.ms_since(now).max(0)).min() else { return Retry::NoJob };
    if let Some(rate) = measured.rate.filter(|rate| is_hopeless(rate, RETRY_PUZZLE_MS)) {
        return Retry::Hopeless { tries: rate.tries };
    }
    let by_rate = measured.rate.and_then(seconds_per_hit).map(|seconds| seconds / f64::from(measured.workers.max(1)));
    let by_pace = || {
        let per_ms: f64 = helping.iter().filter_map(|job| pace(job, now)).sum();
        (per_ms > 0.0).then(|| 1.0 / per_ms / 1_000.0)
    };
    let making = by_rate
        .or_else(by_pace)
        .map_or(RETRY_UNMEASURED, |seconds| Duration::try_from_secs_f64(seconds).unwrap_or(RETRY_MAX).min(RETRY_MAX));
    Retry::After((making + Duration::from_millis(due.unsigned_abs())).clamp(RETRY_MIN, RETRY_MAX))
}

/// The number of puzzles that a job has made per millisecond, at least one per [`RETRY_MAX`]; `None` before its first puzzle.
fn pace(job: &Job, now: Millis) -> Option<f64> {
    let since = now.ms_since(job.started_at?).clamp(1, i64::try_from(RETRY_MAX.as_millis()).expect("an hour"));
    #[expect(clippy::cast_precision_loss, reason = "an hour of milliseconds is exact")]
    (job.made > 0).then(|| f64::from(job.made) / since as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        jobs::{admission::tests::queued, job::JobState},
        stock::criterion::{GivensFilter, VariantFilter},
        targets::target::{Schedule, StockTarget, Wish},
    };
    use puzzled_base::ids::TargetId;
    use puzzled_engine::{
        registry,
        shared::{
            givens::Givens,
            level::{Level, Tenths},
            symmetry::Symmetry,
        },
    };

    const NOW: Millis = Millis(1_000_000);

    fn sudoku() -> &'static dyn PuzzleKind {
        registry::kind("sudoku").unwrap()
    }

    fn filter(min: u8, max: u8) -> ShelfFilter {
        let difficulty = Difficulty::Range { min: Tenths(min), max: Tenths(max) };
        ShelfFilter { kind: Some("sudoku".to_owned()), difficulty, ..ShelfFilter::ANY }
    }

    fn of(difficulty: Difficulty) -> ShelfFilter {
        ShelfFilter { difficulty, ..filter(0, 0) }
    }

    /// A job for hard puzzles that has run for `ms` milliseconds.
    fn job(made: u32, ms: i64) -> Job {
        let hard = queued(spec(sudoku(), &of(Difficulty::Level(Level::Hard))).unwrap());
        Job { state: JobState::Running, made, started_at: Some(NOW.plus_ms(-ms)), ..hard }
    }

    #[test]
    fn shortfall_job_has_the_spec_of_the_request_and_the_style_of_its_level() {
        let resolved = |filter: &ShelfFilter| spec(sudoku(), filter).unwrap();
        let hard = of(Difficulty::Level(Level::Hard));
        let style = sudoku().variant("9x9").unwrap().style(Level::Hard).unwrap();
        let styled = resolved(&hard);
        assert_eq!((styled.symmetry, styled.givens), (style.symmetry, style.made));
        assert_eq!(
            name(&styled, None),
            format!("sudoku 9x9 {} hard with {} givens", style.symmetry.name(), style.made.unwrap())
        );
        assert!(hard.may_get(&styled));
        let bare = ShelfFilter {
            symmetry: Some(Symmetry::None),
            givens: GivensFilter::Within { min: Some(24), max: Some(24) },
            ..filter(27, 31)
        };
        let range = Difficulty::Range { min: Tenths(27), max: Tenths(31) };
        let ranged = resolved(&bare);
        assert_eq!((ranged.difficulty, ranged.givens), (range, Some(Givens::new(24, 24))));
        assert_eq!(name(&ranged, None), "sudoku 9x9 none rated 2.7 to 3.1 with 24 givens");
        let x_wing = resolved(&ShelfFilter { technique: Some("X-Wing".to_owned()), ..of(Difficulty::Any) });
        assert_eq!(x_wing.technique.as_deref(), Some("X-Wing"));
        assert!(matches!(x_wing.difficulty, Difficulty::Range { .. }), "the ratings of the technique");
        let kakuro = ShelfFilter { variant: VariantFilter::OfBase("20x20".to_owned()), ..ShelfFilter::ANY };
        let default = registry::kind("kakuro").unwrap();
        assert_eq!(spec(default, &kakuro).unwrap().variant, "20x20");
        assert_eq!(spec(default, &ShelfFilter::ANY).unwrap().variant, "8x10");
    }

    #[test]
    fn criteria_that_no_spec_can_have_are_refused_with_the_field() {
        let easy = of(Difficulty::Level(Level::Easy));
        let unknown = ShelfFilter { variant: VariantFilter::Exactly("1x1".to_owned()), ..easy.clone() };
        let technique = |name: &str| ShelfFilter { technique: Some(name.to_owned()), ..easy.clone() };
        for (filter, wanted) in
            [(unknown, "variant"), (technique("Nothing"), "technique"), (technique("X-Wing"), "technique")]
        {
            assert_eq!(spec(sudoku(), &filter).unwrap_err().field(), wanted, "{filter:?}");
        }
    }

    #[test]
    fn retry_delay_is_the_time_for_one_puzzle() {
        let finished = Job { state: JobState::Failed, ..job(50, 1_000) };
        let later = Job { started_at: None, not_before_at: NOW.plus_ms(60_000), ..job(0, 0) };
        let cases: [(&[Job], Option<u64>); 8] = [
            (&[], None),
            (&[finished], None),
            (&[job(0, 5_000)], Some(10_000)),
            (std::slice::from_ref(&later), Some(70_000)),
            (&[job(10, 50_000)], Some(5_000)),
            (&[job(10, 50_000), job(20, 100_000), job(0, 9)], Some(2_500)),
            (&[job(100, 1_000), later.clone()], Some(1_000)),
            (&[job(1, i64::MAX / 2)], Some(3_600_000)),
        ];
        for (jobs, wanted) in cases {
            let advice = retry(jobs, &filter(30, 34), Measured::default(), NOW);
            let wanted = wanted.map_or(Retry::NoJob, |ms| Retry::After(Duration::from_millis(ms)));
            assert_eq!(advice, wanted, "{jobs:?}");
        }
    }

    #[test]
    fn making_rate_takes_precedence_over_job_pace() {
        let rate = |hits, work_ms| MakingRate { spec: String::new(), tries: 1_000, hits, work_ms };
        let put_off = Job { not_before_at: NOW.plus_ms(60_000), ..job(0, 0) };
        for (jobs, rate, workers, expected) in [
            (vec![job(10, 50_000)], rate(10, 400_000), 4, 10_000),
            (vec![job(0, 0)], rate(10, 400_000), 4, 10_000),
            (vec![job(0, 0)], rate(10, 400_000), 0, 40_000),
            (vec![put_off], rate(10, 400_000), 4, 70_000),
            (vec![job(0, 0)], rate(1_000, 5), 4, 1_000),
            (vec![job(0, 0)], rate(1, i64::MAX), 1, 3_600_000),
            // No try has given a puzzle so far.
            (vec![job(10, 50_000)], rate(0, 46_051), 4, 5_000),
        ] {
            let measured = Measured { rate: Some(&rate), workers };
            let advice = retry(&jobs, &filter(30, 34), measured, NOW);
            assert_eq!(advice, Retry::After(Duration::from_millis(expected)), "{rate:?} {workers}");
        }
        let measured = Measured { rate: Some(&rate(10, 10)), workers: 1 };
        assert_eq!(retry(&[], &filter(30, 34), measured, NOW), Retry::NoJob, "nobody makes any");
        // -ln(0.01) * 10 s = 46.05 s
        let measured = Measured { rate: Some(&rate(0, 46_052)), workers: 4 };
        assert_eq!(retry(&[job(10, 50_000)], &filter(30, 34), measured, NOW), Retry::Hopeless { tries: 1_000 });
    }

    #[test]
    fn wait_ends_before_the_deadline_and_has_a_limit() {
        for (timeout, wait) in [
            (None, 60_000),
            (Some(0), 0),
            (Some(99), 0),
            (Some(1_500), 1_400),
            (Some(600_099), 599_999),
            (Some(600_101), 600_000),
            (Some(u64::MAX), 600_000),
        ] {
            let waits = Waits { default: Duration::from_mins(1), max: Duration::from_mins(10) };
            let longest = wait_max(timeout.map(Duration::from_millis), waits);
            assert_eq!(longest, Duration::from_millis(wait), "{timeout:?}");
        }
    }

    /// A target for hard puzzles. If `has_window`, an hour's window opens at each midnight.
    fn outlook(need: Need, has_window: bool) -> Outlook {
        let spec = spec(sudoku(), &filter(26, 40)).unwrap();
        let schedule = has_window.then(|| Schedule {
            cron: "0 0 * * *".to_owned(),
            time_zone: "UTC".to_owned(),
            window_minutes: 60,
        });
        let wish = Wish { spec, low_water: None, count: 1, priority: 0, schedule };
        let target = StockTarget { id: TargetId(1), wish, declared_by: None, created_at: NOW, updated_at: NOW };
        let (refusal, rate, last) = (None, None, None);
        Outlook { target, have: 0, need, refusal, rate, last, seconds_to_full: None }
    }

    #[test]
    fn waiting_helps_only_if_a_fitting_puzzle_may_be_made() {
        let (job, finished) = ([job(0, 0)], [Job { state: JobState::Cancelled, ..job(0, 0) }]);
        let needs = Need::Job { not_after_at: None };
        let resting_need = Need::Rest { until: NOW.plus_ms(1) };
        let of = |need| [outlook(need, false)];
        let (target, resting, filled, unreachable) =
            (of(needs), of(resting_need), of(Need::Nothing), of(Need::Unreachable));
        let windowed = [outlook(resting_need, true)];
        let none = Supply::default();
        let (midnight, noon) = (Millis(0), Millis(43_200_000));
        for (supply, filter, now, helps) in [
            (none, filter(26, 40), NOW, false),
            (Supply { jobs: &job, ..none }, filter(40, 69), NOW, true),
            (Supply { jobs: &job, ..none }, filter(41, 69), NOW, false),
            (Supply { jobs: &finished, ..none }, filter(26, 40), NOW, false),
            (Supply { jobs: &finished, has_more_jobs: true, ..none }, filter(26, 40), NOW, true),
            (Supply { is_queued: true, ..none }, filter(26, 40), NOW, true),
            (Supply { outlooks: &target, ..none }, filter(30, 34), NOW, true),
            (Supply { outlooks: &target, ..none }, filter(41, 69), NOW, false),
            (Supply { outlooks: &resting, ..none }, filter(30, 34), NOW, true),
            (Supply { outlooks: &filled, ..none }, filter(30, 34), NOW, false),
            (Supply { outlooks: &unreachable, ..none }, filter(30, 34), NOW, false),
            (Supply { outlooks: &windowed, ..none }, filter(30, 34), midnight, true),
            (Supply { outlooks: &windowed, ..none }, filter(30, 34), noon, false),
            (
                Supply { is_stopped: true, is_queued: true, has_more_jobs: true, jobs: &job, outlooks: &target },
                filter(26, 40),
                NOW,
                false,
            ),
        ] {
            assert_eq!(may_be_made(supply, &filter, now), helps, "{supply:?} {filter:?}");
        }
    }

    #[test]
    fn job_helps_if_it_may_make_a_fitting_puzzle() {
        let job = [job(10, 50_000)];
        for (filter, helps) in [
            (filter(40, 69), true),
            (filter(41, 69), false),
            (filter(0, 25), false),
            (ShelfFilter { symmetry: Some(Symmetry::Full), ..filter(26, 40) }, false),
            (ShelfFilter { variant: VariantFilter::OfBase("9x9".to_owned()), ..filter(26, 40) }, true),
            (ShelfFilter { kind: Some("kakuro".to_owned()), ..filter(26, 40) }, false),
        ] {
            let advice = retry(&job, &filter, Measured::default(), NOW);
            assert_eq!(advice != Retry::NoJob, helps, "{filter:?}");
        }
    }
}
