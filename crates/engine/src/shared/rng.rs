//! The engine's random numbers: the portable generator ChaCha8, and methods of this file to draw from it. So a seed yields
//! the same puzzle on every machine, and with every later version of the `rand` crate.

use rand::{Rng as _, SeedableRng as _, rngs::ChaCha8Rng};

/// The random numbers of one try. The tests in this file hold golden values.
#[derive(Debug)]
pub struct Rng(ChaCha8Rng);

/// Everything that a try's random numbers depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrySeed {
    /// The job's seed: the caller's, or a random one.
    pub seed: u64,
    /// Fingerprint of the spec, see [`super::spec::Spec::fingerprint`].
    pub spec: u64,
    /// Index of the puzzle in its job, from 0.
    pub index: u64,
    /// Number of the try at this index, from 0.
    pub try_number: u32,
    /// The version that the variant's seeds have, see [`PuzzleKind::seed_version`](super::kind::PuzzleKind::seed_version).
    pub engine_version: u32,
}

impl Rng {
    /// The generator of one try. The five numbers fill the 256-bit ChaCha key side by side, so no two tries share a key.
    #[must_use]
    pub fn for_try(of: TrySeed) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&of.seed.to_le_bytes());
        key[8..16].copy_from_slice(&of.spec.to_le_bytes());
        key[16..24].copy_from_slice(&of.index.to_le_bytes());
        key[24..28].copy_from_slice(&of.try_number.to_le_bytes());
        key[28..].copy_from_slice(&of.engine_version.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// The generator of a plain number, for draws that belong to no try.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        Self::for_try(TrySeed { seed, spec: 0, index: 0, try_number: 0, engine_version: 0 })
    }

    /// The next 64 bits, uniformly distributed.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number from 0 to `bound - 1`, exactly unbiased (Lemire's multiplication with rejection, 2019).
    ///
    /// # Panics
    /// If `bound` is 0, because no number is below it.
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

    /// A uniform index of a slice of `len` items.
    ///
    /// # Panics
    /// If `len` is 0.
    pub fn index(&mut self, len: usize) -> usize {
        usize::try_from(self.below(len as u64)).expect("it is below `len`")
    }

    /// Puts the items in a uniformly random order (Fisher and Yates).
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

#[cfg(test)]
mod tests {
    use super::*;

    const TRY: TrySeed = TrySeed { seed: 7, spec: 0x1234_5678_9abc_def0, index: 3, try_number: 2, engine_version: 1 };

    #[test]
    fn stream_of_a_try_never_changes() {
        let mut rng = Rng::for_try(TRY);
        let numbers: Vec<_> = (0..4).map(|_| rng.next_u64()).collect();
        assert_eq!(
            numbers,
            [0x3457_2e73_5281_bdf4, 0x869d_7dd2_55c1_86ca, 0xe256_2c6e_48fd_cf69, 0x1a7a_c626_beb2_1ae5]
        );
        let mut rng = Rng::from_seed(0);
        let numbers: Vec<_> = (0..4).map(|_| rng.next_u64()).collect();
        // The published ChaCha8 stream of the zero key begins 3e 00 ef 2f 89 5f 40 d6.
        assert_eq!(
            numbers,
            [0xd640_5f89_2fef_003e, 0xa1a5_091f_e8b8_5b7f, 0x3b7f_9ace_c30e_842c, 0x1e1a_71ef_88e1_1b18]
        );
    }

    #[test]
    fn draws_and_shuffles_never_change() {
        let mut rng = Rng::from_seed(1);
        let draws: Vec<_> = [1, 2, 6, 10, 81, 1000, u64::MAX].into_iter().map(|bound| rng.below(bound)).collect();
        assert_eq!(draws, [0, 0, 4, 9, 69, 139, 0xbbdd_6337_4d46_d88b]);
        let mut items = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
        rng.shuffle(&mut items);
        assert_eq!(items, [2, 4, 0, 9, 6, 1, 5, 8, 3, 7]);
    }

    #[test]
    fn each_part_of_the_seed_changes_the_stream() {
        let others = [
            TrySeed { seed: 8, ..TRY },
            TrySeed { spec: 1, ..TRY },
            TrySeed { index: 2, ..TRY },
            TrySeed { try_number: 3, ..TRY },
            TrySeed { engine_version: 2, ..TRY },
        ];
        for other in others {
            assert_ne!(Rng::for_try(other).next_u64(), Rng::for_try(TRY).next_u64(), "{other:?}");
        }
    }

    #[test]
    fn every_outcome_is_drawn_equally_often() {
        let mut rng = Rng::from_seed(2);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[rng.index(6)] += 1;
        }
        // Six standard deviations of a count are 550.
        assert!(counts.iter().all(|&count| count.abs_diff(10_000) < 550), "{counts:?}");
    }
}
