//! Watches the growth of the stock: compares the stock with its limits after each slice and every second, applies new
//! limits of a server, and logs when the stock becomes full and when it has room again. Every process does this,
//! because the limits are in the database and also apply while no server runs.

use std::{sync::Arc, time::Duration};

use tokio::time::{sleep, timeout};

use puzzled_store::jobs::{
    growth::{Growth, GrowthChange},
    queue::Queue,
};

/// The maximum time between two checks. Limits of a reload and withdrawals take effect within this time.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The shortest time between two checks while slices are stored one after the other. The stock may exceed its limit by
/// what is stored within this time, and by the slices in progress then.
const LOOK_AGAIN_AFTER: Duration = Duration::from_millis(50);

/// Watches the growth of the stock.
#[derive(Debug)]
pub struct GrowthWatch {
    queue: Arc<Queue>,
    /// Whether the settings have limits. They have none in a process that only runs workers.
    has_bounds: bool,
    /// The limits that this process applied last. If another process applies others later, those hold until the limits
    /// here change.
    applied: Option<Growth>,
    has_looked: bool,
    /// Whether the last check failed. Consecutive failures are logged once.
    is_failing: bool,
}

impl GrowthWatch {
    /// A watch that applies the limits of the settings, now and whenever they change.
    #[must_use]
    pub fn of_a_server(queue: Arc<Queue>) -> Self {
        Self { queue, has_bounds: true, applied: None, has_looked: false, is_failing: false }
    }

    /// A watch that applies no limits from the settings of this process.
    #[must_use]
    pub fn of_workers(queue: Arc<Queue>) -> Self {
        Self { has_bounds: false, ..Self::of_a_server(queue) }
    }

    /// Checks once: applies the limits if they are new, and logs when the stock becomes full and when it has room
    /// again. Only the process that notices a change logs it. Each process that starts while the stock is full logs
    /// that too.
    pub async fn look(&mut self) {
        let bounds = self.has_bounds.then(|| self.queue.bounds().growth);
        let new = bounds.filter(|&bounds| self.applied != Some(bounds));
        let kept = self.queue.keep_growth(new).await;
        match &kept {
            Ok(change) => {
                self.applied = bounds;
                self.tell(*change);
                self.has_looked = true;
            }
            Err(error) if !self.is_failing => {
                tracing::warn!(%error, "stock bounds not checked; the check is repeated");
            }
            Err(_) => {}
        }
        self.is_failing = kept.is_err();
    }

    fn tell(&self, change: GrowthChange) {
        let is_news = matches!(change, GrowthChange::Filled(_)) || !self.has_looked;
        if let Some(full) = change.full().filter(|_| is_news) {
            let (bound, used, max) = (full.bound.setting(), full.used, full.max);
            tracing::warn!(bound, used, max, "stock full: no job is queued or claimed");
        } else if change == GrowthChange::Room {
            tracing::info!("stock has room again: jobs are queued and claimed");
        }
    }

    /// Checks after each slice and every second.
    pub async fn run(mut self) {
        loop {
            self.look().await;
            sleep(LOOK_AGAIN_AFTER).await;
            // If nothing is stored, the timeout ends the wait.
            let _ = timeout(LOOK_EVERY, self.queue.until_stored()).await;
        }
    }
}
