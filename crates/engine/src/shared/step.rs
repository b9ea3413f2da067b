//! One step of a solution by techniques, as data that a program can check and a person can read.

use super::level::Tenths;

/// A cell's number: `row * columns + column`, both from 0.
pub type Cell = u16;

/// One application of a technique.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Usual name of the technique.
    pub technique: &'static str,
    /// Rating of the step, on the kind's scale.
    pub rating: Tenths,
    /// The cells of the pattern that proves the step.
    pub cells: Vec<Cell>,
    /// Digits placed: (cell, digit).
    pub placed: Vec<(Cell, u8)>,
    /// Candidates removed: (cell, digit).
    pub removed: Vec<(Cell, u8)>,
    /// The chains of implications that prove the step; empty for a step without implications.
    pub chains: Vec<Chain>,
    /// The argument in one English sentence, with cells written as r1c1.
    pub sentence: String,
}

/// The consequences of one assumption. Either one of the assumptions of a step's chains must be true, or all its chains
/// start from the same assumption and contradict each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// The statement that is assumed.
    pub assumption: Statement,
    /// The implications in order. Each has as premises only the assumption and what earlier links imply.
    pub links: Vec<Link>,
}

/// One implication of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The statements that together imply `then`.
    pub premises: Vec<Statement>,
    /// The statement that follows.
    pub then: Statement,
    /// The cells of the pattern that proves the implication. Empty if a single cell or house with only one option proves
    /// it.
    pub pattern: Vec<Cell>,
}

/// The statement that a cell holds a digit, or that it does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Statement {
    /// The cell that the statement is about.
    pub cell: Cell,
    /// The digit that the statement is about, from 1.
    pub digit: u8,
    /// Whether the cell holds the digit.
    pub holds: bool,
}

/// A step that a checker cannot derive from its pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unproven {
    /// Index of the step, from 0.
    pub step: usize,
    /// The claim that could not be derived: `r1c2 is not 5`.
    pub claim: String,
}
