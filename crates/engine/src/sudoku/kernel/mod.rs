//! The Sudoku kernel: finds and counts solutions, tests whether there is another solution, removes givens, and fills
//! boards at random. Everything that must be fast uses it. It shares only the board with the constraint core, so each
//! can check the other.
//!
//! The board is three vectors of 27 sets of digits, which AVX-512 holds in three registers. One round of deductions for
//! all cells and digits is a hundred instructions without a branch, and takes about twenty nanoseconds. The choice of
//! guesses keeps their number low. The same code runs on AVX2 and on plain integers, with the same results.
#![expect(clippy::inline_always, reason = "what works on vectors must become part of a function compiled for them")]

mod choose;
mod lanes;
mod portable;
mod round;
mod search;
#[cfg(target_arch = "x86_64")]
mod simd;
mod thin;

use super::{board::Grid, orbits::Orbit};
use crate::shared::{
    budget::{Budget, OutOfBudget},
    rng::Rng,
};
use portable::Minirows;
use search::{Found, Question, fill, search};
use thin::{Thinning, thin};

/// The kernel compiled for one kind of processor. All variants give the same answers, in the same order, with the same
/// number of nodes. Choosing one takes a few nanoseconds, so copy it freely.
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

/// Calls the variant of a function that is compiled for the kernel's processor.
macro_rules! on_path {
    ($kernel:ident, $work:ident($($argument:expr),*)) => {
        match $kernel.0 {
            Path::Portable => $work::<Minirows>($($argument),*),
            #[cfg(target_arch = "x86_64")]
            Path::Avx2(avx2) => avx2.$work($($argument),*),
            #[cfg(target_arch = "x86_64")]
            Path::Avx512(avx512) => avx512.$work($($argument),*),
        }
    };
}

impl Kernel {
    /// The fastest variant that this processor can run.
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

    /// All variants that this processor can run, the fastest last.
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

    /// The number of solutions of a puzzle, up to `limit`. If givens clash, there are none. A node is a guess.
    ///
    /// # Errors
    /// [`OutOfBudget`] if fewer than `limit` were found and more may exist.
    pub fn count(self, puzzle: &Grid, limit: usize, budget: &mut Budget<'_>) -> Result<usize, OutOfBudget> {
        self.search(Question { puzzle, forbidden: None, limit, found: Found::Counted }, budget)
    }

    /// The solutions of a puzzle, at most `limit` of them. Their order depends only on the puzzle.
    ///
    /// # Errors
    /// [`OutOfBudget`] if fewer than `limit` were found and more may exist.
    pub fn solutions(self, puzzle: &Grid, limit: usize, budget: &mut Budget<'_>) -> Result<Vec<Grid>, OutOfBudget> {
        let mut found = Vec::new();
        self.search(Question { puzzle, forbidden: None, limit, found: Found::All(&mut found) }, budget)?;
        Ok(found)
    }

    /// The solution at index `number` in the order of [`Self::solutions`], if there are that many.
    ///
    /// # Errors
    /// [`OutOfBudget`] if the search ended before it.
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
    /// If these cells were emptied last, and the puzzle was unique before, the result says whether it is still unique,
    /// because another solution must differ in these cells. This is faster than counting to two: the search tries each
    /// of these cells in turn with its digit excluded and the digits of the cells before it fixed.
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

    /// Removes orbits from the full grid `solution`, in order, if the solution stays unique. The result is the same as
    /// calling [`Self::has_other`] for one orbit after the other.
    ///
    /// # Errors
    /// [`OutOfBudget`] if some removal could not be decided.
    pub fn thin(self, solution: &Grid, order: &[Orbit], budget: &mut Budget<'_>) -> Result<Grid, OutOfBudget> {
        on_path!(self, thin(Thinning { solution, order }, budget))
    }

    /// A random solution of a puzzle that has many. Not all are equally likely. `None` if the puzzle has no solution,
    /// or after too many guesses.
    pub fn fill(self, puzzle: &Grid, rng: &mut Rng) -> Option<Grid> {
        on_path!(self, fill(puzzle, rng))
    }

    fn search(self, question: Question<'_>, budget: &mut Budget<'_>) -> Result<usize, OutOfBudget> {
        on_path!(self, search(question, budget))
    }
}

#[cfg(test)]
mod tests;
