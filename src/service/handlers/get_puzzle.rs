//! `GetPuzzle`: gets one puzzle by ID, at random, or for an audience. If no puzzle fits, queues a job or waits if the request says
//! so, and otherwise builds the error. `GetDailyPuzzle` uses this for a day without a puzzle.

use std::{sync::Arc, time::Duration};

use super::{
    draw_request::{DrawRequest, Drawn},
    ratings,
    scramble::{self, Shown},
};
use crate::calls::limits::compute::Cancel;
use crate::{
    access::Caller,
    calls::{
        errors::{
            ServiceError,
            exhausted::{Exhausted, Tries},
        },
        service::Service,
    },
    service::{
        parse::{self, DayOf, Fitting, Wanted},
        render::puzzle::Include,
    },
};
use puzzled_api::v1 as pb;
use puzzled_base::clock::Millis;
use puzzled_engine::{registry, shared::spec::Difficulty};
use puzzled_store::{
    access::principal::Role,
    ids::{JobId, PuzzleId},
    jobs::{
        admission::{Enqueued, Refusal},
        job::{Labels, NewJob},
        queue_state::Stops,
    },
    stock::{
        draws::{Draw, Lack, Order, days::DayDraw},
        filter::ShelfFilter,
        puzzle::Puzzle,
    },
    targets::{
        need::is_unreachable,
        shortage::{self, Measured, Waits},
        top_up::{self, TopUp},
    },
};

impl Service {
    /// The puzzle for a request. All checks of the request run before the draw.
    pub(super) async fn puzzle_for(
        &self,
        request: &pb::GetPuzzleRequest,
        draw: &DrawRequest,
    ) -> Result<pb::Puzzle, ServiceError> {
        let (drawn, shelves) = match parse::get_puzzle(request)? {
            Wanted::Id(id) => (self.known(id, draw).await?, ShelfFilter::ANY),
            Wanted::OneOf(fitting) => (self.one_of(&fitting, draw).await?, fitting.shelves),
        };
        let include = Include {
            solutions: request.include_solution,
            ratings: request.include_ratings,
            drawing: request.include_drawing,
            structure: request.include_structure,
            links: request.include_links,
            record: request.include_record,
        };
        self.shown(drawn, request.scramble_seed, shelves, draw, include).await
    }

    /// The message for a puzzle that was drawn, as a view if the request has a seed. `shelves` are those that a view must fit.
    pub(super) async fn shown(
        &self,
        Drawn { puzzle, seat }: Drawn,
        scramble_seed: Option<u64>,
        shelves: ShelfFilter,
        draw: &DrawRequest,
        include: Include,
    ) -> Result<pb::Puzzle, ServiceError> {
        let Shown { puzzle, seed } = match (scramble_seed, seat) {
            (Some(seed), Some(seat)) => {
                let kind = scramble::kind_with_views(&puzzle.shelf, seed)?;
                let view = move |cancel: &Cancel| scramble::view(kind, puzzle, seed, &shelves, cancel);
                seat.run(draw.meter.clone().timed(view)).await??
            }
            _ => Shown { puzzle, seed: None },
        };
        let mut puzzle = ratings::shown_one(&self.stock, puzzle, include).await?;
        puzzle.scrambled = seed.is_some();
        puzzle.scramble_seed = seed;
        Ok(puzzle)
    }

    /// The puzzle with an ID, withdrawn or not. To readers, the ID of a held puzzle is unknown, unless it is the puzzle of a
    /// day that has begun.
    ///
    /// # Errors
    /// [`ServiceError::PuzzleNotFound`] if there is no such puzzle, or if the caller may not know of it.
    pub(super) async fn visible(&self, id: PuzzleId, caller: &Caller) -> Result<Puzzle, ServiceError> {
        let unknown = || ServiceError::PuzzleNotFound(id.to_string());
        let puzzle = self.stock.store().puzzle(id).await?.ok_or_else(unknown)?;
        let is_shown = !puzzle.is_held() || caller.principal.role >= Role::Maker || self.is_published(id).await?;
        if is_shown { Ok(puzzle) } else { Err(unknown()) }
    }

