//! Caches the list of all shelves with their numbers of puzzles, and the choices of shelves that follow from it. Positions
//! are only added, so positions drawn by old counts still exist.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use tokio::sync::Mutex;

use crate::{
    Store, StoreError,
    deliveries::choose::FittingShelves,
    stock::{filter::ShelfFilter, puzzle::Shelf},
};
use puzzled_base::clock::Clock;

/// The age at which counts are read again. New stock can be drawn after at most this time.
const COUNTS_AGE_MAX: Duration = Duration::from_millis(500);

/// The maximum number of filters whose choice is kept until the next reading. Other filters choose for each draw. A choice
/// has at most 200 kB.
const CHOICES_MAX: usize = 64;

/// The cache.
#[derive(Debug)]
pub(super) struct Counts {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    known: RwLock<Option<Arc<KnownCounts>>>,
    /// Held while counts are read, so that only one of many callers reads them.
    reading: Mutex<()>,
}

/// The shelves of one reading, in the order in which the store lists them.
#[derive(Debug)]
pub(super) struct KnownCounts {
    /// All shelves, also those of kinds and variants that only a newer version knows.
    pub(super) all: Vec<Shelf>,
    /// The shelves whose kind and variant this version knows. It draws from no others.
    pub(super) drawn: Arc<[Shelf]>,
    choices: RwLock<HashMap<ShelfFilter, Arc<FittingShelves>>>,
    read_at: Duration,
}

impl KnownCounts {
    /// Returns the shelves that fit. Chooses them once for each filter.
    pub(super) fn choice(&self, filter: &ShelfFilter) -> Arc<FittingShelves> {
        let known = self.choices.read().unwrap_or_else(PoisonError::into_inner).get(filter).cloned();
        known.unwrap_or_else(|| {
            let choice = Arc::new(FittingShelves::of(&self.drawn, filter));
            let mut choices = self.choices.write().unwrap_or_else(PoisonError::into_inner);
            if choices.len() < CHOICES_MAX {
                choices.insert(filter.clone(), Arc::clone(&choice));
            }
            choice
        })
    }
}

impl Counts {
    pub(super) fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock, known: RwLock::new(None), reading: Mutex::new(()) }
    }

    /// Returns the known counts if they are younger than [`COUNTS_AGE_MAX`], or else new ones. While another caller
    /// reads new counts, returns the old ones.
    pub(super) async fn recent(&self) -> Result<Arc<KnownCounts>, StoreError> {
        match self.known() {
            Some(known) if self.clock.elapsed().saturating_sub(known.read_at) < COUNTS_AGE_MAX => Ok(known),
            Some(known) => match self.reading.try_lock() {
                Ok(_guard) => self.read().await,
                Err(_) => Ok(known),
            },
            None => self.fresh().await,
        }
    }

    /// Returns counts that were read after this call began.
    pub(super) async fn fresh(&self) -> Result<Arc<KnownCounts>, StoreError> {
        let asked_at = self.clock.elapsed();
        let _guard = self.reading.lock().await;
        match self.known() {
            // Another caller began to read after this call began.
            Some(known) if known.read_at > asked_at => Ok(known),
            _ => self.read().await,
        }
    }

    fn known(&self) -> Option<Arc<KnownCounts>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn read(&self) -> Result<Arc<KnownCounts>, StoreError> {
        // Take the time before the read, because the read may miss puzzles that are stored meanwhile.
        let read_at = self.clock.elapsed();
        let all = self.store.shelves().await?;
        let drawn = all.iter().filter(|shelf| shelf.key.is_known()).cloned().collect();
        let known = Arc::new(KnownCounts { all, drawn, choices: RwLock::default(), read_at });
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&known));
        Ok(known)
    }
}
