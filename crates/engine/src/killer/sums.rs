//! What a sum excludes: by the bounds of its cells, and by all ways to fill them.

use crate::{
    grid::{
        cells::{Cells, Digits},
        clues::{By, Pruned, Sum},
        position::Position,
        rounds::Failure,
    },
    shared::step::Cell,
};

/// The most open cells of a derived sum that is looked at.
pub(super) const OPEN_MAX: usize = 5;

/// Candidates that go: each digit with its cells.
pub(super) type Removed = Vec<(u8, Cells)>;

/// The open cells of a sum and what they add up to.
#[derive(Debug, Clone)]
pub(super) struct Rest {
    pub(super) cells: Vec<Cell>,
    pub(super) total: i32,
    candidates: Vec<Digits>,
    /// For each cell, the cells before it that cannot hold the same digit, as bits of their places.
    peers: Vec<u32>,
}

impl Rest {
    /// The rest of a sum in a position.
    pub(super) fn of(position: &Position<'_>, sum: &Sum) -> Self {
        let open = sum.cells.and(position.open());
        let digits = sum.cells.without(open).iter().map(|cell| i32::from(position.digit(cell)));
        let total = sum.total - digits.sum::<i32>();
        let mut cells = open.list();
        cells.sort_by_key(|cell| position.candidates(*cell).len());
        let candidates = cells.iter().map(|cell| position.candidates(*cell)).collect();
        let peers = (0..cells.len()).map(|at| {
            let peers = position.rules().peers[usize::from(cells[at])];
            (0..at).filter(|before| peers.contains(cells[*before])).fold(0, |mask, before| mask | 1 << before)
        });
        Self { peers: peers.collect(), cells, total, candidates }
    }

    /// Whether no two of the cells can hold the same digit.
    fn is_house(&self) -> bool {
        (0..).zip(&self.peers).all(|(at, peers)| peers.count_ones() == at)
    }

    /// The candidates that the least or the largest digits of the other cells exclude. `None` if no digits have the sum.
    pub(super) fn beyond_bounds(&self) -> Option<Removed> {
        let count = self.cells.len();
        if count == 0 {
            return (self.total == 0).then(Vec::new);
        }
        let mut kept = Vec::with_capacity(count);
        let is_house = self.is_house();
        for (at, digits) in self.candidates.iter().enumerate() {
            let others =
                self.candidates.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, digits)| *digits);
            let [least, most] = ends(others, is_house)?;
            let fits = |digit: &u8| (least..=most).contains(&(self.total - i32::from(*digit)));
            kept.push(digits.iter().filter(fits).collect());
        }
        self.removed(&kept)
    }

    /// The candidates that no way to fill the cells uses. `None` if there is no way.
    pub(super) fn unsupported(&self) -> Option<Removed> {
        let mut fit = Fit { rest: self, fixed: None, chosen: Vec::new() };
        let mut used = vec![Digits::NONE; self.cells.len()];
        if self.cells.is_empty() {
            return (self.total == 0).then(Vec::new);
        }
        for (at, digits) in self.candidates.iter().enumerate() {
            for digit in digits.iter() {
                if used[at].contains(digit) {
                    continue;
                }
                fit.fixed = Some((at, digit));
                if fit.is_filled() {
                    let both = used.iter_mut().zip(&fit.chosen);
                    both.for_each(|(used, digit)| *used = used.or(Digits::only(*digit)));
                }
            }
        }
        self.removed(&used)
    }

    /// The digits that every way to fill the cells uses.
    pub(super) fn needed(&self) -> Digits {
        let all = self.candidates.iter().fold(Digits::NONE, |all, digits| all.or(*digits));
        let is_needed = |digit: &u8| {
            let candidates = self.candidates.iter().map(|digits| digits.without(Digits::only(*digit))).collect();
            let without = Self { candidates, ..self.clone() };
            !Fit { rest: &without, fixed: None, chosen: Vec::new() }.is_filled()
        };
        all.iter().filter(is_needed).collect()
    }

    /// The candidates of the cells besides those that are kept. `None` if a cell keeps none.
    fn removed(&self, kept: &[Digits]) -> Option<Removed> {
        let lost: Vec<_> = self.candidates.iter().zip(kept).map(|(digits, kept)| digits.without(*kept)).collect();
        if kept.iter().any(|kept| kept.is_empty()) {
            return None;
        }
        let all = lost.iter().fold(Digits::NONE, |all, lost| all.or(*lost));
        let of_digit = |digit| {
            let cells = self.cells.iter().zip(&lost).filter(|(_, lost)| lost.contains(digit)).map(|(cell, _)| *cell);
            (digit, cells.collect())
        };
        Some(all.iter().map(of_digit).collect())
    }
}

