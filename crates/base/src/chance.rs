//! Random numbers outside the engine: secrets of access tokens, lease tokens, default seeds, jitter, and draws from the
//! stock. Tests can fix the seed.

use std::sync::{Mutex, PoisonError};

use rand::{TryRng as _, rngs::SysRng};

use puzzled_engine::shared::rng::Rng;

/// Random bytes for secrets, straight from the operating system.
///
/// # Errors
/// If the operating system returns no random numbers.
pub fn secret<const N: usize>() -> Result<[u8; N], rand::rngs::SysError> {
    let mut bytes = [0; N];
    SysRng.try_fill_bytes(&mut bytes)?;
    Ok(bytes)
}

/// A shared source of random numbers.
#[derive(Debug)]
pub struct Chance(Mutex<Rng>);

impl Chance {
    /// A source with a seed from the operating system.
    ///
    /// # Errors
    /// If the operating system returns no random numbers.
    pub fn from_system() -> Result<Self, rand::rngs::SysError> {
        Ok(Self::from_seed(SysRng.try_next_u64()?))
    }

    /// A source with a fixed seed, so that a test can be repeated.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        Self(Mutex::new(Rng::from_seed(seed)))
    }

    /// Returns a uniform 64-bit number.
    pub fn next_u64(&self) -> u64 {
        self.lock().next_u64()
    }

    /// Returns a uniform number below `bound`, which must not be 0.
    pub fn below(&self, bound: u64) -> u64 {
        self.lock().below(bound)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Rng> {
        // A panic while the lock was held leaves a generator that still works.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
