//! One step of a solution by reasoning, as data that a program can check and a person can read.

use super::level::Tenths;

/// A cell's number: row times width plus column, both from 0.
pub type Cell = u16;

/// One application of a technique.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The technique's usual name.
    pub technique: &'static str,
    /// The technique's rating on the kind's scale.
    pub rating: Tenths,
    /// The cells of the pattern that proves the step.
    pub cells: Vec<Cell>,
    /// Digits placed: (cell, digit).
    pub placed: Vec<(Cell, u8)>,
    /// Candidates removed: (cell, digit).
    pub removed: Vec<(Cell, u8)>,
    /// For a step by implications, the chains that prove it; empty for any other.
    pub chains: Vec<Chain>,
    /// The argument in one English sentence, cells as r1c1.
    pub sentence: String,
}

/// What follows from one assumption. The chains of a step start from assumptions of which one is true, or from a single
/// one that they lead to a contradiction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// Where it starts.
    pub assumption: Statement,
    /// What follows, each from what stands before it.
    pub links: Vec<Link>,
}

/// One implication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// What it follows from.
    pub premises: Vec<Statement>,
    /// What follows.
    pub then: Statement,
    /// If it takes more than a cell or house with one way left, the cells of the pattern that proves it.
    pub pattern: Vec<Cell>,
}

/// A cell holds a digit, or it does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Statement {
    /// The cell.
    pub cell: Cell,
    /// The digit.
    pub digit: u8,
    /// Whether the cell holds it.
    pub holds: bool,
}
