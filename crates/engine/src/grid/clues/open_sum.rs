//! [`OpenSum`]: the open cells of a sum, and the candidates that it excludes: by the bounds of the cells, or by all
//! ways to fill them.

use super::{
    By, Cage, Exclusion, Operator, Sum,
    combinations::Combinations,
    ways::{self, Ways},
};
use crate::{
    grid::{
        cells::{Cells, Digits},
        position::Position,
        rounds::Failure,
        rules::Rules,
    },
    shared::step::Cell,
};

/// The maximum number of cells of a sum: the number of digits of the largest board.
pub(super) const CELLS_MAX: usize = 16;

/// The largest digit of a board.
const DIGIT_MAX: i32 = 16;

/// The maximum number of open cells of a derived sum. Sums with more are skipped.
pub(crate) const OPEN_MAX: usize = 5;

/// Candidates to remove: digits, each with the cells that lose it.
pub(crate) type Removed = Vec<(u8, Cells)>;

/// The open cells of a sum or a cage, and what they make.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpenSum {
    /// The cells with their candidates. Only the first `count` are used.
    open: [(Cell, Digits); CELLS_MAX],
    count: usize,
    /// What the open cells make; for a difference or a quotient, what the whole cage makes. If that is impossible, a number that no
    /// digits make.
    pub(crate) total: i32,
    pub(super) operator: Operator,
    /// The digit of the other cell of a difference or a quotient.
    pub(super) known: Option<u8>,
    /// Whether the digits of the cells differ.
    differ: bool,
    /// Whether no cell is open, and the digits make the total.
    is_met: bool,
}

impl OpenSum {
    /// The open cells of a sum in a position.
    pub(crate) fn of(position: &Position<'_>, sum: &Sum) -> Self {
        let Sum { total, operator, differ, .. } = *sum;
        let open = [(0, Digits::NONE); CELLS_MAX];
        let mut rest = Self { open, count: 0, total, operator, known: None, differ, is_met: false };
        sum.cells.iter().for_each(|cell| match position.digit(cell) {
            0 => {
                rest.open[rest.count] = (cell, position.candidates(cell));
                rest.count += 1;
            }
            digit => rest.take(digit),
        });
        rest.is_met |=
            rest.count == 0 && !operator.is_of_two() && rest.total == i32::from(operator == Operator::Multiply);
        rest
    }

    /// Takes the digit of a filled cell into account.
    fn take(&mut self, digit: u8) {
        match self.known {
            _ if !self.operator.is_of_two() => self.total = self.operator.rest(self.total, digit).unwrap_or(0),
            None => self.known = Some(digit),
            Some(known) => self.is_met = self.operator.partners(known, self.total).contains(digit),
        }
    }

    pub(super) fn open(&self) -> &[(Cell, Digits)] {
        &self.open[..self.count]
    }

    pub(crate) fn cells(&self) -> Cells {
        self.open().iter().map(|(cell, _)| *cell).collect()
    }

    /// The candidates that are too large or too small for the bounds of the other cells. `None` if the bounds show that no digits have the sum.
    pub(crate) fn beyond_bounds(&self) -> Option<Removed> {
        let mut kept = [Digits::NONE; CELLS_MAX];
        for (at, kept) in kept.iter_mut().enumerate().take(self.count) {
            let digits = self.open[at].1;
            *kept = match self.operator {
                Operator::Add => {
                    let [least, most] = self.bounds_without(at)?;
                    digits.and(between(self.total - most, self.total - least))
                }
                Operator::Multiply => {
                    let [least, most] = self.product_bounds_without(at)?;
                    let rest = |digit: &u8| Operator::Multiply.rest(self.total, *digit);
                    digits
                        .iter()
                        .filter(|digit| rest(digit).is_some_and(|rest| (least..=most).contains(&rest)))
                        .collect()
                }
                Operator::Subtract | Operator::Divide => {
                    let others = self.known.map_or_else(|| self.open[1 - at].1, Digits::only);
                    let has_partner = |digit: &u8| !self.operator.partners(*digit, self.total).and(others).is_empty();
                    digits.iter().filter(has_partner).collect()
                }
            };
        }
        self.removed(&kept)
    }

    /// The bounds for the product of all open cells except the one at an index. `None` if a cell has no candidate.
    fn product_bounds_without(&self, at: usize) -> Option<[i32; 2]> {
        let mut others = self.open[..at].iter().chain(&self.open[at + 1..self.count]);
        others.try_fold([1_i32, 1], |[least, most], (_, digits)| {
            let [low, high] = ends(*digits, 1)?;
            Some([least.saturating_mul(low), most.saturating_mul(high)])
        })
    }

