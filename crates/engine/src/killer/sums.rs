//! The candidates that a sum excludes, by the bounds of its cells or by all ways to fill them.

use crate::{
    grid::{
        cells::{Cells, Digits},
        clues::{By, Pruned, Sum},
        position::Position,
        rounds::Failure,
    },
    shared::step::Cell,
};

/// The maximum number of cells of a sum: the number of digits of the largest board.
const CELLS_MAX: usize = 16;

/// The maximum number of open cells of a derived sum. Sums with more are skipped.
pub(super) const OPEN_MAX: usize = 5;

/// Candidates to remove: digits, each with the cells that lose it.
pub(super) type Removed = Vec<(u8, Cells)>;

/// The open cells of a sum and what they add up to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rest {
    open: [Open; CELLS_MAX],
    count: usize,
    pub(super) total: i32,
}

/// An open cell of a sum.
#[derive(Debug, Clone, Copy, Default)]
struct Open {
    cell: Cell,
    candidates: Digits,
    /// The earlier open cells that cannot hold the same digit. Each is a bit, at its index in `open`.
    peers: u32,
}

impl Rest {
    /// The rest of a sum in a position.
    pub(super) fn of(position: &Position<'_>, sum: &Sum) -> Self {
        let mut rest = Self { open: [Open::default(); CELLS_MAX], count: 0, total: sum.total };
        for cell in sum.cells.iter() {
            rest.total -= i32::from(position.digit(cell));
            if position.digit(cell) == 0 {
                rest.open[rest.count] = Open { cell, candidates: position.candidates(cell), peers: 0 };
                rest.count += 1;
            }
        }
        let open = &mut rest.open[..rest.count];
        open.sort_by_key(|open| open.candidates.len());
        for at in 1..open.len() {
            let peers = position.rules().peers[usize::from(open[at].cell)];
            let seen = (0..at).filter(|before| peers.contains(open[*before].cell));
            open[at].peers = seen.fold(0, |mask, before| mask | 1 << before);
        }
        rest
    }

    fn open(&self) -> &[Open] {
        &self.open[..self.count]
    }

    pub(super) fn cells(&self) -> Cells {
        self.open().iter().map(|open| open.cell).collect()
    }

    /// The candidates that no way to fill the cells uses. `None` if there is no way.
    pub(super) fn unsupported(&self) -> Option<Removed> {
        if self.count == 0 {
            return (self.total == 0).then(Vec::new);
        }
        let mut used = [Digits::NONE; CELLS_MAX];
        let mut fit = Fit { rest: self, fixed: None, chosen: [0; CELLS_MAX] };
        for (at, open) in self.open().iter().enumerate() {
            for digit in open.candidates.iter() {
                if used[at].contains(digit) {
                    continue;
                }
                fit.fixed = Some((at, digit));
                if fit.fills(0, self.total) {
                    let both = used.iter_mut().zip(&fit.chosen[..self.count]);
                    both.for_each(|(used, digit)| *used = used.or(Digits::only(*digit)));
                }
            }
        }
        let lost = self.open().iter().zip(used).map(|(open, used)| (open.cell, open.candidates.without(used)));
        let all = lost.clone().fold(Digits::NONE, |all, (_, lost)| all.or(lost));
        let of_digit =
            |digit| (digit, lost.clone().filter(|(_, lost)| lost.contains(digit)).map(|(cell, _)| cell).collect());
        (!used[0].is_empty()).then(|| all.iter().map(of_digit).collect())
    }

    /// The digits that every way to fill the cells uses.
    pub(super) fn needed(&self) -> Digits {
        let all = self.open().iter().fold(Digits::NONE, |all, open| all.or(open.candidates));
        let is_needed = |digit: &u8| {
            let mut without = *self;
            without.open.iter_mut().for_each(|open| open.candidates = open.candidates.without(Digits::only(*digit)));
            !Fit { rest: &without, fixed: None, chosen: [0; CELLS_MAX] }.fills(0, self.total)
        };
        all.iter().filter(is_needed).collect()
    }
}

