//! Aligned exclusion (Aligned Pair and Aligned Triplet Exclusion): compares each combination of digits in two or three cells with
//! the cells that have two or three candidates and see them all.

use super::{
    candidates::Candidates,
    find::{Find, Outcome, Pattern, Take, Technique},
    geometry::{Cells, HOMES, HOUSE_CELLS, Mask, SEEN, bits, cells, has_several, one},
};
use crate::sudoku::board::CELLS;

/// Exclusion on two base cells.
pub(super) const ALIGNED_PAIR: Technique = Technique::new("Aligned Pair Exclusion", 62);
/// Exclusion on three base cells.
pub(in crate::sudoku) const ALIGNED_TRIPLET: Technique = Technique::new("Aligned Triplet Exclusion", 75);

/// If every way to fill two cells with x in the first either repeats a digit in a house or leaves a cell that sees both without a
/// candidate, x can be removed from the first: Aligned Pair Exclusion.
pub(super) fn aligned_pair(candidates: &Candidates, take: &mut Take<'_>) -> bool {
    let bases = Bases::of(candidates, 2);
    let mut finds = bases.pairs().filter_map(|[first, second]| bases.exclude(&[first, second], ALIGNED_PAIR));
    finds.any(take)
}

/// The searches for triplets in one climb. After a search that found nothing, only triplets affected by later changes are tried.
#[derive(Debug, Default)]
pub(super) struct Triplets {
    /// The candidates of each cell at the last search that found nothing.
    fruitless: Option<[Mask; CELLS]>,
}

impl Triplets {
    /// If every way to fill three cells with x in the first either repeats a digit in a house or leaves a cell that sees all
    /// three without a candidate, x can be removed from the first: Aligned Triplet Exclusion.
    pub(super) fn search(&mut self, candidates: &Candidates, take: &mut Take<'_>) -> bool {
        let now: [Mask; CELLS] = std::array::from_fn(|cell| candidates.of_cell(cell));
        let changed = self.fruitless.map_or(Cells::MAX, |before| {
            (0..CELLS).filter(|&cell| before[cell] != now[cell]).fold(0, |all, cell| all | one(cell))
        });
        let is_taken = aligned_triplet(candidates, changed, take);
        if !is_taken {
            self.fruitless = Some(now);
        }
        is_taken
    }
}

