//! The request of a draw. If the puzzle gets a scrambled view, the call needs a compute thread, and takes a *seat*: a place in the
//! bounded queue for these threads. The call takes the seat just before each draw. So a call that waits for stock holds no seat, and
//! a puzzle that is drawn is never refused for lack of a seat.

use std::{sync::Arc, time::Duration};

use tonic::Request;

use crate::{
    access::Caller,
    calls::{
        edge::Deadline,
        errors::ServiceError,
        limits::{compute::Seat, meter::Meter, shares::ShareKey},
        open::{CallContext, call_of, caller_of},
        service::Service,
    },
};
use puzzled_store::{access::actor::Actor, stock::puzzle::Puzzle};

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

impl DrawRequest {
    /// The same request, but the call waits for a seat instead of being refused.
    pub(super) fn in_turn(&self) -> Self {
        let seat = match self.seat {
            SeatTaken::Never => SeatTaken::Never,
            SeatTaken::AtOnce | SeatTaken::InTurn => SeatTaken::InTurn,
        };
        Self { seat, ..self.clone() }
    }

    /// The actor of a job that the call queues. Few calls queue one, so it is made when needed.
    pub(super) fn actor(&self) -> Actor {
        self.call.actor(&self.caller.principal, self.method)
    }
}

impl Service {
    /// The draw that a request asks for.
    ///
    /// # Errors
    /// [`ServiceError::Internal`] if a layer did not note the caller or the call.
    pub(super) fn draw_request<T>(
        &self,
        request: &Request<T>,
        method: &'static str,
        seat: SeatTaken,
    ) -> Result<DrawRequest, ServiceError> {
        let timeout = request.extensions().get::<Deadline>().map(|deadline| deadline.timeout);
        let (caller, call) = (caller_of(request.extensions())?, call_of(request.extensions())?);
        let (key, meter) = (self.share_key(request), self.meter(request));
        Ok(DrawRequest { key, meter, caller, call, method, timeout, seat, lacking: 1 })
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
}
