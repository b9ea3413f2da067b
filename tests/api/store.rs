//! The store of the tests: a real store behind a gate. A test can delay calls or make them fail, and wait until the
//! server has read something. `forwarding.rs` has the methods that the gate treats alike.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use puzzled_base::{clock::Millis, counters::Durations};
use puzzled_store::{Listener, PoolUse, Store, StoreError};
use tokio::{sync::watch, time::timeout};

/// The longest wait. Only a hanging server reaches it.
const PATIENCE: Duration = Duration::from_mins(1);

/// What the gate does with calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gate {
    /// Passes them on.
    Open,
    /// Holds them up until it is opened; pings pass.
    Held,
    /// Fails them as if the database were unreachable.
    Unreachable,
    /// Fails them as if the database had refused a statement.
    Refusing,
}

/// The text of the statement that the gate says was refused; no client may ever read it.
pub(crate) const SQL: &str = "select secret from jobs where id = 'x'";

#[derive(Debug)]
pub(crate) struct GatedStore {
    inner: Arc<dyn Store>,
    gate: watch::Sender<Gate>,
    held: watch::Sender<Held>,
    /// The number of answers of each method.
    answered: watch::Sender<BTreeMap<&'static str, usize>>,
    pings: watch::Sender<usize>,
    /// How many of the next pings fail.
    failing_pings: AtomicUsize,
}

impl GatedStore {
    pub(crate) fn new(inner: Arc<dyn Store>) -> Arc<Self> {
        Arc::new(Self {
            inner,
            gate: watch::Sender::new(Gate::Open),
            held: watch::Sender::new(Held::default()),
            answered: watch::Sender::default(),
            pings: watch::Sender::new(0),
            failing_pings: AtomicUsize::new(0),
        })
    }

    pub(crate) fn set(&self, gate: Gate) {
        self.gate.send_replace(gate);
    }

    /// Lets so many of the next pings fail, and waits until as many more have come.
    pub(crate) async fn fail_pings(&self, count: usize) {
        self.failing_pings.store(count, Ordering::SeqCst);
        let mut pings = self.pings.subscribe();
        let before = *pings.borrow();
        timeout(PATIENCE, pings.wait_for(|&pings| pings > before + 2 * count)).await.expect("nobody pings").unwrap();
    }

    /// Waits until so many calls have been held up, whatever has become of them.
    pub(crate) async fn until_held(&self, calls: usize) {
        self.held.subscribe().wait_for(|held| held.ever >= calls).await.unwrap();
    }

    /// Waits until no call is held.
    pub(crate) async fn until_no_call_is_held(&self) {
        self.held.subscribe().wait_for(|held| held.now == 0).await.unwrap();
    }

    /// Counts an answer of a method.
    pub(crate) fn answered(&self, method: &'static str) {
        self.answered.send_modify(|answered| *answered.entry(method).or_default() += 1);
    }

    /// Waits until a job has been read so many times.
    pub(crate) async fn until_job_read(&self, times: usize) {
        self.until_answered("job", times).await;
    }

    /// How often all shelves have been read.
    pub(crate) fn shelf_reads(&self) -> usize {
        self.answered.borrow().get("shelves").copied().unwrap_or_default()
    }

    /// Waits until all shelves have been read so many times.
    pub(crate) async fn until_shelves_read(&self, times: usize) {
        self.until_answered("shelves", times).await;
    }

    async fn until_answered(&self, method: &str, times: usize) {
        let mut answered = self.answered.subscribe();
        let enough = answered.wait_for(|answered| answered.get(method).is_some_and(|&answers| answers >= times));
        timeout(PATIENCE, enough).await.expect("nobody reads").unwrap();
    }

    pub(crate) async fn pass(&self) -> Result<&dyn Store, StoreError> {
        let gate = *self.gate.borrow();
        match gate {
            Gate::Open => Ok(&*self.inner),
            Gate::Held => {
                let _counted = Counted::new(&self.held);
                self.gate.subscribe().wait_for(|gate| *gate != Gate::Held).await.unwrap();
                Ok(&*self.inner)
            }
            Gate::Unreachable => Err(StoreError::Unavailable(sqlx::Error::PoolTimedOut)),
            Gate::Refusing => Err(StoreError::Refused(sqlx::Error::Protocol(SQL.to_owned()))),
        }
    }
}

/// Calls held up.
#[derive(Debug, Default)]
struct Held {
    ever: usize,
    now: usize,
}

/// Counts a call for as long as it is held up, and notices when it is dropped.
struct Counted<'a>(&'a watch::Sender<Held>);

impl<'a> Counted<'a> {
    fn new(held: &'a watch::Sender<Held>) -> Self {
        held.send_modify(|held| {
            held.ever += 1;
            held.now += 1;
        });
        Self(held)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|held| held.now -= 1);
    }
}

#[async_trait]
impl Store for GatedStore {
    async fn close(&self) {
        self.inner.close().await;
    }

    async fn listen(&self) -> Result<Option<Box<dyn Listener>>, StoreError> {
        self.pass().await?.listen().await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.pings.send_modify(|pings| *pings += 1);
        let less = |left: usize| left.checked_sub(1);
        if self.failing_pings.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less).is_ok() {
            return Err(StoreError::Unavailable(sqlx::Error::PoolTimedOut));
        }
        let held = *self.gate.borrow() == Gate::Held;
        if held { self.inner.ping().await } else { self.pass().await?.ping().await }
    }

    async fn now(&self) -> Result<Millis, StoreError> {
        self.pass().await?.now().await
    }

    fn connections(&self) -> PoolUse {
        self.inner.connections()
    }

    fn connection_waits(&self) -> &Durations {
        self.inner.connection_waits()
    }

    fn wal_bytes(&self) -> Option<u64> {
        self.inner.wal_bytes()
    }
}