/// The candidates of a cage that are too large or too small for any digits of the other open cells. `None` if no digits have the sum.
/// Refutations call this most often, so it builds no [`Rest`].
pub(super) fn beyond_bounds(position: &Position<'_>, cage: &Sum) -> Option<Removed> {
    let mut open = [(0, Digits::NONE); CELLS_MAX];
    let (mut total, mut count) = (cage.total, 0);
    for cell in cage.cells.iter() {
        total -= i32::from(position.digit(cell));
        if position.digit(cell) == 0 {
            open[count] = (cell, position.candidates(cell));
            count += 1;
        }
    }
    let (open, mut removed) = (&open[..count], Removed::new());
    if count == 0 {
        return (total == 0).then_some(removed);
    }
    for (at, (cell, digits)) in open.iter().enumerate() {
        let others = || open.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, (_, digits))| *digits);
        let [least, most] = ends(others, count - 1)?;
        let fits = |digit: &u8| (least..=most).contains(&(total - i32::from(*digit)));
        let beyond: Digits = digits.iter().filter(|digit| !fits(digit)).collect();
        if beyond == *digits {
            return None;
        }
        removed.extend(beyond.iter().map(|digit| (digit, Cells::only(*cell))));
    }
    Some(removed)
}

/// A lower and an upper bound for the sum of `count` cells with these candidates, which hold no digit twice. Each is the tighter of two
/// bounds: from the extreme digits of each cell, and from the extreme different digits of all cells. `None` if a cell has no candidate, or
/// if there are too few digits.
fn ends<I: Iterator<Item = Digits>>(candidates: impl Fn() -> I, count: usize) -> Option<[i32; 2]> {
    let (mut least, mut most, mut all) = (0, 0, Digits::NONE);
    for digits in candidates() {
        if digits.is_empty() {
            return None;
        }
        least += digits.0.trailing_zeros().cast_signed();
        most += digits.0.ilog2().cast_signed();
        all = all.or(digits);
    }
    let beyond = all.len().checked_sub(count)?;
    let (mut smallest, mut largest) = (0, 0);
    for (at, digit) in all.iter().enumerate() {
        smallest += if at < count { i32::from(digit) } else { 0 };
        largest += if at >= beyond { i32::from(digit) } else { 0 };
    }
    Some([least.max(smallest), most.min(largest)])
}

/// A depth-first search for digits of the cells of a sum.
struct Fit<'r> {
    rest: &'r Rest,
    /// The index of an open cell, and the digit that it has to hold.
    fixed: Option<(usize, u8)>,
    /// The digits chosen so far, in the order of the open cells.
    chosen: [u8; CELLS_MAX],
}

impl Fit<'_> {
    fn digits(&self, at: usize) -> Digits {
        let fixed = self.fixed.filter(|(fixed, _)| *fixed == at);
        fixed.map_or(self.rest.open[at].candidates, |(_, digit)| Digits::only(digit))
    }

    /// Whether the open cells from index `at` on can add up to `total`. The depth of the recursion is the number of open cells.
    fn fills(&mut self, at: usize, total: i32) -> bool {
        if at == self.rest.count {
            return total == 0;
        }
        let [least, most] = ((at + 1)..self.rest.count).fold([0, 0], |[least, most], later| {
            let digits = self.digits(later).0;
            [least + digits.trailing_zeros().cast_signed(), most + digits.checked_ilog2().unwrap_or(0).cast_signed()]
        });
        for digit in self.digits(at).iter() {
            let left = total - i32::from(digit);
            let clashes = |before: usize| self.rest.open[at].peers & 1 << before != 0 && self.chosen[before] == digit;
            if (least..=most).contains(&left) && !(0..at).any(clashes) {
                self.chosen[at] = digit;
                if self.fills(at + 1, left) {
                    return true;
                }
            }
        }
        false
    }
}

