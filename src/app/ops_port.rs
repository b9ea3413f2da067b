//! Opens the ops port and serves it in a task, which ends when its handle is dropped. The caller opens it before the database,
//! and drops it after all other parts have stopped.

use std::{net::SocketAddr, sync::Arc};

use tokio::task::JoinHandle;

use super::{AppError, bind};
use crate::{ops, telemetry::Telemetry};

/// The ops port, open until this is dropped.
#[derive(Debug)]
pub(super) struct OpsPort(JoinHandle<()>);

impl OpsPort {
    /// Opens the port if there is an address for it.
    ///
    /// # Errors
    /// [`AppError::Listen`].
    pub(super) async fn open(at: Option<SocketAddr>, telemetry: &Arc<Telemetry>) -> Result<Option<Self>, AppError> {
        let Some(at) = at else { return Ok(None) };
        let listener = bind(at).await?;
        if let Ok(address) = listener.local_addr() {
            tracing::info!(%address, "ops port opened");
        }
        let telemetry = Arc::clone(telemetry);
        let served = tokio::spawn(async move {
            if let Err(error) = ops::serve(listener, telemetry).await {
                tracing::error!(%error, "ops port failed");
            }
        });
        Ok(Some(Self(served)))
    }
}

impl Drop for OpsPort {
    fn drop(&mut self) {
        self.0.abort();
    }
}
