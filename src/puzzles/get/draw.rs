//! Draws a puzzle for a call, now or after a wait. If the puzzle gets a scrambled view, the call needs a compute thread, and takes a *seat*: a
//! place in the bounded queue for these threads. The call takes the seat just before each draw. So a call that waits for stock holds no seat,
//! and a puzzle that is drawn is never refused for lack of a seat.

use std::{sync::Arc, time::Duration};

use crate::{
    access::Caller,
    calls::{Asked, CallContext, Deadline, Meter, Seat, Service, ServiceError, ShareKey, call_of, caller_of},
    wire::compared,
};
use jiff::civil::Date;
use puzzled_engine::shared::criteria::Criteria;
use puzzled_store::{
    access::actor::Actor,
    deliveries::holder::Holder,
    jobs::{
        job::{Job, NamedRequest},
        repeat::Fields,
    },
    series::daily_series::Series,
    stock::{
        draws::{DeliveryRequest, Draw, Lack, days::DayDraw},
        filter::ShelfFilter,
        puzzle::Puzzle,
    },
    targets::shortage::{self, Waits},
};

/// The criteria for a puzzle, with the audience and the name of the request.
#[expect(clippy::struct_excessive_bools, reason = "each is a field of a request")]
#[derive(Debug)]
pub(super) struct Fitting<'a> {
    pub(super) criteria: Criteria,
    pub(super) shelves: ShelfFilter,
    /// Empty if there is none.
    pub(super) audience: &'a str,
    pub(super) name: Option<NamedRequest>,
    /// The day that gets the puzzle.
    pub(super) day: Option<&'a DayOf>,
    pub(super) wait: bool,
    /// Whether the answer has the record of the rating.
    pub(super) with_record: bool,
    pub(super) enqueue_if_short: bool,
    /// Whether to draw only from the puzzles that the audience holds.
    pub(super) exclusive: bool,
}

/// A day of a series.
#[derive(Debug, Clone)]
pub(super) struct DayOf {
    pub(super) series: Series,
    pub(super) date: Date,
}

/// The request of a draw: who calls, by when the answer is due, and how the call gets a seat for a view.
#[derive(Debug, Clone)]
pub(super) struct DrawRequest {
    /// The key by which the call shares limits.
    pub(super) key: ShareKey,
    /// Measures the view.
    pub(super) meter: Meter,
    /// Who calls, with its quotas.
    pub(super) caller: Arc<Caller>,
    pub(super) call: Arc<CallContext>,
    /// The name of the method in the audit trail: `GetPuzzle`.
    pub(super) method: &'static str,
    /// The time until the caller's deadline; `None` without one.
    pub(super) timeout: Option<Duration>,
    pub(super) seat: SeatTaken,
    /// The number of puzzles that the call lacks, for an exclusive top-up; 0 while a batch does not know it.
    pub(super) lacking: u32,
}

/// How a call gets a seat for a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SeatTaken {
    /// It needs none, because the puzzle is shown as it is stored.
    Never,
    /// It gets one at once, or is refused.
    AtOnce,
    /// It waits for one.
    InTurn,
}

/// A puzzle that was drawn, and the seat for its view.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) puzzle: Puzzle,
    pub(super) seat: Option<Seat>,
}

impl Service {
    /// The draw that a request asks for.
    ///
    /// # Errors
    /// [`ServiceError::Internal`] if a layer did not note the caller or the call.
    pub(super) fn draw_request<T>(
        &self,
        request: &Asked<T>,
        method: &'static str,
        seat: SeatTaken,
    ) -> Result<DrawRequest, ServiceError> {
        let timeout = request.extensions().get::<Deadline>().map(|deadline| deadline.timeout);
        let (caller, call) = (caller_of(request.extensions())?, call_of(request.extensions())?);
        let (key, meter) = (self.share_key(request), self.meter(request));
        Ok(DrawRequest { key, meter, caller, call, method, timeout, seat, lacking: 1 })
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

    /// How long a call waits for a puzzle; see [`shortage::wait_max`].
    fn wait_max(&self, timeout: Option<Duration>) -> Duration {
        let settings = self.settings();
        let (default, max) = (settings.limits.default_wait_seconds, settings.limits.max_wait_seconds);
        shortage::wait_max(timeout, Waits { default, max })
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
            self.stock
                .deliver(DeliveryRequest { audience, name: name.as_ref(), shelves, exclusive, with_record })
                .await?
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

    /// A seat for the view of the puzzle that is drawn next, if it gets a view.
    ///
    /// # Errors
    /// [`ServiceError::Busy`] and [`ServiceError::CallerBusy`] if there is no seat and the call does not wait for one;
    /// [`ServiceError::Access`] if the caller's quota of compute time is used up.
    pub(super) async fn seat_for(&self, draw: &DrawRequest) -> Result<Option<Seat>, ServiceError> {
        if draw.seat == SeatTaken::Never {
            return Ok(None);
        }
        draw.meter.may_compute()?;
        let settings = self.settings();
        match draw.seat {
            SeatTaken::Never => Ok(None),
            SeatTaken::AtOnce => self.compute.seat(&draw.key, &settings.limits).map(Some),
            SeatTaken::InTurn => Ok(Some(self.compute.seat_in_turn(&draw.key, &settings.limits).await)),
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
}

impl Fitting<'_> {
    /// Whether the request may get the puzzles of a job. A day gets those that its series holds, and those of the shelves.
    pub(super) fn gets_from(&self, job: &Job) -> bool {
        job.holder == self.holder() || self.day.is_some_and(|day| job.holder == Some(day.series.holder()))
    }

    /// Who holds the puzzles to draw from; `None` for the shelves.
    pub(super) fn holder(&self) -> Option<Holder> {
        self.exclusive.then(|| Holder::Audience(self.audience.to_owned()))
    }

    /// The criteria in the form in which they are compared.
    pub(super) fn fields(&self) -> Fields {
        let mut fields = compared(&self.criteria);
        fields.extend(self.exclusive.then(|| ("exclusive".to_owned(), "true".to_owned())));
        fields
    }
}

impl DrawRequest {
    /// The same request, but the call waits for a seat instead of being refused.
    pub(super) fn in_turn(&self) -> Self {
        let seat = if self.seat == SeatTaken::Never { SeatTaken::Never } else { SeatTaken::InTurn };
        Self { seat, ..self.clone() }
    }

    /// The actor of a job that the call queues. Few calls queue one, so it is made when needed.
    pub(super) fn actor(&self) -> Actor {
        self.call.actor(&self.caller.principal, self.method)
    }
}

impl SeatTaken {
    /// For a request with this seed of a view.
    pub(super) fn of(scramble_seed: Option<u64>) -> Self {
        if scramble_seed.is_some() { Self::AtOnce } else { Self::Never }
    }
}
