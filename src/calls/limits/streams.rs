//! Opens streams, and runs the tasks that send their messages. Each stream takes one of a limited number of places. A
//! stream ends after its last message, when its caller disconnects, at the caller's deadline, or at a shutdown.

use std::time::Duration;

use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use super::places::{Place, ShareKey, SharedPlaces, half};
use crate::calls::{edge::Deadline, errors::ServiceError};

/// The time between two reads of the store for a stream that watches something. Changes by other processes are not announced.
pub(crate) const POLL_EVERY: Duration = Duration::from_millis(500);

/// The places for open streams, or for waiting calls. One caller takes at most half of them.
#[derive(Debug)]
pub(crate) struct Places {
    places: SharedPlaces<ShareKey>,
    subject: &'static str,
}

impl Places {
    pub(crate) fn new(subject: &'static str) -> Self {
        Self { places: SharedPlaces::new(), subject }
    }

    /// A place, taken until it is dropped.
    ///
    /// # Errors
    /// [`ServiceError::Busy`] if all `places_max` are taken, [`ServiceError::CallerBusy`] if the caller has its half.
    pub(crate) fn take(&self, key: &ShareKey, places_max: u32) -> Result<Place<ShareKey>, ServiceError> {
        let place = self.places.take(key, places_max, half(places_max));
        place.map_err(|full| full.busy(self.subject, places_max))
    }
}

/// A stream's place, and the events that end it early.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) deadline: Option<Deadline>,
    pub(crate) shutdown: CancellationToken,
    pub(crate) place: Place<ShareKey>,
}

/// The sender of messages. One message is prepared while another is sent.
pub(crate) type Messages<T> = mpsc::Sender<Result<T, Status>>;

/// The stream that a caller receives.
pub(crate) type Stream<T> = ReceiverStream<Result<T, Status>>;

/// Starts a task that sends messages.
pub(crate) fn start_stream<T, F>(opened: Opened, send: impl FnOnce(Messages<T>) -> F + Send + 'static) -> Stream<T>
where
    T: Send + 'static,
    F: Future<Output = Result<(), ServiceError>> + Send,
{
    let (messages, stream) = mpsc::channel(1);
    tokio::spawn(async move {
        let Opened { deadline, shutdown, place } = opened;
        let _place = place;
        run(&messages, deadline, &shutdown, send(messages.clone())).await;
    });
    ReceiverStream::new(stream)
}

/// Runs the sender to its end. If the deadline or a shutdown comes first, the caller gets that error.
async fn run<T>(
    messages: &Messages<T>,
    deadline: Option<Deadline>,
    shutdown: &CancellationToken,
    sending: impl Future<Output = Result<(), ServiceError>>,
) {
    let too_late = async {
        match deadline {
            Some(Deadline { at, .. }) => tokio::time::sleep_until(at).await,
            None => std::future::pending().await,
        }
    };
    let failed = tokio::select! {
        biased;
        () = messages.closed() => return,
        sent = sending => sent.err(),
        () = too_late => Some(ServiceError::DeadlineExceeded),
        () = shutdown.cancelled() => Some(ServiceError::ShuttingDown),
    };
    if let Some(error) = failed {
        // A caller that has disconnected gets no error.
        let _ = messages.send(Err(error.into())).await;
    }
}
