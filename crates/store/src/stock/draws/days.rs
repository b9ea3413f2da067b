//! The days of the series: gives days their puzzles, queues the jobs that make them, delivers daily puzzles, and reports the
//! states of the coming days.

use std::collections::HashSet;

use jiff::civil::Date;

use crate::{
    StoreError,
    jobs::{
        admission::Enqueued,
        job::{Job, Labels, NewJob},
    },
    series::{
        daily_series::{Series, SeriesId},
        day::{DayDelivery, DayDrawn, NewDay},
        plan::{self, Lacking, SeriesOutlook},
    },
    stock::{
        draws::{Lack, Stock, WRITES_MAX},
        puzzle::Puzzle,
    },
    targets::need::is_unreachable,
};
use puzzled_base::{clock::Millis, ids::PuzzleId};
use puzzled_engine::registry;

/// The maximum number of held puzzles that one plan reads.
const HELD_MAX: u32 = 10_000;

/// The maximum number of jobs of a series that are read. A series has one open job for each spec of its days.
const JOBS_MAX: u32 = 100;

/// The result of giving a day its puzzle.
#[derive(Debug, Clone, PartialEq)]
pub enum DayDraw {
    /// The puzzle of the day.
    Puzzle(Box<Puzzle>),
    /// No puzzle fits.
    Exhausted(Lack),
    /// The terms of the series changed during each draw, or the day is before its first one. A retry may succeed.
    Unlucky,
    /// The series has ended, and the day has no puzzle.
    Ended,
}

/// What one plan has done.
#[derive(Debug, Default)]
pub struct Planned {
    /// The days that got a puzzle: the name of the series, the date, and the puzzle.
    pub drawn: Vec<(String, Date, PuzzleId)>,
    /// The jobs that were queued, each with the name of its series.
    pub queued: Vec<(String, Job)>,
}

impl Stock {
    /// Returns the puzzle of a day. A day without a puzzle gets one that the series holds. If the series holds no puzzle that
    /// fits, and `from_shelves` is set, the day gets one from the shelves.
    ///
    /// # Errors
    /// [`StoreError`]. The day may have its puzzle by now; a retry is safe.
    pub async fn draw_day(&self, series: &Series, date: Date, from_shelves: bool) -> Result<DayDraw, StoreError> {
        let (mut counts, mut are_fresh) = (self.counts.recent().await?, false);
        let mut series = series.clone();
        for _ in 0..WRITES_MAX {
            let Some(fitting) = series.filter_on(date) else { return Ok(DayDraw::Unlucky) };
            let new = NewDay {
                series_id: series.id,
                date,
                among: from_shelves.then(|| counts.choice(&fitting)),
                fitting,
                seed: self.chance.next_u64(),
            };
            match self.store.draw_day(&new).await? {
                DayDrawn::New(puzzle) | DayDrawn::Same(puzzle) => return Ok(DayDraw::Puzzle(puzzle)),
                DayDrawn::Ended => return Ok(DayDraw::Ended),
                DayDrawn::Exhausted if are_fresh || !from_shelves => {
                    return Ok(DayDraw::Exhausted(Lack::of(&counts.drawn, &new.fitting)));
                }
                DayDrawn::Exhausted => {
                    // Old counts must not lead to the answer "exhausted".
                    (counts, are_fresh) = (self.counts.fresh().await?, true);
                }
                DayDrawn::Unlucky => {
                    // The terms of the series may have changed.
                    let Some(read) = self.store.series(&series.name).await? else { return Ok(DayDraw::Ended) };
                    series = read;
                }
            }
        }
        Ok(DayDraw::Unlucky)
    }

    /// Records a daily puzzle for an audience, unless the audience has its repeat hash. Concurrent callers share a write.
    ///
    /// # Errors
    /// [`StoreError`]. The delivery may have been recorded; a retry is safe.
    pub async fn deliver_day(&self, delivery: DayDelivery, kind: &str) -> Result<(), StoreError> {
        if self.days.call(delivery).await? {
            self.counters.delivered.one(kind, None);
        }
        Ok(())
    }

    /// Gives the coming days of all series their puzzles, and queues jobs for those that lack one. Days that begin soon also
    /// get puzzles from the shelves. Any number of processes may plan at the same time.
    ///
    /// # Errors
    /// [`StoreError`]. What was drawn or queued before the error stays so.
    pub async fn plan_days(&self) -> Result<Planned, StoreError> {
        let mut planned = Planned::default();
        let series: Vec<_> = self.store.all_series().await?.into_iter().filter(|it| it.ended_at.is_none()).collect();
        if series.is_empty() {
            return Ok(planned);
        }
        let now = self.store.now().await?;
        for series in series.iter().filter(|series| !series.is_settled(now)) {
            self.store.settle_series(series.id).await?;
        }
        let mut lacking = self.without_puzzle(&series, now).await?;
        lacking.retain(|(_, dates)| !dates.is_empty());
        if lacking.is_empty() {
            return Ok(planned);
        }
        let held = self.store.free_held(HELD_MAX).await?;
        let may_run = !self.store.stops().await?.are_any();
        for (series, dates) in lacking {
            let mut left = Vec::new();
            for date in dates {
                match self.plan_day(series, date, &held, now).await? {
                    Some(id) => planned.drawn.push((series.name.clone(), date, id)),
                    None => left.push(date),
                }
            }
            if may_run {
                for job in self.queue_days(series, &left, now).await? {
                    planned.queued.push((series.name.clone(), job));
                }
            }
        }
        Ok(planned)
    }

