//! Chance for the engine: one named, portable generator (ChaCha8) and our own drawing rules on top of it, so that a
//! seed yields the same puzzle on every machine and with every later version of the `rand` crate.

use rand::{Rng as _, SeedableRng as _, rngs::ChaCha8Rng};

/// The random numbers of one try. Golden values stand in this file's tests.
#[derive(Debug)]
pub struct Rng(ChaCha8Rng);

/// What a try's random numbers depend on, and nothing else does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrySeed {
    /// The job's seed, as given or drawn.
    pub seed: u64,
    /// Fingerprint of the spec, see [`crate::engine::spec::Spec::fingerprint`].
    pub spec: u64,
    /// Index of the puzzle in its job, from 0.
    pub index: u64,
    /// Number of the try at this index, from 0.
    pub attempt: u32,
    /// [`crate::engine::ENGINE_VERSION`].
    pub engine_version: u32,
}

impl Rng {
    /// The generator of one try. The five numbers fill the 256-bit ChaCha key side by side, so no two tries share one.
    #[must_use]
    pub fn for_try(of: TrySeed) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&of.seed.to_le_bytes());
        key[8..16].copy_from_slice(&of.spec.to_le_bytes());
        key[16..24].copy_from_slice(&of.index.to_le_bytes());
        key[24..28].copy_from_slice(&of.attempt.to_le_bytes());
        key[28..].copy_from_slice(&of.engine_version.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// A generator from a bare number, for draws that belong to no try.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        Self::for_try(TrySeed { seed, spec: 0, index: 0, attempt: 0, engine_version: 0 })
    }

    /// A uniform 64-bit number.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number below `bound`, exactly unbiased (Lemire's multiplication with rejection, 2019).
    ///
    /// # Panics
    /// If `bound` is 0: there is no such number.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "a draw needs at least one outcome");
        let too_low = bound.wrapping_neg() % bound;
        loop {
            let wide = u128::from(self.next_u64()) * u128::from(bound);
            let [low, high] = halves(wide);
            if low >= too_low {
                return high;
            }
        }
    }

    /// A uniform index into a slice of `len` items; `len` must not be 0.
    pub fn index(&mut self, len: usize) -> usize {
        usize::try_from(self.below(len as u64)).unwrap_or(0)
    }

    /// Puts the items in uniformly random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
    }
}

fn halves(wide: u128) -> [u64; 2] {
    #[expect(clippy::cast_possible_truncation, reason = "the two halves are what is wanted")]
    [wide as u64, (wide >> 64) as u64]
}
