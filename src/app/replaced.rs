//! Ends a process whose database was deleted or replaced under it, after all that it holds is saved.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::AppError;
use crate::store::{Rescue, Store};

/// The time between two looks at the path of the database.
const EVERY: Duration = Duration::from_secs(2);

/// Looks at the path of the database until `stop` is cancelled. If the path leads to another file, saves what the open one holds, and
/// cancels `shutdown`.
pub(super) async fn watch(store: &dyn Store, stop: &CancellationToken, shutdown: &CancellationToken) -> Option<Rescue> {
    let replaced = async {
        loop {
            tokio::time::sleep(EVERY).await;
            if let Some(rescue) = rescued(store).await {
                return rescue;
            }
        }
    };
    let rescue = stop.run_until_cancelled(replaced).await?;
    shutdown.cancel();
    Some(rescue)
}

/// Ends the watch: a database that was replaced after its last look is saved now.
///
/// # Errors
/// [`AppError::Replaced`] if the database was replaced.
pub(super) async fn end(store: &dyn Store, rescue: Option<Rescue>) -> Result<(), AppError> {
    let rescue = match rescue {
        None => rescued(store).await,
        rescue => rescue,
    };
    rescue.map_or(Ok(()), |rescue| Err(AppError::Replaced(rescue)))
}

async fn rescued(store: &dyn Store) -> Option<Rescue> {
    let rescue = store.rescue_if_replaced().await?;
    let path = &rescue.path;
    match &rescue.saved {
        Ok(saved) => {
            let saved = saved.display();
            tracing::error!(path, %saved, "database deleted or replaced under the process; its rows are saved, and the process ends");
        }
        Err(error) => {
            tracing::error!(path, error, "database deleted or replaced under the process; its rows could not be saved");
        }
    }
    Some(rescue)
}
