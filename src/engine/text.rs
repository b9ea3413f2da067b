//! Errors of puzzle texts and verdicts on puzzles, the same for every kind.

use super::{
    budget::OutOfBudget,
    level::Tenths,
    record::RatingRecord,
    step::{Cell, Step},
};

/// Why a text is not a puzzle of its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextError {
    /// It has another length than the variant asks for.
    Length {
        /// Characters given, blanks between them left out.
        len: usize,
        /// Characters wanted.
        wanted: usize,
    },
    /// A character that means nothing here.
    Character {
        /// The character.
        found: char,
        /// Its place in the text, from 0.
        at: usize,
    },
    /// A fault of the kind's own, said in full.
    Malformed {
        /// What is wrong, where, with value and limit.
        reason: String,
    },
}

/// What can be said about the solutions of a puzzle text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Exactly one solution, and two independent solvers agree on it.
    Unique {
        /// The solution's text.
        solution: String,
    },
    /// No solution, although no two givens clash.
    NoSolution,
    /// More than one solution.
    Several {
        /// Two different ones.
        solutions: [String; 2],
        /// The cells where these two differ.
        differ: Vec<Cell>,
    },
    /// Givens that break a rule among themselves.
    Contradiction {
        /// The cells that clash.
        cells: Vec<Cell>,
        /// What they break: `two 5s in row 1`.
        reason: String,
    },
    /// No verdict within the budget.
    Unknown(OutOfBudget),
}

/// A puzzle solved by reasoning, as far as the techniques reach.
#[derive(Debug, Clone, PartialEq)]
pub struct Reasoned {
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The rating, if the techniques finish the puzzle.
    pub record: Result<RatingRecord, Unrated>,
}

/// Why a puzzle has no rating.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unrated {
    /// The techniques find nothing more, or lead to another end than the solution.
    Stuck,
    /// The budget ended in the search for the next step.
    OutOfBudget {
        /// Why it ended.
        why: OutOfBudget,
        /// The rating is not below this.
        at_least: Tenths,
    },
}
