//! Rates puzzles on the Sudoku Explainer scale: ER, EP, and ED, and the five levels defined on ER.

use crate::{
    shared::{
        budget::{Budget, OutOfBudget},
        level::{Level, LevelBorder, Tenths},
    },
    sudoku::{
        board::Grid,
        techniques::{Candidates, Climb, Find, Technique, climb},
    },
};

/// Name and version of the rater. Raise the version when any puzzle's result may change.
pub const RATER: (&str, u32) = ("puzzled-se", 4);

/// The highest rating that the ladder can give: that of its last technique with the longest possible chain. The hardest known
/// puzzles have an ER of 11.9.
pub const RATING_MAX: Tenths = Tenths(134);

/// The maximum number of nodes for one rating: about half a minute of work. A node is one implication that a search for chains
/// follows. A puzzle that needs more is out of budget. The hardest known puzzles that were tested, with ER 11.4 to
/// 11.9, take at most half of it.
pub const NODES_PER_RATING_MAX: u64 = 300_000_000;

/// The five levels as ranges of ER. Each level begins where a player has to learn something new.
pub const LEVELS: [LevelBorder; 5] = [
    LevelBorder {
        level: Level::Easy,
        min: Tenths(10),
        max: Tenths(15),
        reason: "hidden singles alone: one look at a box, row, or column fills a cell",
    },
    LevelBorder {
        level: Level::Medium,
        min: Tenths(16),
        max: Tenths(25),
        reason: "every step fills a cell, so no notes are needed",
    },
    LevelBorder {
        level: Level::Hard,
        min: Tenths(26),
        max: Tenths(40),
        reason: "candidates have to be noted and removed, but each pattern is one digit in a few lines or one house",
    },
    LevelBorder {
        level: Level::Expert,
        min: Tenths(41),
        max: Tenths(69),
        reason: "patterns bind cells of several houses and digits: wings, uniqueness, single chains without a branch",
    },
    LevelBorder {
        level: Level::Evil,
        min: Tenths(70),
        max: RATING_MAX,
        reason: "long forcing chains and contradictions, several of them at once",
    },
];

/// The three ratings of Sudoku Explainer, each in tenths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ratings {
    /// ER: the hardest step.
    pub er: Tenths,
    /// EP, "pearl": the hardest step up to the first placement, which is included.
    pub ep: Tenths,
    /// ED, "diamond": the rating of the first step.
    pub ed: Tenths,
}

/// The result of a rating.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The ladder finished the puzzle.
    Rated(Ratings),
    /// The budget ended in the search for the next step.
    OutOfBudget {
        /// Why it ended.
        why: OutOfBudget,
        /// A lower bound of each rating.
        at_least: Ratings,
    },
    /// The techniques of the ladder do not finish the puzzle. Each rating is a lower bound for the steps up to this point.
    Stuck(Ratings),
    /// The next step is rated above the limit. Each rating is a lower bound.
    Harder(Ratings),
    /// Two givens clash.
    Clash,
}

/// ER, EP, and ED alone, within the budget. Takes about ten microseconds up to ER 2.5, half a millisecond around 7.0, ten
/// milliseconds around 9.0, and a second or more above 10.
#[must_use]
pub fn outcome(puzzle: &Grid, budget: &mut Budget<'_>) -> Outcome {
    outcome_up_to(puzzle, Tenths::MAX, budget)
}

/// Like [`outcome`], but stops at the first step that is rated above `limit`.
#[must_use]
pub fn outcome_up_to(puzzle: &Grid, limit: Tenths, budget: &mut Budget<'_>) -> Outcome {
    let Some(mut candidates) = Candidates::of(puzzle) else { return Outcome::Clash };
    let mut tally = Tally::default();
    match climb(&mut candidates, limit, budget, |_, find| tally.add(find)) {
        Climb::Solved => Outcome::Rated(tally.ratings),
        Climb::Stuck => Outcome::Stuck(tally.ratings),
        Climb::Harder { at_least } => {
            tally.rate(at_least);
            Outcome::Harder(tally.ratings)
        }
        Climb::OutOfBudget { why, at_least } => {
            tally.rate(at_least);
            Outcome::OutOfBudget { why, at_least: tally.ratings }
        }
    }
}

/// The ratings and the number of steps, updated step by step.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) ratings: Ratings,
    /// The technique of the first step with the highest rating so far.
    pub(super) hardest: Option<Technique>,
    pub(super) steps: u32,
    placed: bool,
}

impl Tally {
    pub(super) fn add(&mut self, find: &Find) {
        self.rate(find.technique.rating);
        self.hardest = harder(self.hardest, find.technique);
        self.placed |= find.places();
        self.steps += 1;
    }

    /// Takes the next step's rating into account.
    fn rate(&mut self, rating: Tenths) {
        if self.steps == 0 {
            self.ratings.ed = rating;
        }
        if !self.placed {
            self.ratings.ep = self.ratings.ep.max(rating);
        }
        self.ratings.er = self.ratings.er.max(rating);
    }
}

/// The harder of the hardest technique so far and that of the next step. Of equals, the first one stays: it names the puzzle.
pub(in crate::sudoku) fn harder(hardest: Option<Technique>, next: Technique) -> Option<Technique> {
    hardest.filter(|hardest| hardest.rating >= next.rating).or(Some(next))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::{shared::level::level_of, sudoku::techniques::TECHNIQUES};

    #[test]
    fn levels_leave_no_gap_and_come_in_order() {
        assert_eq!(LEVELS.map(|border| border.level), Level::ALL);
        assert!(LEVELS.windows(2).all(|pair| pair[0].max.0 + 1 == pair[1].min.0));
        let borders = [15, 16, 25, 26, 40, 41, 69, 70].map(|tenths| level_of(&LEVELS, Tenths(tenths)).name());
        assert_eq!(borders, ["easy", "medium", "medium", "hard", "hard", "expert", "expert", "evil"]);
    }

    const NEEDS_NESTED: &str = "003006700000000020090200000030700600500004007607003045305007400000000000000010008";

    fn check_bound(puzzle: &Grid, nodes_max: u64, cancelled: bool, wanted: OutOfBudget) -> Ratings {
        let flag = AtomicBool::new(cancelled);
        match outcome(puzzle, &mut Budget::new(nodes_max, &flag)) {
            Outcome::OutOfBudget { why, at_least } if why == wanted => at_least,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn out_of_budget_comes_with_a_lower_bound() {
        let puzzle = Grid::parse(NEEDS_NESTED).unwrap();
        assert!(check_bound(&puzzle, 20_000, false, OutOfBudget::Nodes).er >= Tenths(66));
        let easiest_chain = Ratings { er: Tenths(65), ep: Tenths(65), ed: Tenths(65) };
        assert_eq!(check_bound(&Grid::EMPTY, 0, false, OutOfBudget::Nodes), easiest_chain);
    }

    #[test]
    fn a_raised_flag_ends_a_rating_that_would_take_seconds() {
        let puzzle = Grid::parse(NEEDS_NESTED).unwrap();
        assert!(check_bound(&puzzle, u64::MAX, true, OutOfBudget::Cancelled).er >= Tenths(65));
    }

    #[test]
    fn the_hardest_technique_bounds_the_rating() {
        assert!(TECHNIQUES.is_sorted_by_key(|technique| technique.rating));
        let longest = 24;
        assert_eq!(TECHNIQUES.last().unwrap().rating.0 + longest, RATING_MAX.0);
        assert_eq!(TECHNIQUES[0].rating, LEVELS[0].min);
    }
}
