//! The watch over the growth of the stock: after each slice, and every second, it is held against its bounds. Each process does
//! so, those without settings too: the bounds stand in the database, and work does not outgrow them while no server runs.

use std::{sync::Arc, time::Duration};

use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::{
    queue::Queue,
    store::{
        StoreError,
        growth::{Growth, Turn},
    },
};

/// Longest time between two looks: the bounds of a reload are in force after so long, and withdrawals have made room.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Shortest time between two looks, where slices are stored one after the other. The stock may outgrow its bound by what is
/// stored meanwhile, and by the slices that are under way then.
const REST: Duration = Duration::from_millis(50);

/// Watches the growth of the stock.
#[derive(Debug)]
pub struct GrowthWatch {
    queue: Arc<Queue>,
    /// Whether the policy of the queue says the bounds; in a process of workers it does not.
    has_bounds: bool,
    /// The bounds that it has put into force. Later ones of another process stand until its own change.
    applied: Option<Growth>,
    has_looked: bool,
    /// Whether the last look failed: a streak of failures is logged once.
    is_failing: bool,
}

impl GrowthWatch {
    /// A watch that puts the bounds of the queue's policy into force, now and whenever they change.
    #[must_use]
    pub fn of_a_server(queue: Arc<Queue>) -> Self {
        Self { queue, has_bounds: true, applied: None, has_looked: false, is_failing: false }
    }

    /// A watch that obeys the bounds of the servers.
    #[must_use]
    pub fn of_workers(queue: Arc<Queue>) -> Self {
        Self { has_bounds: false, ..Self::of_a_server(queue) }
    }

    /// Looks once: puts the bounds into force if they are new, and says when the stock gets full and when it has room again. One
    /// process says so, that which notices it; one that starts says so too if the stock is full.
    pub async fn look(&mut self) {
        let bounds = self.has_bounds.then(|| self.queue.policy().growth);
        let new = bounds.filter(|&bounds| self.applied != Some(bounds));
        let kept = self.queue.keep_growth(new).await;
        match &kept {
            Ok(turn) => {
                self.applied = bounds;
                self.tell(*turn);
                self.has_looked = true;
            }
            Err(error) if !self.is_failing && error.moved().is_none() => {
                tracing::warn!(%error, "stock bounds not checked; the check is repeated");
            }
            Err(_) => {}
        }
        self.is_failing = kept.is_err();
    }

    fn tell(&self, turn: Turn) {
        let is_news = matches!(turn, Turn::Filled(_)) || !self.has_looked;
        if let Some(full) = turn.full().filter(|_| is_news) {
            let (bound, used, max) = (full.bound.setting(), full.used, full.max);
            tracing::warn!(bound, used, max, "stock full: no job is queued or claimed");
        } else if turn == Turn::Room {
            tracing::info!("stock has room again: jobs are queued and claimed");
        }
    }

    /// Looks after each slice and every second until `shutdown` is raised, or the database turns out to have been moved.
    pub async fn run(mut self, shutdown: CancellationToken) {
        let looks = async {
            while self.is_here().is_ok() {
                self.look().await;
                sleep(REST).await;
                // If nothing is stored, time is up.
                let _ = timeout(LOOK_EVERY, self.queue.until_stored()).await;
            }
        };
        // A store call that is dropped half-way has changed nothing.
        let _: Option<()> = shutdown.run_until_cancelled(looks).await;
    }

    fn is_here(&self) -> Result<(), StoreError> {
        self.queue.store().must_be_here()
    }
}
