//! The kernel: solves, counts, and answers "is there another solution?". The solver behind everything that has to be fast;
//! it shares nothing with the constraint core but the board, so that the two can check each other.
//!
//! The whole board is three vectors of 27 sets of digits, which AVX-512 holds in three registers. A round of deductions for
//! all cells and all digits at once is a hundred instructions without a branch, about twenty nanoseconds; guesses are
//! chosen so that few are needed. The same code runs on AVX2 and on plain integers, with the same results.
#![expect(clippy::inline_always, reason = "what works on vectors must become part of a function compiled for them")]

mod choose;
mod fill;
mod lanes;
mod portable;
mod round;
mod search;
#[cfg(target_arch = "x86_64")]
mod simd;
mod thin;

use super::{board::Grid, orbits::Orbit};
use crate::{
    budget::{Budget, OutOfBudget},
    rng::Rng,
};
use fill::fill;
use portable::Minirows;
use search::{Found, Question, search};
use thin::{Thinning, thin};

/// The kernel as compiled for one kind of processor. All give the same answers, in the same order, with the same nodes.
/// Copy it about: choosing it costs some nanoseconds, using it nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernel(Path);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Path {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(simd::Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(simd::Avx512),
}

impl Kernel {
    /// The fastest that this processor can run.
    #[must_use]
    pub fn fastest() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx512) = simd::Avx512::detect() {
            return Self(Path::Avx512(avx512));
        } else if let Some(avx2) = simd::Avx2::detect() {
            return Self(Path::Avx2(avx2));
        }
        Self(Path::Portable)
    }

    /// All that this processor can run, the fastest last.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let mut all = vec![Self(Path::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(simd::Avx2::detect().map(|avx2| Self(Path::Avx2(avx2))));
            all.extend(simd::Avx512::detect().map(|avx512| Self(Path::Avx512(avx512))));
        }
        all
    }

    /// `portable`, `avx2` or `avx512`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Path::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Path::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Path::Avx512(_) => "avx512",
        }
    }

    /// Number of solutions of a puzzle, counted up to `limit`. Givens that clash leave none. A node is a guess.
    ///
    /// # Errors
    /// [`OutOfBudget`] if fewer than `limit` were found and more may exist.
    pub fn count(self, puzzle: &Grid, limit: usize, budget: &mut Budget<'_>) -> Result<usize, OutOfBudget> {
        self.search(Question { puzzle, forbidden: None, limit, found: Found::Counted }, budget)
    }

    /// The solutions of a puzzle, at most `limit` of them, in an order that depends on the puzzle alone.
    ///
    /// # Errors
    /// [`OutOfBudget`] if fewer than `limit` were found and more may exist.
    pub fn solutions(self, puzzle: &Grid, limit: usize, budget: &mut Budget<'_>) -> Result<Vec<Grid>, OutOfBudget> {
        let mut found = Vec::new();
        self.search(Question { puzzle, forbidden: None, limit, found: Found::All(&mut found) }, budget)?;
        Ok(found)
    }

    /// The solution that comes after `number` others in the order of [`Self::solutions`], if there are so many.
    ///
    /// # Errors
    /// [`OutOfBudget`] if it was not reached.
    pub fn nth_solution(
        self,
        puzzle: &Grid,
        number: usize,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Grid>, OutOfBudget> {
        let mut last = None;
        let question = Question { puzzle, forbidden: None, limit: number + 1, found: Found::Last(&mut last) };
        self.search(question, budget)?;
        Ok(last)
    }

    /// Whether `puzzle` has a solution that differs from `solution` in one of the cells `freed`, which are empty in it.
    ///
    /// If these cells were the last to be emptied, and the puzzle was unique before, this is whether it still is: another
    /// solution would have to differ there. It is faster than counting to two, because each cell in turn is told what it
    /// must not be, and the cells before it what they must.
    ///
    /// # Errors
    /// [`OutOfBudget`] if none was found and one may exist.
    pub fn has_other(
        self,
        puzzle: &Grid,
        solution: &Grid,
        freed: &[u8],
        budget: &mut Budget<'_>,
    ) -> Result<bool, OutOfBudget> {
        let mut known = *puzzle;
        for &cell in freed {
            let question =
                Question { puzzle: &known, forbidden: Some((cell, solution)), limit: 1, found: Found::Counted };
            if self.search(question, budget)? == 1 {
                return Ok(true);
            }
            known.0[usize::from(cell)] = solution.cells()[usize::from(cell)];
        }
        Ok(false)
    }

    /// The full grid `solution` without each orbit, in order, that can go without a second solution. The outcome is that
    /// of asking [`Self::has_other`] for one orbit after the other.
    ///
    /// # Errors
    /// [`OutOfBudget`] if some removal could not be decided.
    pub fn thin(self, solution: &Grid, order: &[Orbit], budget: &mut Budget<'_>) -> Result<Grid, OutOfBudget> {
        let thinning = Thinning { solution, order };
        match self.0 {
            Path::Portable => thin::<Minirows>(thinning, budget),
            #[cfg(target_arch = "x86_64")]
            Path::Avx2(avx2) => avx2.thin(thinning, budget),
            #[cfg(target_arch = "x86_64")]
            Path::Avx512(avx512) => avx512.thin(thinning, budget),
        }
    }

    /// A solution of a puzzle that has many, by chance, but not each equally often. None if the puzzle has no solution, or
    /// if it took too many guesses to find one.
    pub fn fill(self, puzzle: &Grid, rng: &mut Rng) -> Option<Grid> {
        match self.0 {
            Path::Portable => fill::<Minirows>(puzzle, rng),
            #[cfg(target_arch = "x86_64")]
            Path::Avx2(avx2) => avx2.fill(puzzle, rng),
            #[cfg(target_arch = "x86_64")]
            Path::Avx512(avx512) => avx512.fill(puzzle, rng),
        }
    }

    fn search(self, question: Question<'_>, budget: &mut Budget<'_>) -> Result<usize, OutOfBudget> {
        match self.0 {
            Path::Portable => search::<Minirows>(question, budget),
            #[cfg(target_arch = "x86_64")]
            Path::Avx2(avx2) => avx2.search(question, budget),
            #[cfg(target_arch = "x86_64")]
            Path::Avx512(avx512) => avx512.search(question, budget),
        }
    }
}

#[cfg(test)]
mod tests;
