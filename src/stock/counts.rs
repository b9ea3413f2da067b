//! Caches the list of all shelves with their numbers of puzzles for half a second. Shelves only grow, so old numbers
//! still name valid positions.

use std::{
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use tokio::sync::Mutex;

use crate::{
    clock::Clock,
    store::{Store, StoreError, puzzle::Shelf},
};

/// The age at which counts are read again. New stock can be drawn after at most this time.
const AGE_MAX: Duration = Duration::from_millis(500);

/// The cached counts of one process.
#[derive(Debug)]
pub(super) struct Counts {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    known: RwLock<Option<Known>>,
    /// Held while counts are read, so that only one of many callers reads them.
    reading: Mutex<()>,
}

#[derive(Debug, Clone)]
struct Known {
    shelves: Arc<[Shelf]>,
    read_at: Duration,
}

impl Counts {
    pub(super) fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock, known: RwLock::new(None), reading: Mutex::new(()) }
    }

    /// Returns counts that are at most [`AGE_MAX`] old. While another caller reads new counts, returns the older ones.
    pub(super) async fn recent(&self) -> Result<Arc<[Shelf]>, StoreError> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).clone();
        match known {
            Some(known) if self.clock.elapsed().saturating_sub(known.read_at) < AGE_MAX => Ok(known.shelves),
            Some(known) => match self.reading.try_lock() {
                Ok(_guard) => self.read().await,
                Err(_) => Ok(known.shelves),
            },
            None => self.fresh().await,
        }
    }

    /// Returns counts that were read after this call began.
    pub(super) async fn fresh(&self) -> Result<Arc<[Shelf]>, StoreError> {
        let asked_at = self.clock.elapsed();
        let _guard = self.reading.lock().await;
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).clone();
        match known {
            // Another caller began to read after this call began.
            Some(known) if known.read_at > asked_at => Ok(known.shelves),
            _ => self.read().await,
        }
    }

    async fn read(&self) -> Result<Arc<[Shelf]>, StoreError> {
        // Take the time before the read, because the read may miss puzzles that are stored meanwhile.
        let read_at = self.clock.elapsed();
        let shelves: Arc<[Shelf]> = self.store.shelves().await?.into();
        let known = Known { shelves: Arc::clone(&shelves), read_at };
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = Some(known);
        Ok(shelves)
    }
}
