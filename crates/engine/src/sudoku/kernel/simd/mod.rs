//! Compiles the kernel for the vector registers of x86-64 processors. All `unsafe` code of the engine is in this
//! folder.
#![expect(unsafe_code, reason = "the one place that uses instructions which not every processor has")]

mod avx2;
mod avx512;

use std::arch::is_x86_feature_detected;

use super::{
    search::{Question, fill, search},
    thin::{Thinning, thin},
};
use crate::{
    shared::{
        budget::{Budget, OutOfBudget},
        rng::Rng,
    },
    sudoku::board::Grid,
};
use avx2::Ymm;
use avx512::Zmm;

/// Compiles the three functions of the kernel for one kind of processor: with the vectors `$lanes`, for processors with
/// `$features`.
macro_rules! processor {
    ($(#[$meaning:meta])* $name:ident, $lanes:ty, [$($feature:tt),*], $features:literal) => {
        $(#[$meaning])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) struct $name(());

        impl $name {
            /// A token for this processor, if it has the features.
            pub(super) fn detect() -> Option<Self> {
                let has = true $(&& is_x86_feature_detected!($feature))*;
                has.then_some(Self(()))
            }

            pub(super) fn search(self, question: Question<'_>, budget: &mut Budget<'_>) -> Result<usize, OutOfBudget> {
                #[target_feature(enable = $features)]
                fn work(question: Question<'_>, budget: &mut Budget<'_>) -> Result<usize, OutOfBudget> {
                    search::<$lanes>(question, budget)
                }
                // SAFETY: a value of this type exists only if the processor has every feature that the function
                // enables.
                unsafe { work(question, budget) }
            }

            pub(super) fn thin(self, thinning: Thinning<'_>, budget: &mut Budget<'_>) -> Result<Grid, OutOfBudget> {
                #[target_feature(enable = $features)]
                fn work(thinning: Thinning<'_>, budget: &mut Budget<'_>) -> Result<Grid, OutOfBudget> {
                    thin::<$lanes>(thinning, budget)
                }
                // SAFETY: as above.
                unsafe { work(thinning, budget) }
            }

            pub(super) fn fill(self, puzzle: &Grid, rng: &mut Rng) -> Option<Grid> {
                #[target_feature(enable = $features)]
                fn work(puzzle: &Grid, rng: &mut Rng) -> Option<Grid> {
                    fill::<$lanes>(puzzle, rng)
                }
                // SAFETY: as above.
                unsafe { work(puzzle, rng) }
            }
        }
    };
}

processor!(
    /// A processor with AVX2.
    Avx2,
    Ymm,
    ["avx2", "bmi1", "bmi2", "lzcnt", "popcnt"],
    "avx2,bmi1,bmi2,lzcnt,popcnt"
);

processor!(
    /// A processor with the parts of AVX-512 that Ice Lake and Zen 4 introduced.
    Avx512,
    Zmm,
    ["avx2", "bmi1", "bmi2", "lzcnt", "popcnt", "avx512f", "avx512bw", "avx512vl", "avx512vbmi", "avx512bitalg"],
    "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512vbmi,avx512bitalg"
);
