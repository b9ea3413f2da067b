//! Defines the tiers, the techniques of Kakuro with their names and effort, and what a technique finds: the pattern,
//! and the placement or eliminations that follow. `steps.rs` turns a find into a [`crate::shared::step::Step`].

use crate::{
    kakuro::{board::Digit, digits::Digits},
    shared::level::Tenths,
};

/// A class of reasoning, 0–8. [`Tier::rated`] converts it to the tier of ratings, where 0 counts as 1 and 8 as 7. Tier
/// 0 needs no arithmetic on the rest of a sum, and tier 8 is search, which people do not use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tier(pub u8);

impl Tier {
    /// The tier in ratings, 1–7.
    #[must_use]
    pub fn rated(self) -> u8 {
        self.0.clamp(1, 7)
    }
}

/// A technique's usual name and its place in the ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Technique {
    /// The usual name.
    pub name: &'static str,
    /// The tier.
    pub tier: Tier,
    /// The effort of one step for a person, in looks at one run.
    pub effort: u32,
}

impl Technique {
    const fn new(name: &'static str, tier: u8, effort: u32) -> Self {
        Self { name, tier: Tier(tier), effort }
    }

    /// The rating of a step by this technique, in tenths.
    #[must_use]
    pub fn rating(self) -> Tenths {
        Tenths(10 * self.tier.rated())
    }
}

pub(super) const LAST_CELL: Technique = Technique::new("Last Cell", 0, 1);
pub(super) const NAKED_SINGLE: Technique = Technique::new("Naked Single", 0, 1);
pub(super) const UNIQUE_COMBINATION: Technique = Technique::new("Unique Combination", 0, 1);
pub(super) const UNIQUE_REST: Technique = Technique::new("Unique Rest", 1, 2);
pub(super) const HIDDEN_SINGLE: Technique = Technique::new("Hidden Single", 1, 2);
pub(super) const COMBINATIONS: Technique = Technique::new("Combinations", 2, 3);
pub(super) const REQUIRED_DIGIT: Technique = Technique::new("Required Digit", 2, 3);
pub(super) const PARTNERS: Technique = Technique::new("Partners", 3, 4);
pub(super) const FITTING_COMBINATIONS: Technique = Technique::new("Fitting Combinations", 3, 5);
pub(super) const FITTING_DIGIT: Technique = Technique::new("Required Digit of Fitting Combinations", 3, 5);
pub(super) const NAKED_PAIR: Technique = Technique::new("Naked Pair", 4, 6);
pub(super) const NAKED_TRIPLET: Technique = Technique::new("Naked Triplet", 4, 8);
pub(super) const RUN_FILLINGS: Technique = Technique::new("Run Fillings", 4, 10);
pub(super) const SUM_CUT: Technique = Technique::new("Sum Cut", 5, 12);
pub(super) const CONTRADICTION: Technique = Technique::new("Contradiction", 6, 25);
pub(super) const LONG_CONTRADICTION: Technique = Technique::new("Long Contradiction", 7, 50);
pub(super) const TRIAL: Technique = Technique::new("Trial and Error", 8, 80);

/// Every technique of the ladder, in the order in which it tries them.
pub const TECHNIQUES: [Technique; 17] = [
    LAST_CELL,
    NAKED_SINGLE,
    UNIQUE_COMBINATION,
    UNIQUE_REST,
    HIDDEN_SINGLE,
    COMBINATIONS,
    REQUIRED_DIGIT,
    PARTNERS,
    FITTING_COMBINATIONS,
    FITTING_DIGIT,
    NAKED_PAIR,
    NAKED_TRIPLET,
    RUN_FILLINGS,
    SUM_CUT,
    CONTRADICTION,
    LONG_CONTRADICTION,
    TRIAL,
];

/// A technique applied to a position, before it is written as a step. Cells are numbers of white cells.
#[derive(Debug, Clone)]
pub(crate) struct Find {
    pub(crate) technique: Technique,
    /// The proof of the step.
    pub(super) pattern: Pattern,
    /// The placement or the eliminations.
    pub(super) outcome: Outcome,
}

impl Find {
    /// The number of links of a contradiction; 0 for any other step.
    pub(crate) fn links(&self) -> u32 {
        if let Pattern::Contradiction { links, .. } = self.pattern { links } else { 0 }
    }
}

/// What a step does to a position.
#[derive(Debug, Clone)]
pub(super) enum Outcome {
    /// Places a digit, which removes it from the cell's two runs.
    Place { white: usize, digit: Digit },
    /// Removes candidates, at least one.
    Remove(Vec<(usize, Digits)>),
}

/// The proof of a step, by family.
#[derive(Debug, Clone)]
pub(super) enum Pattern {
    /// The cell has one candidate.
    Cell { white: usize, digit: Digit },
    /// The run, its sum and its open cells.
    Run { run: usize },
    /// These cells of the run contain exactly these digits.
    Set { run: usize, whites: Vec<usize>, digits: Digits },
    /// The sums of all runs on one side determine the total of some cells, each added or subtracted.
    Cut { terms: Vec<(usize, bool)>, total: i32, runs: Vec<usize> },
    /// If the digit is in the cell, some run cannot be filled after this many rounds from run to run.
    Contradiction { white: usize, digit: Digit, links: u32 },
    /// If the digit is in the cell, a search finds no solution.
    Trial { white: usize, digit: Digit, nodes: u64 },
}