    /// The bounds for the sum of all open cells except the one at an index. The lower bound is the larger of two sums:
    /// of the smallest candidate of each cell, and of the smallest different digits among all candidates. The upper
    /// bound is the smaller of the two sums of the largest digits. If digits may repeat, the first sums alone are the bounds. `None` if a
    /// cell has no candidate, or if there are too few digits.
    fn bounds_without(&self, at: usize) -> Option<[i32; 2]> {
        let (mut least, mut most, mut all) = (0, 0, Digits::NONE);
        for (_, digits) in self.open[..at].iter().chain(&self.open[at + 1..self.count]) {
            let [low, high] = ends(*digits, 1)?;
            (least, most, all) = (least + low, most + high, all.or(*digits));
        }
        if !self.differ {
            return Some([least, most]);
        }
        let [smallest, largest] = ends(all, self.count - 1)?;
        Some([least.max(smallest), most.min(largest)])
    }

    /// The candidates that no way to fill the cells uses. `None` if there is no way.
    pub(crate) fn unsupported(&self, rules: &Rules) -> Option<Removed> {
        let seen = |cell: Cell| rules.peers[usize::from(cell)].or(Cells::only(cell));
        let cells = self.cells();
        if self.operator == Operator::Add && cells.iter().all(|cell| cells.is_within(seen(cell))) {
            return self.removed(&self.used().0);
        }
        let mut used = [Digits::NONE; CELLS_MAX];
        let mut ways = Ways::of(self, rules);
        for at in 0..self.count {
            for digit in self.open[at].1.iter() {
                ways.fixed = Some((at, digit));
                if !used[at].contains(digit) && ways.exist() {
                    let both = used.iter_mut().zip(ways.chosen());
                    both.for_each(|(used, digit)| *used = used.or(Digits::only(*digit)));
                }
            }
        }
        self.removed(&used)
    }

    /// Looks at all ways to fill the cells with different digits. Returns the candidates of each cell that at least one
    /// way uses, and the digits that all ways use.
    fn used(&self) -> ([Digits; CELLS_MAX], Digits) {
        // The combinations that the cells before each cell can hold.
        let mut before = [Combinations::EMPTY; CELLS_MAX + 1];
        for (at, (_, digits)) in self.open().iter().enumerate() {
            before[at + 1] =
                digits.iter().map(|digit| before[at].with(digit)).fold(Combinations::NONE, Combinations::or);
        }
        let mut possible = before[self.count].and(Combinations::of_total(self.total));
        let needed = possible.iter().reduce(Digits::and).unwrap_or_default();
        let mut used = [Digits::NONE; CELLS_MAX];
        for (at, (_, digits)) in self.open().iter().enumerate().rev() {
            let mut earlier = Combinations::NONE;
            for digit in digits.iter() {
                let with_digit = before[at].and(possible.without(digit));
                if !with_digit.is_empty() {
                    used[at] = used[at].or(Digits::only(digit));
                    earlier = earlier.or(with_digit);
                }
            }
            possible = earlier;
        }
        (used, needed)
    }

    /// Sets of cells of a cage, each with the digits that every way to fill the cage has in the set. If digits cannot repeat, there is one
    /// set: all open cells.
    pub(crate) fn needed(&self, rules: &Rules) -> Vec<(Cells, Digits)> {
        if rules.variant.clues.has_repeats() { ways::needed(self, rules) } else { vec![(self.cells(), self.used().1)] }
    }

    /// The digit that is left for the only open cell. `None` if there are several cells or several digits.
    pub(crate) fn only_digit(&self) -> Option<(Cell, u8)> {
        let [(cell, digits)] = self.open() else { return None };
        let digit = match self.known {
            Some(known) => self.operator.partners(known, self.total).and(*digits).single(),
            None if self.operator.is_of_two() => None,
            None => u8::try_from(self.total).ok().filter(|digit| *digit < 32 && digits.contains(*digit)),
        };
        digit.map(|digit| (*cell, digit))
    }

    /// The sets of digits with which the cells could be filled if each of them had all candidates, at most two. A set has a
    /// repeated digit once.
    pub(crate) fn sets(&self, rules: &Rules) -> Vec<Digits> {
        let mut all = *self;
        all.open[..all.count].iter_mut().for_each(|(_, digits)| *digits = rules.digits);
        let (mut ways, mut first, mut sets): (_, Option<Vec<u8>>, Vec<Digits>) =
            (Ways::of(&all, rules), None, Vec::new());
        ways.each(&mut |digits| {
            let mut sorted = digits.to_vec();
            sorted.sort_unstable();
            if first.as_ref() != Some(&sorted) {
                sets.push(sorted.iter().copied().collect());
                first.get_or_insert(sorted);
            }
            sets.len() == 2
        });
        sets
    }