    /// Whether a puzzle is that of a day that has begun.
    async fn is_published(&self, id: PuzzleId) -> Result<bool, ServiceError> {
        let Some(day) = self.stock.store().day_of(id).await? else { return Ok(false) };
        let all = self.stock.store().all_series().await?;
        let current = all.iter().find(|series| series.id == day.series_id).map(|it| it.current_date(self.clock.now()));
        Ok(current.flatten().is_some_and(|current| day.date <= current))
    }

    async fn known(&self, id: PuzzleId, draw: &DrawRequest) -> Result<Drawn, ServiceError> {
        let seat = self.seat_for(draw).await?;
        Ok(Drawn { puzzle: self.visible(id, &draw.caller).await?, seat })
    }

    /// How long a call waits for a puzzle; see [`shortage::wait_max`].
    fn wait_max(&self, timeout: Option<Duration>) -> Duration {
        let settings = self.settings();
        let (default, max) = (settings.limits.default_wait_seconds, settings.limits.max_wait_seconds);
        shortage::wait_max(timeout, Waits { default, max })
    }

    /// A puzzle that fits, drawn now or after a wait.
    pub(super) async fn one_of(&self, fitting: &Fitting<'_>, draw: &DrawRequest) -> Result<Drawn, ServiceError> {
        let ends_at = fitting.wait.then(|| self.clock.elapsed() + self.wait_max(draw.timeout));
        let lack = match self.drawn(fitting, draw).await? {
            Ok(drawn) => return Ok(drawn),
            Err(lack) => lack,
        };
        let job = if fitting.enqueue_if_short { self.top_up(fitting, draw).await? } else { None };
        if let Some(ends_at) = ends_at
            && let Some(drawn) = self.wait_for(fitting, draw, job, ends_at).await?
        {
            return Ok(drawn);
        }
        Err(self.exhausted(fitting, lack, job).await?)
    }

    /// A puzzle that fits, or the lack in stock.
    pub(super) async fn drawn(
        &self,
        fitting: &Fitting<'_>,
        draw: &DrawRequest,
    ) -> Result<Result<Drawn, Lack>, ServiceError> {
        // The call takes its seat before the draw, because it must not be refused after it.
        let seat = self.seat_for(draw).await?;
        let &Fitting { ref shelves, audience, ref name, day, exclusive, with_record, .. } = fitting;
        if let Some(day) = day {
            return Ok(self.day_drawn(day).await?.map(|puzzle| Drawn { puzzle, seat }));
        }
        let draw = if audience.is_empty() {
            self.stock.draw(shelves, with_record).await?
        } else {
            self.stock.deliver(Order { audience, name: name.as_ref(), shelves, exclusive, with_record }).await?
        };
        match draw {
            Draw::Puzzle(puzzle) => Ok(Ok(Drawn { puzzle: *puzzle, seat })),
            Draw::Exhausted(lack) => Ok(Err(lack)),
            Draw::Unlucky => Err(ServiceError::DrawUnlucky),
            Draw::OtherRequest { puzzle, differs } => {
                let request_id = name.as_ref().map(|name| name.request_id.clone()).unwrap_or_default();
                Err(ServiceError::DeliveryNamed { request_id, puzzle, differs })
            }
        }
    }

    /// The puzzle that a day has or gets, or the lack in stock.
    async fn day_drawn(&self, DayOf { series, date }: &DayOf) -> Result<Result<Puzzle, Lack>, ServiceError> {
        match self.stock.draw_day(series, *date, true).await? {
            DayDraw::Puzzle(puzzle) => Ok(Ok(*puzzle)),
            DayDraw::Exhausted(lack) => Ok(Err(lack)),
            DayDraw::Unlucky => Err(ServiceError::DrawUnlucky),
            DayDraw::Ended => {
                let (series, date) = (series.name.clone(), date.to_string());
                Err(ServiceError::SeriesEnded { series, date })
            }
        }
    }

