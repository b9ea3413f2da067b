//! Rule: decides what a stock target needs at one moment: a refill now or later, the end of its refill, or nothing. Also
//! decides whether its spec is unreachable, and forecasts when the target is full. Pure functions.

use crate::{
    jobs::job::{Job, JobState},
    targets::{
        target::{MakingRate, StockTarget, Wish},
        window::Window,
    },
};
use puzzled_base::clock::Millis;
use puzzled_engine::shared::tries::LN_100;

/// The pause after a failed job, in milliseconds. The cause may pass. If it does not, the pause keeps failing jobs from
/// occupying the workers.
const REST_AFTER_FAILURE_MS: i64 = 60_000;

/// The pause after a cancelled job, in milliseconds. It is long, because a person cancelled the job for a reason.
const REST_AFTER_CANCEL_MS: i64 = 3_600_000;

/// A spec is unreachable if, with 99% confidence, one puzzle takes more than this working time, in milliseconds.
const PUZZLE_MS_MAX: f64 = 60_000.0;

/// The facts that decide what a target needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sight<'a> {
    pub(crate) wish: &'a Wish,
    /// The number of puzzles in stock that count for the target.
    pub(crate) have: u64,
    /// The target's last job.
    pub(crate) last: Option<&'a Job>,
    /// The making rate of the spec.
    pub(crate) rate: Option<&'a MakingRate>,
    /// Why this version refuses the spec, if it does.
    pub(crate) refusal: Option<&'a str>,
    pub(crate) now: Millis,
}

/// What a target needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Nothing: the stock is at the low-water mark or above.
    Nothing,
    /// Nothing: a job is filling the target.
    Filling,
    /// The end of its job, because the stock already holds enough.
    EnoughWithoutJob,
    /// The end of its job, because the window has closed.
    TooLateForJob,
    /// A job in the next window.
    Window {
        /// The time at which that window opens; `None` if this version cannot read the schedule.
        opens_at: Option<Millis>,
    },
    /// A job after a pause.
    Rest {
        /// The end of the pause.
        until: Millis,
    },
    /// A job that this version cannot make: the spec is refused, or is unreachable; see [`is_unreachable`].
    Unreachable,
    /// A job now.
    Job {
        /// The time at which its window closes; `None` if it is always open.
        not_after_at: Option<Millis>,
    },
}

pub(crate) fn need(sight: Sight<'_>) -> Need {
    let Sight { wish, have, last, now, .. } = sight;
    let window = wish.schedule.as_ref().map(|schedule| Window::read(schedule, now));
    let closes_at = match &window {
        Some(Ok(window)) => window.closes_at(now),
        Some(Err(_)) | None => None,
    };
    let is_open = wish.schedule.is_none() || closes_at.is_some();
    if let Some(job) = last.filter(|job| job.state.is_open()) {
        return if have >= u64::from(wish.count) {
            Need::EnoughWithoutJob
        } else if !is_open && job.not_after_at.is_some_and(|at| at <= now) {
            Need::TooLateForJob
        } else {
            Need::Filling
        };
    }
    if have >= u64::from(wish.low_water_mark()) {
        return Need::Nothing;
    }
    if sight.refusal.is_some() || is_unreachable(sight.rate) {
        return Need::Unreachable;
    }
    if let Some(until) = last.and_then(|job| rest(job, now)) {
        return Need::Rest { until };
    }
    if is_open {
        return Need::Job { not_after_at: closes_at };
    }
    Need::Window { opens_at: window.and_then(Result::ok).and_then(|window| window.opens_after(now)) }
}

/// Whether a spec with this making rate is unreachable: it has no hit, and so much work that one puzzle takes more than a
/// minute of one core, with 99% confidence. The rate counts committed tries only, so all processes decide alike.
#[must_use]
pub fn is_unreachable(rate: Option<&MakingRate>) -> bool {
    rate.is_some_and(|rate| is_hopeless(rate, PUZZLE_MS_MAX))
}

/// Whether a job of a spec with this making rate is given up. If the spec was unreachable before the job's own work, an
/// operator tries again, and the job gets as much work as the first one had.
#[must_use]
pub(crate) fn is_given_up(rate: &MakingRate, own_work_ms: i64) -> bool {
    let alone = |work_ms| is_unreachable(Some(&MakingRate { work_ms, ..rate.clone() }));
    is_unreachable(Some(rate)) && (!alone(rate.work_ms - own_work_ms) || alone(own_work_ms))
}

/// Whether one puzzle takes more than this working time, with 99% confidence, because there was no hit so far.
#[expect(clippy::cast_precision_loss, reason = "working times stay far below 2^52 milliseconds")]
pub(crate) fn is_hopeless(rate: &MakingRate, puzzle_ms: f64) -> bool {
    rate.hits == 0 && rate.work_ms as f64 > LN_100 * puzzle_ms
}

