//! Rule: decides which jobs make the puzzles that the coming days of a series lack. Pure functions.

use std::collections::BTreeMap;

use jiff::civil::Date;

use crate::{
    jobs::job::Job,
    series::daily_series::Series,
    targets::{need::rest, shortage},
};
use puzzled_base::clock::Millis;
use puzzled_engine::{
    registry,
    shared::{criteria::Criteria, spec::Spec},
};

/// The priority of the jobs that make daily puzzles. It is higher than that of refills, because a day needs its puzzle in
/// time.
pub const PRIORITY: i32 = 0;

/// The maximum number of coming days whose states are shown.
pub(crate) const SHOWN_DAYS_MAX: u32 = 31;

/// Puzzles that days of a series lack.
#[derive(Debug, Clone, PartialEq)]
pub struct Lacking {
    /// What they must be.
    pub spec: Spec,
    /// The name of the shortfall. No two open jobs have it.
    pub shortfall: String,
    /// The days, earliest first. Never empty.
    pub dates: Vec<Date>,
}

/// Groups days without a puzzle by the spec of the puzzles that they need. Leaves out days whose puzzles this version does not
/// make: these days get their puzzles from the shelves.
#[must_use]
pub fn lacking(series: &Series, dates: &[Date]) -> Vec<Lacking> {
    let mut by_shortfall: BTreeMap<String, Lacking> = BTreeMap::new();
    for &date in dates {
        let Some(spec) = spec_on(series, date) else { continue };
        let shortfall = shortage::name(&spec, Some(&series.holder()));
        let new = || Lacking { spec, shortfall: shortfall.clone(), dates: Vec::new() };
        by_shortfall.entry(shortfall.clone()).or_insert_with(new).dates.push(date);
    }
    by_shortfall.into_values().collect()
}

fn spec_on(series: &Series, date: Date) -> Option<Spec> {
    let kind = registry::kind(series.criteria_on(date)?.kind.as_deref()?)?;
    let spec = shortage::spec(kind, &series.filter_on(date)?).ok()?;
    kind.check_spec(&spec).ok().map(|()| spec)
}

/// Whether a shortfall needs a job. It needs none while its last job is open, or if this job failed or was cancelled a
/// short time ago.
#[must_use]
pub(crate) fn needs_job(last: Option<&Job>, now: Millis) -> bool {
    last.is_none_or(|job| !job.state.is_open() && rest(job, now).is_none())
}

/// The state of a coming day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayState {
    /// The day has its puzzle.
    Ready,
    /// A job makes puzzles for it.
    Making,
    /// The day has no puzzle, and no open job makes one for it.
    Missing,
}

/// A day from the current one on.
#[derive(Debug, Clone, PartialEq)]
pub struct ComingDay {
    /// The date.
    pub date: Date,
    /// The criteria of its puzzle.
    pub criteria: Criteria,
    /// When it begins.
    pub begins_at: Millis,
    /// Its state.
    pub state: DayState,
}

/// A series with its coming days.
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesOutlook {
    /// The series.
    pub series: Series,
    /// The current day; `None` before the first one.
    pub current: Option<Date>,
    /// When the next day begins.
    pub next_day_at: Option<Millis>,
    /// The days from the current one on.
    pub coming: Vec<ComingDay>,
}

impl SeriesOutlook {
    /// The outlook of a series. `jobs` are the jobs that make its puzzles, each with its shortfall.
    #[must_use]
    pub fn of(
        series: Series,
        now: Millis,
        ahead: u32,
        has_puzzle: impl Fn(Date) -> bool,
        jobs: &[(String, Job)],
    ) -> Self {
        let is_made = |date| {
            let shortfall = spec_on(&series, date).map(|spec| shortage::name(&spec, Some(&series.holder())));
            shortfall.is_some_and(|of| jobs.iter().any(|(open, job)| *open == of && job.state.is_open()))
        };
        let coming = series.coming_dates(now, ahead).into_iter().filter_map(|date| {
            let state = if has_puzzle(date) {
                DayState::Ready
            } else if is_made(date) {
                DayState::Making
            } else {
                DayState::Missing
            };
            Some(ComingDay { date, criteria: series.criteria_on(date)?, begins_at: series.begins_at(date)?, state })
        });
        let (current, next_day_at) = (series.current_date(now), series.next_day_at(now));
        Self { coming: coming.collect(), current, next_day_at, series }
    }

    /// The number of coming days that have a puzzle, counted up to the first one without.
    #[must_use]
    pub fn ready(&self) -> usize {
        self.coming.iter().take_while(|day| day.state == DayState::Ready).count()
    }
}
