//! The ways to fill a line with each digit once so that given numbers of digits are visible from its ends. A digit is visible if it is larger
//! than all digits before it.
//!
//! The largest digit is visible from both ends, and hides all digits behind it. So the line splits there into two parts, and each clue is
//! about one of them. For each set of digits, a table has the numbers of visible digits that a part with these digits can have.

use crate::grid::cells::Digits;

/// The most cells of a line.
pub(super) const LINE_MAX: usize = 8;

/// The number of sets of digits without the largest one. The set is a mask in which bit 0 stands for 1.
const SETS: usize = 1 << (LINE_MAX - 1);

/// For each set of digits, a set of numbers of visible digits: bit k stands for k.
type Counts = [u16; SETS];

/// The digits of each cell that some way to fill the line uses. `visible` has the clues at its start and at its end. `None` if there is no
/// way. The line has at most [`LINE_MAX`] cells.
pub(super) fn supported(line: &[Digits], visible: [Option<u8>; 2]) -> Option<[Digits; LINE_MAX]> {
    let len = line.len();
    let cells = |is_reversed: bool| {
        let mut cells = [0; LINE_MAX];
        for (at, digits) in line.iter().enumerate() {
            cells[if is_reversed { len - 1 - at } else { at }] = digits.0 >> 1;
        }
        cells
    };
    let parts = [false, true].map(|is_reversed| Part { cells: cells(is_reversed), len });
    let counts = parts.map(|part| part.counts());
    // The largest digit itself is visible, too.
    let wanted =
        visible.map(|visible| visible.map_or(!0, |visible| 1_u16.checked_shl(visible.into()).unwrap_or(0) >> 1));
    let (top, lower) = (1 << (len - 1), (1_usize << (len - 1)) - 1);
    let (mut used, mut needed) = ([0_u32; LINE_MAX], [[0; SETS]; 2]);
    for first in 0..=lower {
        let sets = [first, lower & !first];
        let at = first.count_ones() as usize;
        let ways = [0, 1].map(|end| counts[end][sets[end]] & wanted[end]);
        if parts[0].cells[at] & top != 0 && ways.iter().all(|ways| *ways != 0) {
            used[at] |= top;
            (0..2).for_each(|end| needed[end][sets[end]] |= ways[end]);
        }
    }
    for (end, (part, needed)) in parts.iter().zip(&mut needed).enumerate() {
        let of_part = part.used(&counts[end], needed);
        (0..len).for_each(|at| used[if end == 0 { at } else { len - 1 - at }] |= of_part[at]);
    }
    used[..len].iter().all(|digits| *digits != 0).then(|| used.map(|digits| Digits(digits << 1)))
}

/// A line as seen from one end. Of its cells, any number from the start on can be in front of the largest digit.
#[derive(Clone, Copy)]
struct Part {
    /// The digits of each cell, as sets of digits are written here.
    cells: [u32; LINE_MAX],
    len: usize,
}

impl Part {
    /// For each set of digits, the numbers of visible digits with which the first cells can hold them.
    fn counts(&self) -> Counts {
        let mut counts = [0; SETS];
        counts[0] = 1;
        let all = 1_usize << (self.len - 1);
        for set in 0..all {
            let at = set.count_ones() as usize;
            let digits = self.cells[at] as usize & (all - 1) & !set;
            if counts[set] != 0 {
                bits(digits).for_each(|digit| counts[set | digit] |= seen(counts[set], digit > set));
            }
        }
        counts
    }

    /// The digits of each cell that lead to the needed numbers of some set.
    fn used(&self, counts: &Counts, needed: &mut Counts) -> [u32; LINE_MAX] {
        let mut used = [0; LINE_MAX];
        for set in (1..1_usize << (self.len - 1)).rev().filter(|set| counts[*set] != 0) {
            let at = set.count_ones() as usize - 1;
            for digit in bits(set & self.cells[at] as usize) {
                let before = set & !digit;
                let leading = if digit > before { needed[set] >> 1 } else { needed[set] } & counts[before];
                if leading != 0 {
                    used[at] |= u32::try_from(digit).unwrap_or_default();
                    needed[before] |= leading;
                }
            }
        }
        used
    }
}

/// The numbers of visible digits with one more digit.
const fn seen(counts: u16, is_visible: bool) -> u16 {
    if is_visible { counts << 1 } else { counts }
}

/// The bits of a word, each as a word.
fn bits(mut word: usize) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = word & word.wrapping_neg();
        word &= !lowest;
        (lowest != 0).then_some(lowest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::rng::Rng;

    /// The same by trying all ways.
    fn tried(line: &[Digits], visible: [Option<u8>; 2]) -> Option<Vec<Digits>> {
        let mut ways: Vec<Vec<u8>> = vec![Vec::new()];
        for digits in line {
            let longer = |way: &Vec<u8>| {
                let next = digits.iter().filter(|digit| !way.contains(digit)).collect::<Vec<_>>();
                next.into_iter().map(|digit| [&way[..], &[digit]].concat()).collect::<Vec<_>>()
            };
            ways = ways.iter().flat_map(longer).collect();
        }
        let count = |way: &[u8]| (0..way.len()).filter(|at| way[..*at].iter().all(|before| *before < way[*at])).count();
        ways.retain(|way| {
            let reversed: Vec<u8> = way.iter().rev().copied().collect();
            let seen = [count(way), count(&reversed)];
            visible.iter().zip(seen).all(|(wanted, seen)| wanted.is_none_or(|wanted| usize::from(wanted) == seen))
        });
        let of_cell = |at: usize| ways.iter().map(|way| way[at]).collect();
        (!ways.is_empty()).then(|| (0..line.len()).map(of_cell).collect())
    }

    #[test]
    fn digits_that_some_way_uses_are_those_found_by_trying_all() {
        let (mut rng, mut possible) = (Rng::from_seed(1), 0);
        for round in 0..3_000_u16 {
            let len = u8::try_from(2 + round % 5).unwrap();
            let line: Vec<Digits> =
                (0..len).map(|_| Digits::up_to(len).iter().filter(|_| rng.below(4) > 0).collect()).collect();
            let visible =
                [0, 1].map(|_| u8::try_from(rng.below(u64::from(len) + 2)).ok().filter(|visible| *visible > 0));
            let found = supported(&line, visible).map(|digits| digits[..line.len()].to_vec());
            assert_eq!(found, tried(&line, visible), "{line:?} {visible:?}");
            possible += usize::from(found.is_some());
        }
        assert!((600..2_400).contains(&possible), "{possible}");
    }
}
