//! The ways to fill a line with each digit once so that given numbers of digits are visible from its ends. A digit is visible if it is larger
//! than all digits before it.
//!
//! The largest digit is visible from both ends, and hides all digits behind it. So the line splits there into two parts, and each clue is
//! about one of them. For each set of digits, a table has the numbers of visible digits that a part with these digits can have.

use std::cell::RefCell;

/// The most cells of a line.
pub(super) const LINE_MAX: usize = 8;

/// The digits of each cell of a line, from one end. Bit 0 stands for 1. Cells that the line lacks have none.
pub(super) type Line = [u8; LINE_MAX];

/// The answers of [`supported`] for one line with the same clues, each at a place that follows from the question. A new answer replaces the
/// one at its place.
#[derive(Debug, Clone, Default)]
pub(super) struct Known(RefCell<Vec<Answer>>);

/// The digits of a line, and what [`supported`] keeps of them.
#[derive(Debug, Clone, Copy, Default)]
struct Answer {
    line: Line,
    kept: Option<Line>,
}

impl Known {
    /// The answer for a line. If it is not known, `ask` finds it.
    pub(super) fn answer(&self, line: Line, ask: impl FnOnce() -> Option<Line>) -> Option<Line> {
        // As many places as a byte has values.
        let place = |line: Line| {
            // All bits of the line take part in the upper bits of the product (Fibonacci hashing).
            usize::from(u64::from_le_bytes(line).wrapping_mul(0x9E37_79B9_7F4A_7C15).to_be_bytes()[0])
        };
        let mut known = self.0.borrow_mut();
        known.resize(1 << u8::BITS, Answer::default());
        if known[place(line)].line != line {
            let kept = ask();
            known[place(line)] = Answer { line, kept };
            // All digits that are kept are kept again, which is the next question if nothing else changes.
            if let Some(line) = kept {
                known[place(line)] = Answer { line, kept };
            }
            return kept;
        }
        known[place(line)].kept
    }
}

/// The number of sets of digits without the largest one. The set is a mask in which bit 0 stands for 1.
const SETS: usize = 1 << (LINE_MAX - 1);

/// For each set of digits, a set of numbers of visible digits: bit k stands for k.
type Counts = [u8; SETS];

/// The digits of each cell that some way to fill the line uses. The line has `len` cells, at least one. `visible` has the clues at its start
/// and at its end. `None` if there is no way.
pub(super) fn supported(line: Line, len: usize, visible: [Option<u8>; 2]) -> Option<Line> {
    let mut reversed = line;
    reversed[..len].reverse();
    let parts = [line, reversed].map(|cells| Part { cells, len });
    let counts = [parts[0].counts(), parts[1].counts()];
    // The largest digit itself is visible, too.
    let wanted = visible.map(|visible| {
        let before = |visible: u8| 1_u8.checked_shl(u32::from(visible).wrapping_sub(1)).unwrap_or(0);
        visible.map_or(u8::MAX, before)
    });
    let (top, lower) = (1 << (len - 1), (1_usize << (len - 1)) - 1);
    let (mut used, mut needed) = ([0; LINE_MAX], [[0; SETS]; 2]);
    for first in (0..=lower).filter(|first| counts[0][*first] & wanted[0] != 0) {
        let sets = [first, lower & !first];
        let at = first.count_ones() as usize;
        let ways = [0, 1].map(|end| counts[end][sets[end]] & wanted[end]);
        if line[at] & top != 0 && ways[1] != 0 {
            used[at] |= top;
            (0..2).for_each(|end| needed[end][sets[end]] |= ways[end]);
        }
    }
    for (end, (part, needed)) in parts.iter().zip(&mut needed).enumerate() {
        let of_part = part.used(&counts[end], needed);
        (0..len).for_each(|at| used[if end == 0 { at } else { len - 1 - at }] |= of_part[at]);
    }
    used[..len].iter().all(|digits| *digits != 0).then_some(used)
}

/// A line as seen from one end. Of its cells, any number from the start on can be in front of the largest digit.
struct Part {
    cells: Line,
    len: usize,
}

impl Part {
    /// For each set of digits, the numbers of visible digits with which the first cells can hold them.
    fn counts(&self) -> Counts {
        let mut counts = [0; SETS];
        counts[0] = 1;
        let all = 1_usize << (self.len - 1);
        for set in 0..all {
            if counts[set] == 0 {
                continue;
            }
            let at = set.count_ones() as usize;
            let digits = usize::from(self.cells[at]) & (all - 1) & !set;
            bits(digits).for_each(|digit| counts[set | digit] |= seen(counts[set], digit > set));
        }
        counts
    }

    /// The digits of each cell that lead to the needed numbers of some set.
    fn used(&self, counts: &Counts, needed: &mut Counts) -> Line {
        let mut used = [0; LINE_MAX];
        for set in (1..1_usize << (self.len - 1)).rev() {
            if needed[set] == 0 {
                continue;
            }
            let at = set.count_ones() as usize - 1;
            for digit in bits(set & usize::from(self.cells[at])) {
                let before = set & !digit;
                let leading = if digit > before { needed[set] >> 1 } else { needed[set] } & counts[before];
                if leading != 0 {
                    used[at] |= u8::try_from(digit).unwrap_or_default();
                    needed[before] |= leading;
                }
            }
        }
        used
    }
}

/// The numbers of visible digits with one more digit.
const fn seen(counts: u8, is_visible: bool) -> u8 {
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
    fn tried(line: &[u8], visible: [Option<u8>; 2]) -> Option<Vec<u8>> {
        let mut ways: Vec<Vec<u8>> = vec![Vec::new()];
        for digits in line {
            let longer = |way: &Vec<u8>| {
                let next =
                    (1..=8).filter(|digit| digits >> (digit - 1) & 1 != 0 && !way.contains(digit)).collect::<Vec<_>>();
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
        let of_cell = |at: usize| ways.iter().fold(0, |digits, way| digits | 1 << (way[at] - 1));
        (!ways.is_empty()).then(|| (0..line.len()).map(of_cell).collect())
    }

    #[test]
    fn digits_that_some_way_uses_are_those_found_by_trying_all() {
        let (mut rng, mut possible) = (Rng::from_seed(1), 0);
        for round in 0..3_000_u16 {
            let len = 2 + usize::from(round % 5);
            let mut line = [0; LINE_MAX];
            line[..len].fill_with(|| (0..len).filter(|_| rng.below(4) > 0).fold(0, |digits, bit| digits | 1 << bit));
            let visible = [0, 1].map(|_| u8::try_from(rng.below(len as u64 + 2)).ok().filter(|visible| *visible > 0));
            let found = supported(line, len, visible).map(|digits| digits[..len].to_vec());
            assert_eq!(found, tried(&line[..len], visible), "{line:?} {visible:?}");
            possible += usize::from(found.is_some());
        }
        assert!((600..2_400).contains(&possible), "{possible}");
    }
}