    /// The error for an exhausted stock. It suggests a retry only if an open job may make a puzzle that fits.
    async fn exhausted(
        &self,
        fitting: &Fitting<'_>,
        lack: Lack,
        job: Option<JobId>,
    ) -> Result<ServiceError, ServiceError> {
        let level = match fitting.shelves.difficulty {
            Difficulty::Level(level) => Some(level),
            Difficulty::Any | Difficulty::Range { .. } => None,
        };
        self.telemetry.exhausted.one(fitting.shelves.kind.as_deref().unwrap_or_default(), level);
        let open = self.open_jobs(fitting).await?;
        let kind = fitting.shelves.kind.as_deref().and_then(registry::kind);
        // A spec that is not made has no rate.
        let spec = kind.map(|kind| shortage::made_spec(kind, &fitting.shelves)).transpose();
        let rate = match &spec {
            Ok(Some(spec)) => self.stock.rate(spec).await?,
            Ok(None) | Err(_) => None,
        };
        let Stops { pause, full } = self.queue.store().stops().await?;
        let measured = Measured { rate: rate.as_ref(), workers: self.settings().process.workers };
        let retry = shortage::retry(&open, &fitting.shelves, measured, self.clock.now());
        let tries = rate.map_or(Tries::default(), |rate| Tries { tries: rate.tries, hits: rate.hits });
        Ok(ServiceError::StockExhausted(Box::new(Exhausted {
            wanted: fitting.fields(),
            audience: fitting.audience.to_owned(),
            exclusive: fitting.exclusive,
            lack,
            job,
            tries,
            pause,
            full,
            retry,
            unmade: spec.err(),
        })))
    }

    /// Queues a job for the missing puzzles, or finds the open one. `None` if the stock is full. For an exclusive draw, the job
    /// makes as many puzzles as the call lacks, for the audience.
    async fn top_up(&self, fitting: &Fitting<'_>, draw: &DrawRequest) -> Result<Option<JobId>, ServiceError> {
        let shelves = &fitting.shelves;
        let kind = shelves.kind.as_deref().and_then(registry::kind);
        let kind = kind.ok_or_else(|| ServiceError::Internal("a draw without a kind".to_owned()))?;
        let spec = parse::checked(kind, shelves)?;
        if let Some(rate) = self.stock.rate(&spec).await?.filter(|rate| is_unreachable(Some(rate))) {
            return Err(ServiceError::Unreachable { tries: rate.tries, work_ms: rate.work_ms });
        }
        let settings = self.settings();
        let holder = fitting.holder();
        let TopUp { count, work_ms_max } = match holder {
            Some(_) => settings.limits.top_up().of_lacking(draw.lacking),
            None => settings.limits.top_up(),
        };
        let job = NewJob {
            needed_version: registry::needed_version(&spec),
            shortfall: Some(shortage::name(&spec, holder.as_ref())),
            spec,
            wanted: count.min(settings.queue.max_count),
            seed: self.chance.next_u64(),
            priority: top_up::PRIORITY,
            tries_max: settings.queue.max_tries,
            not_before_at: Millis::default(),
            labels: Labels::new(),
            work_ms_max: Some(work_ms_max),
            request: None,
            by: Some(Arc::new(draw.actor())),
            holder,
        };
        match self.queue.enqueue(job).await? {
            Enqueued::New(job) | Enqueued::Same(job) => Ok(Some(job.id)),
            Enqueued::Refused(Refusal::StockFull(_)) => Ok(None),
            // A top-up has no request ID, so no request can have the same one.
            Enqueued::Refused(why) => Err(self.job_refused(why, String::new())),
        }
    }
}
