//! A value that can be replaced while other threads read it without a lock, such as the settings that a reload changes.

use std::sync::Arc;

use arc_swap::ArcSwap;

/// A replaceable value. A reader keeps the value that it got, so that related settings stay consistent.
#[derive(Debug, Default)]
pub struct Live<T>(ArcSwap<T>);

impl<T> Live<T> {
    /// Creates a replaceable value.
    #[must_use]
    pub fn new(value: T) -> Self {
        Self(ArcSwap::from_pointee(value))
    }

    /// Returns the current value, without a lock.
    #[must_use]
    pub fn get(&self) -> Arc<T> {
        self.0.load_full()
    }

    /// Replaces the value.
    pub fn set(&self, value: T) {
        self.0.store(Arc::new(value));
    }
}