/// The least and the largest sum of cells with these candidates. If no two cells hold the same digit, the least and the largest
/// different digits count, too. `None` if a cell has no candidate, or if there are too few digits.
fn ends(candidates: impl Iterator<Item = Digits>, is_house: bool) -> Option<[i32; 2]> {
    let (mut least, mut most, mut count, mut all) = (0, 0, 0, Digits::NONE);
    for digits in candidates {
        let mut digits_of_cell = digits.iter().map(i32::from);
        let first = digits_of_cell.next()?;
        least += first;
        most += digits_of_cell.last().unwrap_or(first);
        count += 1;
        all = all.or(digits);
    }
    if !is_house {
        return Some([least, most]);
    }
    let digits: Vec<i32> = all.iter().map(i32::from).collect();
    let beyond = digits.len().checked_sub(count)?;
    Some([least.max(digits[..count].iter().sum()), most.min(digits[beyond..].iter().sum())])
}

/// A depth-first search for digits of the cells of a sum.
struct Fit<'r> {
    rest: &'r Rest,
    /// A cell, by its place, that has to hold a digit.
    fixed: Option<(usize, u8)>,
    /// The digits of the first cells.
    chosen: Vec<u8>,
}

impl Fit<'_> {
    fn is_filled(&mut self) -> bool {
        self.chosen.clear();
        self.fills(self.rest.total)
    }

    fn digits(&self, at: usize) -> Digits {
        let fixed = self.fixed.filter(|(fixed, _)| *fixed == at);
        fixed.map_or(self.rest.candidates[at], |(_, digit)| Digits::only(digit))
    }

    /// Whether the cells after the chosen ones can hold the rest. The recursion is as deep as the sum has open cells.
    fn fills(&mut self, total: i32) -> bool {
        let (at, count) = (self.chosen.len(), self.rest.cells.len());
        if at == count {
            return total == 0;
        }
        let [least, most] = ((at + 1)..count).fold([0, 0], |[least, most], later| {
            let digits = self.digits(later).0;
            [least + digits.trailing_zeros().cast_signed(), most + 31 - digits.leading_zeros().cast_signed()]
        });
        for digit in self.digits(at).iter() {
            let left = total - i32::from(digit);
            let clashes = |before: usize| self.rest.peers[at] & 1 << before != 0 && self.chosen[before] == digit;
            if (least..=most).contains(&left) && !(0..at).any(clashes) {
                self.chosen.push(digit);
                if self.fills(left) {
                    return true;
                }
                self.chosen.pop();
            }
        }
        false
    }
}

/// The bounds of the printed cages, which a person sees at a glance.
pub(super) fn bounds(position: &Position<'_>, pruned: &mut Vec<Pruned>) -> Result<(), Failure> {
    each(position, |sum| sum.group == 0, Rest::beyond_bounds, pruned)
}

/// All ways to fill the printed cages.
pub(super) fn combinations(position: &Position<'_>, pruned: &mut Vec<Pruned>) -> Result<(), Failure> {
    each(position, |sum| sum.group == 0, Rest::unsupported, pruned)
}

/// All ways to fill the cells of derived sums.
pub(super) fn derived(position: &Position<'_>, pruned: &mut Vec<Pruned>) -> Result<(), Failure> {
    let is_small = |sum: &Sum| sum.group > 0 && sum.cells.and(position.open()).len() <= OPEN_MAX;
    each(position, is_small, Rest::unsupported, pruned)
}

fn each(
    position: &Position<'_>,
    is_wanted: impl Fn(&Sum) -> bool,
    removed: impl Fn(&Rest) -> Option<Removed>,
    pruned: &mut Vec<Pruned>,
) -> Result<(), Failure> {
    for sum in position.rules().sums.iter().filter(|sum| is_wanted(sum)) {
        let by = By::House(sum.houses.first().expect("a sum has a house"));
        let of_sum = removed(&Rest::of(position, sum)).ok_or(Failure::Rule(by))?;
        pruned.extend(of_sum.into_iter().map(|(digit, cells)| Pruned { by, digit, cells }));
    }
    Ok(())
}
