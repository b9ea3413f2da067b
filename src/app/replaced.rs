//! Ends a process whose database was deleted or replaced under it, after it has saved what the database held, or has tried to.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::AppError;
use puzzled_store::{Rescue, Store};

/// The time between two looks at the path of the database.
const EVERY: Duration = Duration::from_secs(2);

/// The maximum number of tries to save the rows, and the time between two. Meanwhile, an operator can free space on a full disk, or give a
/// folder its name back.
const TRIES_MAX: u32 = 60;
const TRY_EVERY: Duration = Duration::from_secs(10);

/// Looks at the path of the database until `stop` is cancelled. If the path leads to another file, saves what the open one holds, and
/// cancels `shutdown`.
pub(super) async fn watch(store: &dyn Store, stop: &CancellationToken, shutdown: &CancellationToken) -> Option<Rescue> {
    let replaced = async {
        loop {
            tokio::time::sleep(EVERY).await;
            if let Some(rescue) = store.rescue_if_replaced().await {
                return saved(store, rescue).await;
            }
        }
    };
    let rescue = stop.run_until_cancelled(replaced).await?;
    shutdown.cancel();
    Some(rescue)
}

/// Tries again to save the rows if the first try failed. Logs the first failure, and the result.
async fn saved(store: &dyn Store, mut rescue: Rescue) -> Rescue {
    if let Rescue { path, saved: Err(error) } = &rescue {
        tracing::error!(
            path,
            error,
            "database deleted or replaced under the process; its rows are not saved yet; free disk space, or rename the folder back"
        );
        for _ in 1..TRIES_MAX {
            tokio::time::sleep(TRY_EVERY).await;
            rescue = store.rescue_if_replaced().await.unwrap_or(rescue);
            if rescue.saved.is_ok() {
                break;
            }
        }
    }
    report(&rescue);
    rescue
}

/// Ends the watch: a database that was replaced after its last look, or whose rows are not saved yet, is saved now.
///
/// # Errors
/// [`AppError::Replaced`] if the database was replaced.
pub(super) async fn end(store: &dyn Store, rescue: Option<Rescue>) -> Result<(), AppError> {
    if let Some(rescue) = rescue {
        return Err(AppError::Replaced(rescue));
    }
    let Some(rescue) = store.rescue_if_replaced().await else { return Ok(()) };
    report(&rescue);
    Err(AppError::Replaced(rescue))
}

fn report(Rescue { path, saved }: &Rescue) {
    match saved {
        Ok(saved) => {
            let saved = saved.display();
            tracing::error!(path, %saved, "database deleted or replaced under the process; its rows are saved, and the process ends");
        }
        Err(error) => {
            tracing::error!(path, error, "database deleted or replaced under the process; its rows could not be saved");
        }
    }
}
