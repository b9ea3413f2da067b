//! Counts the work of a search, so that a raised cancel flag ends it soon.

use std::cell::Cell;

use crate::shared::budget::Budget;

/// The amount of work between two reads of the cancel flag: some tenths of a millisecond.
const LOOKS_PER_CHECK: u32 = 8_192;

/// Counts the looks of the search for one step, and ends the search when the cancel flag is raised.
///
/// A look is the smallest unit of work: it follows a link, tries a set, or compares two sets. It takes about ten
/// nanoseconds.
pub(super) struct Pace<'a> {
    budget: Budget<'a>,
    looks: Cell<u32>,
    is_cut: Cell<bool>,
    #[cfg(test)]
    pub(super) total: Cell<u64>,
    #[cfg(test)]
    pub(super) longest: Cell<u32>,
}

impl<'a> Pace<'a> {
    /// Uses the cancel flag of this budget, and none of its nodes.
    pub(super) fn of(budget: &Budget<'a>) -> Self {
        Self {
            budget: budget.renewed(0),
            looks: Cell::new(0),
            is_cut: Cell::new(false),
            #[cfg(test)]
            total: Cell::new(0),
            #[cfg(test)]
            longest: Cell::new(0),
        }
    }

    /// Counts this many more looks, and returns whether to end the search. A search that ends this way may return a
    /// wrong result, because its result is discarded.
    pub(super) fn is_cut(&self, looks: usize) -> bool {
        let looks = u32::try_from(looks).expect("one part of a search takes few looks");
        #[cfg(test)]
        {
            self.total.set(self.total.get() + u64::from(looks));
            self.longest.set(self.longest.get().max(looks));
        }
        let since_check = self.looks.get().saturating_add(looks);
        if since_check < LOOKS_PER_CHECK {
            self.looks.set(since_check);
        } else {
            self.looks.set(0);
            self.is_cut.set(self.budget.check_cancelled().is_err());
        }
        self.is_cut.get()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::sudoku::board::Grid;
    use crate::sudoku::hodoku::{
        Outcome,
        position::Position,
        rate_with,
        search::{Barren, Search},
        step::Effect,
        table::{FULL_HOUSE, HIDDEN_SINGLE, LADDER, NAKED_SINGLE},
    };

    /// The maximum number of looks that a search counts at once.
    const LONGEST: u32 = 2_000;

    /// Puzzles for which the longest searches do the most work: a guess, many nets, and long chains of sets.
    const PUZZLES: [&str; 3] = [
        "003400700000009006000020010008004001300000800570800000000007090800060002005300100",
        "050709018000800006080000300000200001004080700700004000001000020900007000270105090",
        "100006709050000000009000000000090030400010000900600801002700000000800640800060107",
    ];

    /// Every `stride`-th of those positions in the solution of a puzzle that have no singles left.
    fn positions(line: &str, stride: usize) -> Vec<Position> {
        let puzzle = Grid::parse(line).unwrap();
        let (mut position, mut positions) = (Position::of(&puzzle), Vec::new());
        let outcome = rate_with(&puzzle, &mut Budget::of_nodes(u64::MAX), |step| {
            if ![&FULL_HOUSE, &NAKED_SINGLE, &HIDDEN_SINGLE].contains(&step.technique) {
                positions.push(position.clone());
            }
            step.placed.map_or_else(|| Effect::Remove(step.removed.clone()), Effect::Place).apply(&mut position);
        });
        assert!(matches!(outcome, Outcome::Rated(_)), "{outcome:?}");
        positions.into_iter().step_by(stride).collect()
    }

    /// Runs every technique on its own, and passes the number of looks and the largest number counted at once.
    fn check(is_raised: bool, test: impl Fn(&str, u64, u32)) {
        let flag = AtomicBool::new(is_raised);
        for position in PUZZLES.iter().flat_map(|line| positions(line, 10)) {
            for (technique, finder) in &LADDER {
                let (budget, barren) = (Budget::new(0, &flag), Barren::default());
                let search = Search::of(&position, &barren, &budget);
                finder(&search);
                test(technique.name, search.pace.total.get(), search.pace.longest.get());
            }
        }
    }

    #[test]
    fn search_reads_the_flag_after_a_bounded_number_of_looks() {
        check(false, |technique, _, longest| assert!(longest <= LONGEST, "{technique}: {longest}"));
    }

    #[test]
    fn search_ends_when_it_sees_the_raised_flag() {
        let most = u64::from(LOOKS_PER_CHECK + LONGEST);
        check(true, |technique, total, _| assert!(total <= most, "{technique}: {total}"));
    }
}
