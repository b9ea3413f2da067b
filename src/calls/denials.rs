//! Counts the denied calls of known principals, and writes the counts to the audit trail. One task writes the counts at
//! most once a second, so that a principal cannot load the database with calls that it may not make.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use puzzled_base::{lasting::Lasting, log_lasting};
use puzzled_store::{
    Store,
    access::{actor::Actor, audit_entry::Denial},
};

/// Time between two writes.
const WRITE_EVERY: Duration = Duration::from_secs(1);

/// The denied calls that are not in the audit trail yet, by principal and method. There are few of either.
#[derive(Debug, Default)]
pub(crate) struct Denials {
    waiting: Mutex<HashMap<(Arc<str>, String), Denial>>,
    added: Notify,
}

impl Denials {
    /// Starts the task that writes the denied calls. The task ends after `shutdown` is cancelled.
    pub(crate) fn start(store: Arc<dyn Store>, shutdown: CancellationToken) -> Arc<Self> {
        let denials = Arc::<Self>::default();
        tokio::spawn(Arc::clone(&denials).write_all(store, shutdown));
        denials
    }

    /// Counts a denied call.
    pub(crate) fn note(&self, by: Actor) {
        self.add(Denial { by, calls: 1 });
        self.added.notify_one();
    }

    fn add(&self, denial: Denial) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (Arc::clone(&denial.by.name), denial.by.method.clone());
        waiting.entry(key).and_modify(|known| known.calls = known.calls.saturating_add(denial.calls)).or_insert(denial);
    }

    fn take(&self) -> Vec<Denial> {
        std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner)).into_values().collect()
    }

    async fn write_all(self: Arc<Self>, store: Arc<dyn Store>, shutdown: CancellationToken) {
        let mut failing = Lasting::default();
        while shutdown.run_until_cancelled(self.added.notified()).await.is_some() {
            self.write(&*store, &mut failing).await;
            let _: Option<()> = shutdown.run_until_cancelled(tokio::time::sleep(WRITE_EVERY)).await;
        }
        self.write(&*store, &mut failing).await;
    }

    /// Writes the denied calls. If the write fails, they wait for the next one.
    async fn write(&self, store: &dyn Store, failing: &mut Lasting) {
        let denials = self.take();
        // At a shutdown there usually are none, and the shutdown must not wait for a database that hangs.
        if denials.is_empty() {
            return;
        }
        let written = log_lasting!(
            failing, store.note_denied(&denials).await,
            begins: "audit entries of denied calls not written; the next denied call writes them",
            ends: "denied calls written again after failures"
        );
        if written.is_none() {
            for denial in denials {
                self.add(denial);
            }
        }
    }
}
