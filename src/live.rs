//! A value that can be replaced while other threads read it: the settings that a reload changes.

use std::sync::{Arc, PoisonError, RwLock};

/// A replaceable value. A reader keeps the value that it got, so that related settings stay consistent.
#[derive(Debug, Default)]
pub struct Live<T>(RwLock<Arc<T>>);

impl<T> Live<T> {
    /// Creates a replaceable value.
    #[must_use]
    pub fn new(value: T) -> Self {
        Self(RwLock::new(Arc::new(value)))
    }

    /// Returns the current value. Holds a lock for a few instructions.
    #[must_use]
    pub fn get(&self) -> Arc<T> {
        // A panic while the lock was held cannot leave a partial value.
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the value.
    pub fn set(&self, value: T) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(value);
    }
}
