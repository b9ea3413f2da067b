//! Fills a layout with digits. Digits differ in every run, and are chosen so that crossing clues allow few candidates
//! for each cell.

use crate::{
    kakuro::{
        board::{Digit, Puzzle},
        digits::{Digits, possible},
        layout::Layout,
    },
    shared::{
        budget::{Budget, OutOfBudget},
        rng::Rng,
    },
};

/// The maximum number of random fills that are started.
const STARTS_MAX: usize = 60;

/// The number of moves while annealing, per white cell.
const MOVES_PER_CELL: usize = 80;

/// The maximum increase in total openness that is accepted at first, in the unit of [`OPENNESS`].
const THRESHOLD_FIRST: u64 = 120;

/// The openness of a cell by its number of candidates: the binary logarithm of this number, in units of 1/64.
pub(super) const OPENNESS: [u32; 10] = [0, 0, 64, 101, 128, 149, 165, 180, 192, 203];

/// The digits of a layout, and for each run the data that follow from them.
#[derive(Debug, Clone)]
pub(super) struct Fill {
    digits: Vec<Digit>,
    /// For each run, its set of digits and its sum.
    used: Vec<Digits>,
    sums: Vec<u8>,
}

impl Fill {
    /// Chooses random digits. Returns `None` if each of [`STARTS_MAX`] fills reached a cell without a possible digit.
    pub(super) fn random(layout: &Layout, rng: &mut Rng, budget: &Budget<'_>) -> Result<Option<Self>, OutOfBudget> {
        for _ in 0..STARTS_MAX {
            budget.check_cancelled()?;
            if let Some(fill) = Self::start(layout, rng) {
                return Ok(Some(fill));
            }
        }
        Ok(None)
    }

    fn start(layout: &Layout, rng: &mut Rng) -> Option<Self> {
        let (cells, runs) = (layout.cells().len(), layout.runs().len());
        let mut fill = Self { digits: vec![0; cells], used: vec![Digits::NONE; runs], sums: vec![0; runs] };
        let mut free = vec![9; cells];
        for _ in 0..cells {
            let fewest = (0..cells).filter(|&white| fill.digits[white] == 0).min_by_key(|&white| free[white])?;
            let digit = draw(fill.free(layout, fewest), rng)?;
            fill.set(layout, fewest, digit);
            for run in layout.runs_of(fewest) {
                for &white in layout.runs()[run].whites() {
                    free[usize::from(white)] = fill.free(layout, usize::from(white)).len();
                }
            }
        }
        Some(fill)
    }

    /// The digits that occur in neither run of a cell, so the cell may take them.
    pub(super) fn free(&self, layout: &Layout, white: usize) -> Digits {
        let [across, down] = layout.runs_of(white).map(|run| self.used[run]);
        Digits::ALL.without(across.or(down))
    }

    /// Puts a digit from [`Self::free`] into a cell.
    pub(super) fn set(&mut self, layout: &Layout, white: usize, digit: Digit) {
        let old = std::mem::replace(&mut self.digits[white], digit);
        for run in layout.runs_of(white) {
            if old != 0 {
                self.used[run] = self.used[run].without(Digits::only(old));
            }
            self.used[run] = self.used[run].or(Digits::only(digit));
            self.sums[run] = self.sums[run] + digit - old;
        }
    }

    pub(super) fn digits(&self) -> &[Digit] {
        &self.digits
    }

    /// The sums of the runs.
    pub(super) fn sums(&self) -> &[u8] {
        &self.sums
    }

    /// The puzzle that has these digits as a solution.
    pub(super) fn puzzle(&self, layout: &Layout) -> Puzzle {
        Puzzle::of_sums(layout.clone(), self.sums.clone())
    }

    /// Changes digits so that crossing clues allow few candidates. Minimizes the total openness of the cells by a form
    /// of threshold accepting (Dueck and Scheuer 1990): each move has a random threshold, whose maximum falls to 0.
    pub(super) fn anneal(&mut self, layout: &Layout, rng: &mut Rng, budget: &Budget<'_>) -> Result<(), OutOfBudget> {
        let allowed = |run: usize, sum: u8| possible(layout.runs()[run].whites().len(), usize::from(sum));
        let mut allowed_by: Vec<_> = self.sums.iter().enumerate().map(|(run, &sum)| allowed(run, sum)).collect();
        let moves = MOVES_PER_CELL * self.digits.len();
        for number in 0..moves {
            if number.is_multiple_of(self.digits.len()) {
                budget.check_cancelled()?;
            }
            let white = rng.index(self.digits.len());
            let Some(digit) = draw(self.free(layout, white), rng) else { continue };
            let runs = layout.runs_of(white);
            let allowed_then = runs.map(|run| allowed(run, self.sums[run] + digit - self.digits[white]));
            let change = change(layout, &allowed_by, white, allowed_then);
            let threshold = THRESHOLD_FIRST * (moves - number) as u64 / moves as u64;
            if change <= 0 || u64::from(change.unsigned_abs()) <= rng.below(threshold + 1) {
                self.set(layout, white, digit);
                runs.into_iter().zip(allowed_then).for_each(|(run, allowed)| allowed_by[run] = allowed);
            }
        }
        Ok(())
    }
}

/// The change of the total openness if the two runs of `white` allow the digits `allowed_then` instead.
fn change(layout: &Layout, allowed_by: &[Digits], white: usize, allowed_then: [Digits; 2]) -> i32 {
    let openness = |a: Digits, b: Digits| OPENNESS[a.and(b).len()].cast_signed();
    let runs = layout.runs_of(white);
    let mut change = openness(allowed_then[0], allowed_then[1]) - openness(allowed_by[runs[0]], allowed_by[runs[1]]);
    for which in [0, 1] {
        for &other in layout.runs()[runs[which]].whites() {
            let crossing = allowed_by[layout.runs_of(usize::from(other))[1 - which]];
            if usize::from(other) != white {
                change += openness(allowed_then[which], crossing) - openness(allowed_by[runs[which]], crossing);
            }
        }
    }
    change
}

/// Draws one of the digits at random.
pub(super) fn draw(digits: Digits, rng: &mut Rng) -> Option<Digit> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().nth(rng.index(digits.len()))
}