/// Prunes by the bounds of the printed cages, which a person sees at a glance.
pub(super) fn bounds(position: &Position<'_>, pruned: &mut Vec<Pruned>) -> Result<(), Failure> {
    each(position, |sum| sum.group == 0, |sum| beyond_bounds(position, sum), pruned)
}

/// Prunes by all ways to fill the printed cages.
pub(super) fn combinations(position: &Position<'_>, pruned: &mut Vec<Pruned>) -> Result<(), Failure> {
    each(position, |sum| sum.group == 0, |sum| Rest::of(position, sum).unsupported(), pruned)
}

/// Prunes by all ways to fill the cells of derived sums.
pub(super) fn derived(position: &Position<'_>, pruned: &mut Vec<Pruned>) -> Result<(), Failure> {
    let is_small = |sum: &Sum| sum.group > 0 && sum.cells.and(position.open()).len() <= OPEN_MAX;
    each(position, is_small, |sum| Rest::of(position, sum).unsupported(), pruned)
}

fn each(
    position: &Position<'_>,
    is_wanted: impl Fn(&Sum) -> bool,
    removed: impl Fn(&Sum) -> Option<Removed>,
    pruned: &mut Vec<Pruned>,
) -> Result<(), Failure> {
    for sum in position.rules().sums.iter().filter(|sum| is_wanted(sum)) {
        let by = By::House(sum.houses.first().expect("a sum has a house"));
        let of_sum = removed(sum).ok_or(Failure::Rule(by))?;
        pruned.extend(of_sum.into_iter().map(|(digit, cells)| Pruned { by, digit, cells }));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        grid::{rules::Rules, text::parse},
        killer::KILLER,
        shared::rng::Rng,
    };

    /// For each of the first four cells, which are a cage, the candidates that some way to fill the cage uses.
    fn tried(position: &Position<'_>, total: i32) -> Vec<Digits> {
        let mut used = vec![Digits::NONE; 4];
        for way in 0..6_usize.pow(4) {
            let digits = [1, 6, 36, 216].map(|unit| u8::try_from(way / unit % 6 + 1).unwrap());
            let fits = (0..).zip(digits).all(|(cell, digit)| position.candidates(cell).contains(digit));
            let differ = digits.iter().copied().collect::<Digits>().len() == 4;
            if fits && differ && digits.iter().map(|digit| i32::from(*digit)).sum::<i32>() == total {
                used.iter_mut().zip(digits).for_each(|(used, digit)| *used = used.or(Digits::only(digit)));
            }
        }
        used
    }

    #[test]
    fn ways_to_fill_a_cage_are_those_found_by_trying_all() {
        let mut rng = Rng::from_seed(1);
        for round in 0..500 {
            let total = 10 + round % 9;
            let text = format!("6x6: {} cages=aaaa{} sums={total}", ".".repeat(36), ".".repeat(32));
            let rules = Rules::of(&parse(&KILLER, "", &text).unwrap());
            let mut position = Position::empty(&rules);
            for cell in 0..4 {
                let digits = rules.digits.iter().filter(|_| rng.below(3) == 0);
                digits.for_each(|digit| position.remove(digit, Cells::only(cell)));
            }
            let (sum, used) = (&rules.sums[0], tried(&position, total));
            let kept = |removed: Removed| {
                let lost =
                    |cell: Cell| removed.iter().filter(move |(_, cells)| cells.contains(cell)).map(|(digit, _)| *digit);
                (0..4).map(|cell| position.candidates(cell).without(lost(cell).collect())).collect::<Vec<_>>()
            };
            let exact = Rest::of(&position, sum).unsupported().map(&kept);
            assert_eq!(exact, (!used[0].is_empty()).then_some(used.clone()), "{total}");
            let within = beyond_bounds(&position, sum).map_or_else(|| vec![Digits::NONE; 4], &kept);
            assert!(used.iter().zip(within).all(|(used, kept)| used.without(kept).is_empty()), "{total}");
        }
    }
}
