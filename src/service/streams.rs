//! How a stream of messages ends: when all is sent, when nobody listens, at the caller's deadline, or at a shutdown.

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use super::{deadline::Deadline, errors::ServiceError};

/// Runs what sends messages to its end, and tells the caller if something else ended it.
pub(super) async fn run<T>(
    messages: &mpsc::Sender<Result<T, Status>>,
    deadline: Option<Deadline>,
    shutdown: &CancellationToken,
    sending: impl Future<Output = Result<(), ServiceError>>,
) {
    let too_late = async {
        match deadline {
            Some(Deadline(at)) => tokio::time::sleep_until(at).await,
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
        // To a caller that is gone nothing can be said.
        let _ = messages.send(Err(error.into())).await;
    }
}