fn aligned_triplet(candidates: &Candidates, changed: Cells, take: &mut Take<'_>) -> bool {
    let bases = Bases::of(candidates, 3);
    bases.pairs().any(|[first, second]| {
        let common = bases.excluders[first] & bases.excluders[second];
        if !has_two(common) {
            return false;
        }
        let thirds = bases.cells
            & if (one(first) | one(second)) & changed == 0 {
                cells(common & changed).fold(changed, |all, cell| all | SEEN[cell])
            } else {
                Cells::MAX
            };
        if thirds & (bases.excluders[first] | bases.excluders[second]) == 0 {
            return false;
        }
        let thirds = thirds & !bases.tried([first, second]);
        // Sudoku Explainer takes the third cell from the peers of the first, then of the second: box, row, column.
        let mut done = one(first) | one(second) | !thirds;
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

/// The cells that can be base cells of an exclusion, and for each the excluding cells that it sees.
struct Bases<'a> {
    candidates: &'a Candidates,
    cells: Cells,
    /// The cells with few enough candidates to exclude a combination.
    small: Cells,
    excluders: [Cells; CELLS],
}

impl<'a> Bases<'a> {
    fn of(candidates: &'a Candidates, size: u32) -> Self {
        let of_size = |sizes: std::ops::RangeInclusive<u32>| {
            let fits = move |cell: &usize| sizes.contains(&candidates.of_cell(*cell).count_ones());
            cells(candidates.empty()).filter(fits).fold(0, |all, cell| all | one(cell))
        };
        let (small, singles) = (of_size(2..=size), of_size(1..=1));
        let mut bases = Self { candidates, cells: 0, small, excluders: [0; CELLS] };
        for cell in cells(of_size(2..=9)).filter(|&cell| SEEN[cell] & singles == 0 && SEEN[cell] & small != 0) {
            bases.cells |= one(cell);
            bases.excluders[cell] = SEEN[cell] & small;
        }
        bases
    }

    /// All pairs of cells, with the later cell in the outer loop.
    fn pairs(&self) -> impl Iterator<Item = [usize; 2]> {
        cells(self.cells).flat_map(|second| cells(self.cells & (one(second) - 1)).map(move |first| [first, second]))
    }

    /// The third cells that were already tried with these two, when one of the two was the third cell of an earlier pair. A cell
    /// was that third cell if it can exclude a combination and sees a cell of the pair.
    fn tried(&self, [first, second]: [usize; 2]) -> Cells {
        let as_third = |third: usize, beside: usize| match one(third) & self.small {
            0 => 0,
            _ if SEEN[beside] & one(third) != 0 => one(third) - 1,
            _ => SEEN[third] & (one(third) - 1),
        };
        as_third(second, first) | as_third(first, second)
    }

    /// The candidates that can be removed from the base cells, if at least two excluding cells see all of them.
    fn exclude<const N: usize>(&self, of: &[usize; N], technique: Technique) -> Option<Find> {
        let common = of.iter().fold(Cells::MAX, |all, &cell| all & self.excluders[cell]);
        if !has_two(common) {
            return None;
        }
        let excluders = self.relevant(of, common);
        if excluders == 0 {
            return None;
        }
        let allowed = Trial::of(self.candidates, of, excluders).allowed();
        let removed = of.iter().zip(allowed).flat_map(|(&cell, allowed)| {
            bits(self.candidates.of_cell(cell) & !allowed).map(move |digit| (digit, one(cell)))
        });
        let outcome = Outcome::remove(removed.collect())?;
        let base = of.iter().fold(0, |all, &cell| all | one(cell));
        Some(Find { technique, pattern: Pattern::Aligned { base, excluders }, outcome })
    }

    /// The common excluding cells that some combination can leave without a candidate. If there are none, only repeated digits
    /// fail, and a naked set has already removed what these exclude.
    fn relevant(&self, of: &[usize], common: Cells) -> Cells {
        let digits = of.iter().fold(0, |all, &cell| all | self.candidates.of_cell(cell));
        cells(common).filter(|&cell| self.candidates.of_cell(cell) & !digits == 0).fold(0, |all, cell| all | one(cell))
    }
}

fn has_two(cells: Cells) -> bool {
    cells & cells.wrapping_sub(1) != 0
}

/// The search for possible combinations of digits in two or three base cells.
struct Trial<const N: usize> {
    /// The candidates of each base cell.
    digits: [Mask; N],
    /// For each two base cells, whether they see each other.
    see: [[bool; N]; N],
    /// For each digit, the digits that together with it leave an excluding cell of two candidates empty.
    bans: [Mask; 10],
    /// The excluding cells of three candidates.
    triplets: [Mask; 20],
    triplets_len: usize,
}

impl<const N: usize> Trial<N> {
    fn of(candidates: &Candidates, of: &[usize; N], excluders: Cells) -> Self {
        let digits = of.map(|cell| candidates.of_cell(cell));
        let see = of.map(|cell| of.map(|other| SEEN[cell] & one(other) != 0));
        let mut trial = Self { digits, see, bans: [0; 10], triplets: [0; 20], triplets_len: 0 };
        for mask in cells(excluders).map(|cell| candidates.of_cell(cell)) {
            if mask.count_ones() == 2 {
                bits(mask).for_each(|digit| trial.bans[digit] |= mask & !(1 << digit));
            } else {
                trial.triplets[trial.triplets_len] = mask;
                trial.triplets_len += 1;
            }
        }
        trial
    }

    /// For each base cell, the digits that it has in some possible combination.
    fn allowed(&self) -> [Mask; N] {
        let mut allowed = [0; N];
        for at in 0..N {
            for digit in bits(self.digits[at]) {
                // A digit that an earlier combination has shown to be possible needs no search.
                if allowed[at] & 1 << digit == 0 {
                    self.allow(at, digit, &mut allowed);
                }
            }
        }
        allowed
    }

    /// If some possible combination has `digit` in cell `at`, adds the digits of one to `allowed`.
    fn allow(&self, at: usize, digit: usize, allowed: &mut [Mask; N]) {
        let [next, last] = [(at + 1) % N, (at + N - 1) % N];
        let fit_next = self.beside(at, digit, next);
        if next == last {
            allowed[next] |= fit_next;
            allowed[at] |= Mask::from(fit_next != 0) << digit;
            return;
        }
        let fit_last = self.beside(at, digit, last);
        for second in bits(fit_next) {
            let third = fit_last & self.beside(next, second, last) & !self.completing(1 << digit | 1 << second);
            if third != 0 {
                allowed[at] |= 1 << digit;
                allowed[next] |= 1 << second;
                allowed[last] |= third;
                return;
            }
        }
    }

    /// The digits that a cell can have if another cell has `digit`.
    fn beside(&self, at: usize, digit: usize, other: usize) -> Mask {
        self.digits[other] & !self.bans[digit] & !(Mask::from(self.see[at][other]) << digit)
    }

    /// The digits that together with these two leave an excluding cell of three candidates empty. Empty if the two are the same
    /// digit.
    fn completing(&self, two: Mask) -> Mask {
        let triplets = if has_several(two) { &self.triplets[..self.triplets_len] } else { &[] };
        triplets.iter().filter(|&triplet| triplet & two == two).fold(0, |all, triplet| all | triplet & !two)
    }
}
