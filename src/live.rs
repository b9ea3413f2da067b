//! A value that is read while it may be replaced: the settings that a reload changes.

use std::sync::{Arc, PoisonError, RwLock};

/// A value, and its replacement. A reader keeps what it got, so that what belongs together is read together.
#[derive(Debug, Default)]
pub struct Live<T>(RwLock<Arc<T>>);

impl<T> Live<T> {
    /// A value that can be replaced.
    #[must_use]
    pub fn new(value: T) -> Self {
        Self(RwLock::new(Arc::new(value)))
    }

    /// The value of this moment. Costs a lock that is held for a few instructions.
    #[must_use]
    pub fn get(&self) -> Arc<T> {
        // A panic between the two instructions that hold the lock would leave a whole value behind.
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the value.
    pub fn set(&self, value: T) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(value);
    }
}
