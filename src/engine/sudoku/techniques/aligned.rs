//! Aligned exclusion: two or three cells whose combinations are tried one by one against the small cells that see them all.

use super::{
    candidates::Candidates,
    find::{CandidateSet, Find, Outcome, Pattern, Take, Technique},
    geometry::{Cells, HOMES, HOUSE_CELLS, Mask, SEEN, bits, cells, one},
};
use crate::engine::sudoku::board::CELLS;

/// Two cells.
pub(super) const ALIGNED_PAIR: Technique = Technique::new("Aligned Pair Exclusion", 62);
/// Three cells.
pub(super) const ALIGNED_TRIPLET: Technique = Technique::new("Aligned Triplet Exclusion", 75);

/// If each way to fill two cells that has x in the first either repeats a digit in a house or leaves a cell that sees both
/// without a digit, x can go from the first: Aligned Pair Exclusion.
pub(super) fn aligned_pair(candidates: &Candidates, take: &mut Take<'_>) -> bool {
    let bases = Bases::of(candidates, 2);
    let mut finds = bases.pairs().filter_map(|[first, second]| bases.exclude(&[first, second], ALIGNED_PAIR));
    finds.any(take)
}

/// If each way to fill three cells that has x in the first either repeats a digit in a house or leaves a cell that sees
/// all three without a digit, x can go from the first: Aligned Triplet Exclusion.
pub(super) fn aligned_triplet(candidates: &Candidates, take: &mut Take<'_>) -> bool {
    let bases = Bases::of(candidates, 3);
    bases.pairs().any(|[first, second]| {
        let common = bases.excluders[first] & bases.excluders[second];
        if !has_two(common) {
            return false;
        }
        // The third cell comes from those around the first, then around the second, each box, row, column.
        let mut done = one(first) | one(second) | !bases.cells;
        [first, second].into_iter().any(|cell| {
            [2, 0, 1].into_iter().any(|way| {
                let around = HOUSE_CELLS[HOMES[cell][way].0] & bases.excluders[cell] & !done;
                done |= around;
                let bases = &bases;
                let mut finds =
                    cells(around).filter_map(|third| bases.exclude(&[first, second, third], ALIGNED_TRIPLET));
                finds.any(&mut *take)
            })
        })
    })
}

/// The cells that can be part of an exclusion, and for each the small cells that it sees.
struct Bases<'a> {
    candidates: &'a Candidates,
    cells: Cells,
    excluders: [Cells; CELLS],
}

impl<'a> Bases<'a> {
    fn of(candidates: &'a Candidates, size: u32) -> Self {
        let of_size = |sizes: std::ops::RangeInclusive<u32>| {
            let fits = move |cell: &usize| sizes.contains(&candidates.of_cell(*cell).count_ones());
            cells(candidates.empty()).filter(fits).fold(0, |all, cell| all | one(cell))
        };
        let (small, singles) = (of_size(2..=size), of_size(1..=1));
        let mut bases = Self { candidates, cells: 0, excluders: [0; CELLS] };
        for cell in cells(of_size(2..=9)).filter(|&cell| SEEN[cell] & singles == 0 && SEEN[cell] & small != 0) {
            bases.cells |= one(cell);
            bases.excluders[cell] = SEEN[cell] & small;
        }
        bases
    }

    /// All pairs, the later cell in the outer loop.
    fn pairs(&self) -> impl Iterator<Item = [usize; 2]> {
        cells(self.cells).flat_map(|second| cells(self.cells & (one(second) - 1)).map(move |first| [first, second]))
    }

    /// What can go from these cells by the cells that see them all, if there are two of those.
    fn exclude<const N: usize>(&self, of: &[usize; N], technique: Technique) -> Option<Find> {
        let common = of.iter().fold(Cells::MAX, |all, &cell| all & self.excluders[cell]);
        if !has_two(common) {
            return None;
        }
        let excluders = self.relevant(of, common);
        if excluders == 0 {
            return None;
        }
        let mut trial = Trial { of, candidates: self.candidates, excluders, chosen: [0; N], allowed: [0; N] };
        for (at, &cell) in of.iter().enumerate() {
            for digit in bits(self.candidates.of_cell(cell)).map(|digit| 1 << digit) {
                // What is part of a possible combination need not be looked for again.
                if trial.allowed[at] & digit == 0 {
                    trial.chosen = [0; N];
                    trial.chosen[at] = digit;
                    trial.fill(0, at);
                }
            }
        }
        let mut removed = CandidateSet::default();
        for (&cell, allowed) in of.iter().zip(trial.allowed) {
            bits(self.candidates.of_cell(cell) & !allowed).for_each(|digit| removed.insert(digit, one(cell)));
        }
        let outcome = Outcome::remove(removed)?;
        let base = of.iter().fold(0, |all, &cell| all | one(cell));
        Some(Find { technique, pattern: Pattern::Aligned { base, excluders }, outcome })
    }

    /// The common cells that some combination can leave without a digit. If there are none, only repeats fail, and what
    /// these exclude a naked set has removed before.
    fn relevant(&self, of: &[usize], common: Cells) -> Cells {
        let digits = of.iter().fold(0, |all, &cell| all | self.candidates.of_cell(cell));
        cells(common).filter(|&cell| self.candidates.of_cell(cell) & !digits == 0).fold(0, |all, cell| all | one(cell))
    }
}

fn has_two(cells: Cells) -> bool {
    cells & cells.wrapping_sub(1) != 0
}

/// The combinations of a few cells, tried one by one.
struct Trial<'a, const N: usize> {
    of: &'a [usize; N],
    candidates: &'a Candidates,
    excluders: Cells,
    chosen: [Mask; N],
    /// By cell, the digits that some possible combination has there.
    allowed: [Mask; N],
}

impl<const N: usize> Trial<'_, N> {
    /// Fills the cells from `at` on, but for the one that is `fixed`, until a combination is possible. Whether one is.
    fn fill(&mut self, at: usize, fixed: usize) -> bool {
        if at == fixed {
            return self.fill(at + 1, fixed);
        }
        if at == N {
            let digits = self.chosen.iter().fold(0, |all, digit| all | digit);
            let is_possible = cells(self.excluders).all(|cell| self.candidates.of_cell(cell) & !digits != 0);
            if is_possible {
                self.allowed.iter_mut().zip(self.chosen).for_each(|(allowed, digit)| *allowed |= digit);
            }
            return is_possible;
        }
        for digit in bits(self.candidates.of_cell(self.of[at])).map(|digit| 1 << digit) {
            let repeats = |other: usize| self.chosen[other] == digit && SEEN[self.of[other]] & one(self.of[at]) != 0;
            if !(0..N).any(|other| (other < at || other == fixed) && repeats(other)) {
                self.chosen[at] = digit;
                if self.fill(at + 1, fixed) {
                    return true;
                }
            }
        }
        false
    }
}
