//! The results of reading, checking, and solving a puzzle text: errors, verdicts, hints, steps, and the structure of the board.
//! They are the same for every kind.

pub(crate) mod address;
pub mod answer;
pub mod board;
pub mod compare;
pub(crate) mod foreign;
pub(crate) mod fpuzzles;
pub mod judge;
pub(crate) mod packed;
pub mod proof;
pub mod uniform;

use std::fmt;

use super::{
    budget::OutOfBudget,
    level::Tenths,
    phrases::counted,
    record::{RatingRecord, TechniqueCount},
    step::{Cell, Step},
    symmetry::Symmetry,
    tries::Disagreement,
};

/// How a file that holds several puzzles of a kind separates their texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextForm {
    /// Each line is a puzzle. Only the first word of the line counts.
    Line,
    /// An empty line ends each puzzle. Lines that begin with `# word:` describe the puzzle.
    Paragraph,
}

/// Why a text is not a puzzle of its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextError {
    /// The kind has no such variant.
    Variant {
        /// The whole message: what is wrong with the name, with the value and the limit.
        reason: String,
    },
    /// The text does not have as many characters as the variant has cells.
    Length {
        /// Number of characters in the text, without blanks.
        len: usize,
        /// Number of characters that the variant requires.
        wanted: usize,
    },
    /// The text has a character that no cell may hold.
    Character {
        /// The first such character.
        found: char,
        /// Row of the cell that it stands for, from 1.
        row: usize,
        /// Column of the cell that it stands for, from 1.
        column: usize,
        /// The characters that a cell may hold, as a message lists them.
        allowed: &'static str,
    },
    /// The pencil marks of a board are not candidates of its cells.
    Candidates {
        /// The whole message: what is wrong, with the value and the limit.
        reason: String,
    },
    /// The text breaks a rule of its kind.
    Malformed {
        /// The whole message: what is wrong and where, with the value and the limit.
        reason: String,
    },
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { len, wanted } => {
                write!(f, "{}; the puzzle must have exactly {wanted}", counted(*len, "cell"))
            }
            Self::Character { found, row, column, allowed } => {
                write!(f, "row {row}, column {column}: {found:?} is not allowed; use {allowed}")
            }
            Self::Variant { reason } | Self::Candidates { reason } | Self::Malformed { reason } => f.write_str(reason),
        }
    }
}

/// A text that breaks a rule of its kind. `reason` is the whole message.
pub(crate) fn malformed(reason: String) -> TextError {
    TextError::Malformed { reason }
}

/// The result of two independent solvers on the number of solutions of a puzzle text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The puzzle has exactly one solution, and both solvers agree on it.
    Unique {
        /// Text of the solution.
        solution: String,
    },
    /// The puzzle has no solution, although its givens break no rule.
    NoSolution,
    /// The puzzle has more than one solution.
    Several {
        /// The texts of two different solutions.
        solutions: [String; 2],
        /// The puzzle with the digits that both solutions share. The cells where they differ are empty.
        common: String,
        /// The cells where the two solutions differ.
        differ: Vec<Cell>,
    },
    /// The givens alone break a rule.
    Contradiction {
        /// The cells that break it.
        cells: Vec<Cell>,
        /// The rule that they break: `two 5s in row 1`.
        reason: String,
    },
    /// The two solvers contradict each other, so one of them has a fault.
    SolversDisagree(Disagreement),
    /// The budget ran out before a verdict.
    Unknown(OutOfBudget),
}

/// The answer to a person who requests a hint in the middle of a puzzle.
#[derive(Debug, Clone, PartialEq)]
pub enum Hint {
    /// The next step, and the ones after it up to the first that places a digit. Never empty.
    Steps(Vec<Step>),
    /// The cells whose digit is wrong, each with that digit, and the empty cells whose pencil marks lack the right digit, each with
    /// 0.
    Wrong(Vec<(Cell, u8)>),
    /// Every cell holds the digit of the solution.
    Solved,
    /// The techniques find no step.
    Stuck,
    /// The budget ran out before a step was found.
    Unknown(OutOfBudget),
}

impl Hint {
    /// The hint for a board: each cell with its digit, 0 if it is empty, the right one, and the digits that the player still has
    /// for it, as bits. `to_next_digit` finds the steps to the next digit. It is called only if nothing is wrong and a digit is
    /// missing.
    pub(crate) fn of(
        cells: impl IntoIterator<Item = (Cell, u8, u8, u32)>,
        to_next_digit: impl FnOnce() -> Result<Vec<Step>, OutOfBudget>,
    ) -> Self {
        let differing: Vec<_> = cells.into_iter().filter(|(_, digit, right, _)| digit != right).collect();
        let is_wrong = |&&(_, digit, right, marks): &&(Cell, u8, u8, u32)| digit != 0 || marks & 1 << right == 0;
        let wrong = differing.iter().filter(is_wrong);
        let wrong: Vec<_> = wrong.map(|&(cell, digit, ..)| (cell, digit)).collect();
        if !wrong.is_empty() {
            return Self::Wrong(wrong);
        }
        if differing.is_empty() {
            return Self::Solved;
        }
        match to_next_digit() {
            Ok(steps) if steps.is_empty() => Self::Stuck,
            Ok(steps) => Self::Steps(steps),
            Err(why) => Self::Unknown(why),
        }
    }
}

/// A solution by techniques, as far as they lead.
#[derive(Debug, Clone, PartialEq)]
pub struct Reasoned {
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The rating and metrics, if the techniques finish the puzzle.
    pub record: Result<RatingRecord, Unrated>,
}

/// The other steps that were possible at each step of a solution.
#[derive(Debug, Clone, PartialEq)]
pub enum OpenSteps {
    /// For each step, the other steps that were possible before it, by technique, easiest first.
    Counted(Vec<Vec<TechniqueCount>>),
    /// The kind does not count them.
    NotCounted,
    /// The cancel flag was raised before all were counted.
    Cancelled,
}

/// Why a puzzle has no rating.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unrated {
    /// The techniques find no further step, or fill the board with something other than the solution.
    Stuck,
    /// The budget ran out in the search for the next step.
    OutOfBudget {
        /// Whether the nodes ran out or the work was cancelled.
        why: OutOfBudget,
        /// A lower bound of the rating.
        at_least: Tenths,
    },
}

/// The size of a board. Its cells are numbered row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Rows, from 1.
    pub rows: u16,
    /// Columns, from 1.
    pub columns: u16,
}

/// What the pattern of a text shows without a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// The variant of the text, in its normal form: the variant that was named or, if it was empty, that of the size.
    pub variant: String,
    /// The strongest symmetry of the pattern, see [`Symmetry::STRONGEST_FIRST`].
    pub symmetry: Symmetry,
    /// Number of givens; for a Kakuro, number of runs.
    pub givens: u16,
}

/// A group of cells that a rule or a clue is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// The kind of group.
    pub region_type: RegionType,
    /// The cells of the group in reading order; never empty.
    pub cells: Vec<Cell>,
    /// The number that the clue shows; `None` if it shows no number.
    pub sum: Option<u32>,
    /// The operator that the clue shows; `None` if it shows no operator.
    pub operator: Option<&'static str>,
}

/// The kind of a group of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegionType {
    /// Cells in a line, such as those of a Kakuro clue.
    Run,
    /// Cells of any shape with a clue of their own.
    Cage,
    /// Cells of any shape that hold each digit once.
    Region,
    /// Two neighboring cells, with the clue between them.
    Edge,
    /// A row or column as seen from a clue beside the grid, from the cell next to the clue.
    Sightline,
}