/// The error of a job whose spec is unreachable. `nearest` is its nearest miss.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "working times stay far below 2^52 milliseconds")]
pub fn unreachable(rate: &MakingRate, nearest: &str) -> String {
    let minutes = rate.work_ms as f64 / 60_000.0;
    format!(
        "UNREACHABLE: no puzzle in {} tries and {minutes:.1} minutes of work; nearest: {nearest}; set other criteria",
        rate.tries
    )
}

/// The end of the pause after a job that failed or was cancelled. If the clock was set back, the pause is over.
pub(crate) fn rest(last: &Job, now: Millis) -> Option<Millis> {
    let ended_at = last.ended_at?;
    let rest_ms = match last.state {
        JobState::Failed => REST_AFTER_FAILURE_MS,
        JobState::Cancelled => REST_AFTER_CANCEL_MS,
        JobState::Ended | JobState::Succeeded | JobState::Queued | JobState::Running => return None,
    };
    (0..rest_ms).contains(&now.ms_since(ended_at)).then(|| ended_at.plus_ms(rest_ms))
}

/// Number of puzzles from which a running job's own pace replaces the making rate of its spec.
const PACE_FROM: u32 = 10;

/// A target and its forecast.
#[derive(Debug, Clone, PartialEq)]
pub struct Outlook {
    /// The target.
    pub target: StockTarget,
    /// Puzzles in stock that count for it.
    pub have: u64,
    /// What it needs.
    pub need: Need,
    /// Why this version does not generate its spec.
    pub refusal: Option<String>,
    /// The making rate of its spec; `None` without tries.
    pub rate: Option<MakingRate>,
    /// Its last job.
    pub last: Option<Job>,
    /// Time until it is full, in seconds, once it is being filled; `None` if nothing has been measured
    /// yet.
    pub seconds_to_full: Option<f64>,
}

impl Outlook {
    /// Puzzles missing.
    #[must_use]
    pub fn missing(&self) -> u64 {
        u64::from(self.target.wish.count).saturating_sub(self.have)
    }
}

/// Working time for one puzzle, in seconds; `None` without hits.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "an estimate needs few digits")]
pub fn seconds_per_hit(rate: &MakingRate) -> Option<f64> {
    (rate.hits > 0).then(|| rate.work_ms as f64 / 1_000.0 / rate.hits as f64)
}

/// The outlook of a target if this number of workers makes its puzzles.
#[expect(clippy::cast_precision_loss, reason = "an estimate needs few digits")]
pub(crate) fn outlook(target: &StockTarget, sight: Sight<'_>, workers: u32) -> Outlook {
    let missing = u64::from(target.wish.count).saturating_sub(sight.have) as f64;
    let by_past = sight.rate.and_then(seconds_per_hit).map(|seconds| seconds / f64::from(workers.max(1)));
    let each = sight.last.and_then(|job| pace(job, sight)).or(by_past);
    Outlook {
        target: target.clone(),
        have: sight.have,
        need: need(sight),
        refusal: sight.refusal.map(str::to_owned),
        rate: sight.rate.cloned(),
        last: sight.last.cloned(),
        seconds_to_full: if missing == 0.0 { Some(0.0) } else { each.map(|each| each * missing) },
    }
}

