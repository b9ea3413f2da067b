//! The caller of a draw, and its place in the line for a compute thread if the puzzle gets a scrambled view. The call
//! takes the place just before each draw. Therefore a call that waits for stock holds no place, and a drawn puzzle is
//! never refused.

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
    /// Measures the time of making the view.
    pub(super) meter: Meter,
    /// The actor of the job that is queued if the stock is short.
    pub(super) sender: Sender,
    /// The time until the caller's deadline; `None` without one.
    pub(super) timeout: Option<Duration>,
    pub(super) place: PlaceTaken,
}

/// How a call gets a place for a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlaceTaken {
    /// The call needs no place, because the puzzle is shown as it is stored.
    Never,
    /// The call gets a place at once, or is refused.
    AtOnce,
    /// The call waits for a place.
    InTurn,
}

/// A puzzle that was drawn, and the place for its view.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) puzzle: Puzzle,
    pub(super) place: Option<Place>,
}

impl Asker {
    /// The same caller, which waits for a place instead of being refused.
    pub(super) fn in_turn(&self) -> Self {
        let place = match self.place {
            PlaceTaken::Never => PlaceTaken::Never,
            PlaceTaken::AtOnce | PlaceTaken::InTurn => PlaceTaken::InTurn,
        };
        Self { place, ..self.clone() }
    }
}

impl Service {
    /// The caller of the draws of a request.
    ///
    /// # Errors
    /// Those of [`Sender::of`].
    pub(super) fn asker<T>(
        &self,
        request: &Request<T>,
        method: &'static str,
        place: PlaceTaken,
    ) -> Result<Asker, ServiceError> {
        let timeout = request.extensions().get::<Deadline>().map(|deadline| deadline.timeout);
        let (sender, meter) = (Sender::of(request, method)?, self.meter(request));
        Ok(Asker { caller: self.caller(request), meter, sender, timeout, place })
    }

    /// A place for the view of the puzzle that is drawn next, if it gets a view.
    ///
    /// # Errors
    /// [`ServiceError::Busy`] and [`ServiceError::CallerBusy`] if there is no place and the call does not wait for one;
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
