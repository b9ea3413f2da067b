//! Chance outside the engine: lease tokens, seeds that a caller leaves open, jitter, and the choice from the stock.

use std::sync::{Mutex, PoisonError};

use rand::{TryRng as _, rngs::SysRng};

use puzzled_engine::rng::Rng;

/// A shared source of random numbers.
#[derive(Debug)]
pub struct Chance(Mutex<Rng>);

impl Chance {
    /// Seeded by the operating system.
    ///
    /// # Errors
    /// If the operating system has no random numbers to give.
    pub fn from_system() -> Result<Self, rand::rngs::SysError> {
        Ok(Self::from_seed(SysRng.try_next_u64()?))
    }

    /// Seeded by a number, so that a test can repeat what happened.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        Self(Mutex::new(Rng::from_seed(seed)))
    }

    /// A uniform 64-bit number.
    pub fn next_u64(&self) -> u64 {
        self.lock().next_u64()
    }

    /// A uniform number below `bound`, which must not be 0.
    pub fn below(&self, bound: u64) -> u64 {
        self.lock().below(bound)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Rng> {
        // A panic while it was held leaves a generator that is still a good one.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