    /// The candidates that are not in `kept`. `None` if a cell keeps no candidate, or if no cell is open and the digits do not make the
    /// total.
    fn removed(&self, kept: &[Digits; CELLS_MAX]) -> Option<Removed> {
        let is_possible =
            if self.count == 0 { self.is_met } else { kept[..self.count].iter().all(|kept| !kept.is_empty()) };
        let lost = self.open().iter().zip(kept).map(|((cell, digits), kept)| (*cell, digits.without(*kept)));
        let all = lost.clone().fold(Digits::NONE, |all, (_, lost)| all.or(lost));
        let of_digit =
            |digit| (digit, lost.clone().filter(|(_, lost)| lost.contains(digit)).map(|(cell, _)| cell).collect());
        is_possible.then(|| all.iter().map(of_digit).collect())
    }
}

/// The least and the largest sum of `count` different digits of a set. `None` if the set is smaller.
pub(super) fn ends(digits: Digits, count: usize) -> Option<[i32; 2]> {
    let (mut low, mut high, mut sums) = (digits.0, digits.0, [0, 0]);
    for _ in 0..count {
        sums[0] += low.trailing_zeros().cast_signed();
        let last = high.checked_ilog2()?;
        sums[1] += last.cast_signed();
        low &= low - 1;
        high &= !(1 << last);
    }
    Some(sums)
}

/// The digits from `first` to `last`.
pub(super) fn between(first: i32, last: i32) -> Digits {
    let up_to = |last: i32| Digits::up_to(u8::try_from(last.clamp(0, DIGIT_MAX)).unwrap_or_default());
    up_to(last).without(up_to(first - 1))
}

/// Whether there is a way to fill a cage on an empty board without other clues.
pub(crate) fn can_be_filled(cage: &Cage, rules: &Rules) -> bool {
    Ways::of(&OpenSum::of(&Position::empty(rules), &Sum::of_cage(cage)), rules).exist()
}

/// Excludes the candidates that are too large or too small for a printed cage.
pub(crate) fn bounds(position: &Position<'_>, exclusions: &mut Vec<Exclusion>) -> Result<(), Failure> {
    each(position, |sum| sum.group == 0, OpenSum::beyond_bounds, exclusions)
}

/// Excludes the candidates that no way to fill a printed cage uses.
pub(crate) fn combinations(position: &Position<'_>, exclusions: &mut Vec<Exclusion>) -> Result<(), Failure> {
    each(position, |sum| sum.group == 0, |rest| rest.unsupported(position.rules()), exclusions)
}

/// Excludes the candidates that no way to fill the cells of a derived sum uses.
pub(crate) fn derived(position: &Position<'_>, exclusions: &mut Vec<Exclusion>) -> Result<(), Failure> {
    let is_small = |sum: &Sum| sum.group > 0 && sum.cells.and(position.open()).len() <= OPEN_MAX;
    each(position, is_small, |rest| rest.unsupported(position.rules()), exclusions)
}

fn each(
    position: &Position<'_>,
    is_wanted: impl Fn(&Sum) -> bool,
    removed: impl Fn(&OpenSum) -> Option<Removed>,
    exclusions: &mut Vec<Exclusion>,
) -> Result<(), Failure> {
    for sum in position.rules().sums.iter().filter(|sum| is_wanted(sum)) {
        let by = By::House(sum.houses.first().expect("a sum has a house"));
        let of_sum = removed(&OpenSum::of(position, sum)).ok_or(Failure::Rule(by))?;
        exclusions.extend(of_sum.into_iter().map(|(digit, cells)| Exclusion { by, digit, cells }));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{grid::text::parse, killer::KILLER, shared::rng::Rng};

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
            let exact = OpenSum::of(&position, sum).unsupported(&rules).map(&kept);
            assert_eq!(exact, (!used[0].is_empty()).then_some(used.clone()), "{total}");
            let within = OpenSum::of(&position, sum).beyond_bounds().map_or_else(|| vec![Digits::NONE; 4], &kept);
            assert!(used.iter().zip(within).all(|(used, kept)| used.without(kept).is_empty()), "{total}");
        }
    }
}
