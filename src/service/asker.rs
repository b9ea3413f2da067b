//! The caller of a draw, and the place at the compute threads for a scrambled view. The place is taken just before each
//! draw. A call that waits for stock therefore holds no place, and a drawn puzzle is never refused.

use std::time::Duration;

use tonic::Request;

use super::{
    Service, actor::Sender, caller::Caller, compute::Place, deadline::Deadline, errors::ServiceError, meter::Meter,
};
use crate::store::puzzle::Puzzle;

/// The caller of a draw.
#[derive(Debug, Clone)]
pub(super) struct Asker {
    pub(super) caller: Caller,
    /// Measures the view.
    pub(super) meter: Meter,
    /// Who queues a job if the stock is short.
    pub(super) sender: Sender,
    /// The time that the caller leaves for the call.
    pub(super) timeout: Option<Duration>,
    pub(super) place: PlaceTaken,
}

/// How the place for a view is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlaceTaken {
    /// Not at all: the puzzle is shown as it is stored.
    Never,
    /// At once, or the call is refused.
    AtOnce,
    /// As soon as there is one.
    InTurn,
}

/// A puzzle that was drawn, and the place for its view.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) puzzle: Puzzle,
    pub(super) place: Option<Place>,
}

impl Asker {
    /// The same, but it waits for a place rather than being refused.
    pub(super) fn in_turn(&self) -> Self {
        let place = match self.place {
            PlaceTaken::Never => PlaceTaken::Never,
            PlaceTaken::AtOnce | PlaceTaken::InTurn => PlaceTaken::InTurn,
        };
        Self { place, ..self.clone() }
    }
}

impl Service {
    /// The sender of a request.
    pub(super) fn asker<T>(&self, request: &Request<T>, method: &'static str, place: PlaceTaken) -> Asker {
        let timeout = request.extensions().get::<Deadline>().map(|deadline| deadline.timeout);
        let (sender, meter) = (Sender::of(request, method), self.meter(request));
        Asker { caller: self.caller(request), meter, sender, timeout, place }
    }

    /// The place for the view of the puzzle that is about to be drawn, if there will be one.
    ///
    /// # Errors
    /// [`ServiceError::Busy`] and [`ServiceError::CallerBusy`] if the call does not wait for a place, and there is none;
    /// [`ServiceError::Access`] if the caller's quota of compute time is used up.
    pub(super) async fn place_for(&self, asker: &Asker) -> Result<Option<Place>, ServiceError> {
        if asker.place == PlaceTaken::Never {
            return Ok(None);
        }
        asker.meter.may_compute()?;
        let limits = self.limits();
        match asker.place {
            PlaceTaken::Never => Ok(None),
            PlaceTaken::AtOnce => self.compute.place(&asker.caller, &limits).map(Some),
            PlaceTaken::InTurn => Ok(Some(self.compute.place_in_turn(&asker.caller, &limits).await)),
        }
    }
}