/// Seconds of wall-clock time for each puzzle of a running job. They depend on the number of workers and on their other
/// work.
#[expect(clippy::cast_precision_loss, reason = "an estimate needs few digits")]
fn pace(job: &Job, sight: Sight<'_>) -> Option<f64> {
    let started_at = job.started_at.filter(|_| job.state.is_open() && job.made >= PACE_FROM)?;
    let ms = sight.now.ms_since(started_at);
    (ms > 0).then(|| ms as f64 / 1_000.0 / f64::from(job.made))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{jobs::admission::tests::queued, targets::target::Schedule};
    use puzzled_base::ids::TargetId;
    use puzzled_engine::toy::toy_spec;

    /// 2026-11-21T00:00:00Z, one minute after the nightly window opened.
    const NOW: Millis = Millis(1_795_219_200_000);

    fn wish() -> Wish {
        Wish { spec: toy_spec(), low_water: Some(50), count: 100, priority: -10, schedule: None }
    }

    fn nightly() -> Wish {
        let schedule = Schedule { cron: "59 23 * * *".to_owned(), time_zone: "UTC".to_owned(), window_minutes: 10 };
        Wish { schedule: Some(schedule), ..wish() }
    }

    fn job(state: JobState, ended_at: Option<Millis>, not_after_at: Option<Millis>) -> Job {
        Job { state, target_id: Some(TargetId(1)), not_after_at, ended_at, ..queued(toy_spec()) }
    }

    /// The facts for a target if the stock is empty.
    fn empty(wish: &Wish) -> Sight<'_> {
        Sight { wish, have: 0, last: None, rate: None, refusal: None, now: NOW }
    }

    fn check(wish: &Wish, have: u64, last: Option<&Job>, now: Millis, expected: Need) {
        let sight = Sight { have, last, now, ..empty(wish) };
        assert_eq!(need(sight), expected, "have {have}, last {last:?}");
    }

    #[test]
    fn job_is_needed_only_below_the_low_water_mark() {
        check(&wish(), 49, None, NOW, Need::Job { not_after_at: None });
        for have in [50, 99, 100, 1_000] {
            check(&wish(), have, None, NOW, Need::Nothing);
        }
    }

    #[test]
    fn job_is_ended_when_the_target_is_reached_without_it() {
        for state in [JobState::Queued, JobState::Running] {
            check(&wish(), 49, Some(&job(state, None, None)), NOW, Need::Filling);
            check(&wish(), 99, Some(&job(state, None, None)), NOW, Need::Filling);
            check(&wish(), 100, Some(&job(state, None, None)), NOW, Need::EnoughWithoutJob);
        }
    }

    #[test]
    fn target_waits_for_its_next_window() {
        let [opened, closes] = [NOW.plus_ms(-60_000), NOW.plus_ms(9 * 60_000)];
        check(&nightly(), 0, None, NOW, Need::Job { not_after_at: Some(closes) });
        let next = opened.plus_ms(24 * 3_600_000);
        check(&nightly(), 0, None, closes, Need::Window { opens_at: Some(next) });
        let planned = job(JobState::Running, None, Some(closes));
        check(&nightly(), 0, Some(&planned), closes.plus_ms(-1), Need::Filling);
        check(&nightly(), 0, Some(&planned), closes, Need::TooLateForJob);
        // A manual refill has no deadline.
        check(&nightly(), 0, Some(&job(JobState::Running, None, None)), closes, Need::Filling);
    }

    #[test]
    fn target_rests_after_a_failed_job_unless_the_clock_went_back() {
        let finished = Some(NOW);
        let due = Need::Job { not_after_at: None };
        for (last, rest_ms) in [
            (job(JobState::Failed, finished, None), REST_AFTER_FAILURE_MS),
            (job(JobState::Cancelled, finished, None), REST_AFTER_CANCEL_MS),
            (job(JobState::Cancelled, finished, finished), REST_AFTER_CANCEL_MS),
        ] {
            let until = NOW.plus_ms(rest_ms);
            check(&wish(), 0, Some(&last), NOW, Need::Rest { until });
            check(&wish(), 0, Some(&last), until.plus_ms(-1), Need::Rest { until });
            check(&wish(), 0, Some(&last), until, due);
            check(&wish(), 0, Some(&last), NOW.plus_ms(-1), due);
        }
        for state in [JobState::Ended, JobState::Succeeded] {
            check(&wish(), 0, Some(&job(state, finished, None)), NOW, due);
        }
    }

    #[test]
    fn target_of_a_refused_spec_is_unreachable_below_its_low_water_mark() {
        let wish = wish();
        let sight = Sight { refusal: Some("min_rating: too hard"), ..empty(&wish) };
        assert_eq!(need(sight), Need::Unreachable);
        assert_eq!(need(Sight { have: 50, ..sight }), Need::Nothing);
        let job = job(JobState::Queued, None, None);
        assert_eq!(need(Sight { last: Some(&job), ..sight }), Need::Filling);
    }

    #[test]
    fn spec_is_unreachable_after_work_without_a_hit() {
        // -ln(0.01) * 60 s = 276.31 s
        let job = Need::Job { not_after_at: None };
        for (work_ms, hits, wanted) in [
            (276_310, 0, job),
            (276_311, 0, Need::Unreachable),
            (10_000_000, 0, Need::Unreachable),
            (10_000_000, 1, job),
        ] {
            let rate = MakingRate { spec: String::new(), tries: 580, hits, work_ms };
            let wish = wish();
            assert_eq!(need(Sight { rate: Some(&rate), ..empty(&wish) }), wanted, "{hits} in {work_ms} ms");
            assert_eq!(is_unreachable(Some(&rate)), wanted == Need::Unreachable);
        }
        assert!(!is_unreachable(None));
        let rate = |work_ms| MakingRate { spec: String::new(), tries: 580, hits: 0, work_ms };
        for (work_ms, own_work_ms, is_over) in [
            (276_000, 276_000, false),
            (277_000, 277_000, true),
            (300_000, 150_000, true),
            // An operator tries again.
            (300_000, 1_000, false),
            (600_000, 277_000, true),
        ] {
            assert_eq!(is_given_up(&rate(work_ms), own_work_ms), is_over, "{own_work_ms} of {work_ms} ms");
        }
        let rate = MakingRate { spec: String::new(), tries: 580, hits: 0, work_ms: 281_000 };
        let error = "UNREACHABLE: no puzzle in 580 tries and 4.7 minutes of work; nearest: rated 3.4 with 24 givens; set other \
                     criteria";
        assert_eq!(unreachable(&rate, "rated 3.4 with 24 givens"), error);
    }
}