    /// The coming days of each series that have no puzzle.
    async fn without_puzzle<'a>(
        &self,
        series: &'a [Series],
        now: Millis,
    ) -> Result<Vec<(&'a Series, Vec<Date>)>, StoreError> {
        let ahead = self.planner.bounds().daily_ahead_days;
        let coming: Vec<_> = series.iter().map(|series| (series, series.coming_dates(now, ahead))).collect();
        let Some(from) = coming.iter().filter_map(|(_, dates)| dates.first()).min() else { return Ok(Vec::new()) };
        let known = self.known_days(*from).await?;
        let lacking = coming.into_iter().map(|(series, mut dates)| {
            dates.retain(|date| !known.contains(&(series.id, *date)));
            (series, dates)
        });
        Ok(lacking.collect())
    }

    async fn known_days(&self, from: Date) -> Result<HashSet<(SeriesId, Date)>, StoreError> {
        Ok(self.store.days(from).await?.into_iter().map(|day| (day.series_id, day.date)).collect())
    }

    /// Gives a day its puzzle if the series holds one that fits, or if the day is urgent and the stock has one. Otherwise,
    /// begins no write.
    async fn plan_day(
        &self,
        series: &Series,
        date: Date,
        held: &[Puzzle],
        now: Millis,
    ) -> Result<Option<PuzzleId>, StoreError> {
        let Some(fitting) = series.filter_on(date) else { return Ok(None) };
        let holder = series.holder();
        let has_held = held.iter().any(|it| it.holder.as_ref() == Some(&holder) && fitting.fits(&it.shelf));
        let is_urgent = series.is_urgent(date, now);
        let has_stock = is_urgent && self.counts.recent().await?.choice(&fitting).live() > 0;
        if !has_held && !has_stock {
            return Ok(None);
        }
        match self.draw_day(series, date, is_urgent).await? {
            DayDraw::Puzzle(puzzle) => Ok(Some(puzzle.id)),
            DayDraw::Exhausted(_) | DayDraw::Unlucky | DayDraw::Ended => Ok(None),
        }
    }

    /// Queues a job for each spec that days of a series lack, unless such a job is open or has failed lately.
    async fn queue_days(&self, series: &Series, dates: &[Date], now: Millis) -> Result<Vec<Job>, StoreError> {
        let lacking = plan::lacking(series, dates);
        if lacking.is_empty() {
            return Ok(Vec::new());
        }
        let jobs = self.store.jobs_of_series(&series.name, JOBS_MAX).await?;
        let mut queued = Vec::new();
        for lacking in lacking {
            let last = jobs.iter().find(|(shortfall, _)| *shortfall == lacking.shortfall).map(|(_, job)| job);
            if !plan::needs_job(last, now) || is_unreachable(self.rate(&lacking.spec).await?.as_ref()) {
                continue;
            }
            let open_jobs_max = self.planner.bounds().max_open_jobs;
            if let Enqueued::New(job) = self.store.enqueue(self.job_for(series, lacking), open_jobs_max).await? {
                queued.push(job);
            }
        }
        Ok(queued)
    }

    fn job_for(&self, series: &Series, lacking: Lacking) -> NewJob {
        let bounds = self.planner.bounds();
        let Lacking { spec, shortfall, dates } = lacking;
        NewJob {
            needed_version: registry::needed_version(&spec),
            spec,
            wanted: u32::try_from(dates.len()).unwrap_or(u32::MAX).min(bounds.max_count),
            seed: self.chance.next_u64(),
            priority: plan::PRIORITY,
            tries_max: bounds.max_tries,
            work_ms_max: None,
            not_before_at: Millis::default(),
            labels: Labels::new(),
            request: None,
            shortfall: Some(shortfall),
            by: None,
            holder: Some(series.holder()),
        }
    }

    /// Returns all series with the states of their coming days, at most `plan::SHOWN_DAYS_MAX` each, by name.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be read.
    pub async fn series_outlooks(&self) -> Result<Vec<SeriesOutlook>, StoreError> {
        let all = self.store.all_series().await?;
        let now = self.store.now().await?;
        let ahead = self.planner.bounds().daily_ahead_days.min(plan::SHOWN_DAYS_MAX - 1);
        let first = |series: &Series| series.coming_dates(now, ahead).into_iter().next();
        let Some(from) = all.iter().filter_map(first).min() else {
            return Ok(all.into_iter().map(|series| SeriesOutlook::of(series, now, ahead, |_| false, &[])).collect());
        };
        let known = self.known_days(from).await?;
        let mut outlooks = Vec::with_capacity(all.len());
        for series in all {
            let jobs = self.store.jobs_of_series(&series.name, JOBS_MAX).await?;
            let id = series.id;
            outlooks.push(SeriesOutlook::of(series, now, ahead, |date| known.contains(&(id, date)), &jobs));
        }
        Ok(outlooks)
    }
}
