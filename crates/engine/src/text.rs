//! Errors of puzzle texts and verdicts on puzzles, the same for every kind.

use super::{
    budget::OutOfBudget,
    level::Tenths,
    record::{RatingRecord, TechniqueCount},
    solvers::Disagreement,
    step::{Cell, Step},
};

/// How the texts of a kind are laid out where several stand in one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextForm {
    /// A puzzle is the first word of a line.
    Line,
    /// A puzzle is lines up to an empty one, of which those that begin `# word:` say something about it.
    Paragraph,
}

/// Why a text is not a puzzle of its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextError {
    /// The kind has no such variant, said in full.
    Variant {
        /// What is wrong with its name, with value and limit.
        reason: String,
    },
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
        /// The puzzle with the digits that the two have in common: the cells where they differ are left empty.
        common: String,
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
    /// The two solvers contradict each other.
    SolversDisagree(Disagreement),
    /// No verdict within the budget.
    Unknown(OutOfBudget),
}

/// What helps a person on in the middle of a puzzle.
#[derive(Debug, Clone, PartialEq)]
pub enum Hint {
    /// The next step, and the ones after it up to the first that places a digit. Never empty.
    Steps(Vec<Step>),
    /// Cells with a digit that is not the solution's, and that digit.
    Wrong(Vec<(Cell, u8)>),
    /// Every cell is filled with the solution's digit.
    Solved,
    /// The techniques known here find no step.
    Stuck,
    /// No step within the budget.
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

/// What else could be done at each step of a solution.
#[derive(Debug, Clone, PartialEq)]
pub enum OpenSteps {
    /// For each step the other steps open before it, by technique, easiest first.
    Counted(Vec<Vec<TechniqueCount>>),
    /// The kind does not count them.
    NotCounted,
    /// The cancel flag was raised before all were counted.
    Cancelled,
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
