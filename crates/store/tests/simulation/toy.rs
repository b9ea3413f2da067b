//! The toy puzzles of the simulation: numbers from small spaces, so that many tries miss, repeat a puzzle, or yield an isomorph.

use std::collections::BTreeSet;

use puzzled_engine::shared::tries::{Miss, MissReason};

use crate::support;

/// How one variant makes its puzzles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Toy {
    /// Count of different numbers.
    pub(crate) numbers: u64,
    /// Whether small numbers come much more often than large ones.
    pub(crate) skewed: bool,
    /// Tries in a hundred that miss.
    pub(crate) misses: u64,
}

impl Toy {
    /// The name of a variant with these parameters and with numbers from this space.
    pub(crate) fn variant(self, space: u64) -> String {
        format!("{space} {} {} {}", self.numbers, u64::from(self.skewed), self.misses)
    }

    /// The parameters in the name of a variant.
    pub(crate) fn of(variant: &str) -> Self {
        let words: Vec<u64> = variant.split(' ').map(|word| word.parse().unwrap()).collect();
        Self { numbers: words[1], skewed: words[2] == 1, misses: words[3] }
    }

    /// The result of a try.
    pub(crate) fn make(self, seed: u64, index: u32, try_number: u32) -> Result<u64, Miss> {
        let mut draws =
            Draws(seed ^ (u64::from(index) << 32 | u64::from(try_number)).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        if draws.below(100) < self.misses {
            let reasons = [MissReason::Unrated, MissReason::OffTarget, MissReason::Givens, MissReason::Unproven];
            let distance = u32::try_from(draws.below(1_000)).unwrap();
            let reason = reasons[usize::try_from(draws.below(4)).unwrap()].clone();
            return Err(Miss { reason, distance, nearest: format!("missed by {distance}") });
        }
        let numbers = if self.skewed { 1 + draws.below(self.numbers) } else { self.numbers };
        Ok(draws.below(numbers))
    }

    /// The index, try, and number of each puzzle of a job without faults: each index gets the first number that no earlier one has.
    pub(crate) fn reference(self, seed: u64, wanted: u32) -> Vec<(u32, u32, u64)> {
        let mut taken = BTreeSet::new();
        (0..wanted)
            .map(|index| {
                let mut hits =
                    (0..).filter_map(|try_number| Some((try_number, self.make(seed, index, try_number).ok()?)));
                let (try_number, number) = hits.find(|&(_, number)| taken.insert(number)).unwrap();
                (index, try_number, number)
            })
            .collect()
    }
}

/// Splitmix64 (Steele, Lea and Flood, 2014).
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

/// The puzzle of a number in a variant's space. Its text names index and try, so that isomorphs differ. Each number has two
/// puzzles that are not isomorphs but have one solution.
pub(crate) fn made(variant: &str, number: u64, index: u32, try_number: u32) -> puzzled_engine::shared::tries::Made {
    let text = format!("number {number} of index {index}, try {try_number}");
    let canonical = format!("{variant}/{}/{number}", (index + try_number) % 2);
    puzzled_engine::shared::tries::Made { text, canonical, ..support::made(number) }
}

#[test]
fn tries_differ_and_collide() {
    let toy = Toy { numbers: 20, skewed: false, misses: 30 };
    let numbers: Vec<_> = (0..100).map(|try_number| toy.make(1, 0, try_number).ok()).collect();
    assert_eq!(numbers.iter().collect::<BTreeSet<_>>().len(), 21);
    let reference = toy.reference(1, 15);
    assert!(reference.iter().any(|&(_, try_number, _)| try_number > 2), "{reference:?}");
}
