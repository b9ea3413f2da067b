//! One step of a solution by techniques, as data that a program can check and a person can read.

use super::level::Tenths;

/// A cell's number: `row * columns + column`, both from 0.
pub type Cell = u16;

/// The name of a cell on a board with this many columns: `r1c2`.
pub(crate) fn cell_name(cell: Cell, columns: u16) -> String {
    let columns = columns.max(1);
    format!("r{}c{}", cell / columns + 1, cell % columns + 1)
}

/// One application of a technique, with all data that its sentence needs:
/// [`PuzzleKind::sentence`](super::kind::PuzzleKind::sentence).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Step {
    /// Usual name of the technique. It determines the meaning of the other fields.
    pub technique: &'static str,
    /// Rating of the step, on the kind's scale.
    pub rating: Tenths,
    /// Columns of the board, which turn a cell's number into its row and column.
    pub columns: u16,
    /// The cells of the pattern that proves the step, in reading order.
    pub cells: Vec<Cell>,
    /// The cells among `cells` with another role than the rest, such as the pincers of a wing.
    pub secondary_cells: Vec<Cell>,
    /// The digits of the pattern.
    pub digits: Vec<u8>,
    /// The digits of `secondary_cells`, if they differ from `digits` in their role.
    pub secondary_digits: Vec<u8>,
    /// The houses that the argument is about; the base houses of a fish.
    pub houses: Vec<House>,
    /// Further houses of the argument, by technique. Most often, these houses contain all places that the digit has in
    /// `houses`, such as the cover houses of a fish.
    pub cover_houses: Vec<House>,
    /// The number that the argument names, such as the sum that the open cells of a run need.
    pub number: Option<i32>,
    /// Digits placed: (cell, digit).
    pub placed: Vec<(Cell, u8)>,
    /// Candidates removed: (cell, digit).
    pub removed: Vec<(Cell, u8)>,
    /// The chains of implications that prove the step; empty for a step without implications.
    pub chains: Vec<Chain>,
}

impl Step {
    /// Whether a candidate is part of the pattern. For a step with chains, these are the candidates that its statements name.
    pub(crate) fn concerns(&self, cell: Cell, digit: u8) -> bool {
        let names = |statement: &Statement| (statement.cell, statement.digit) == (cell, digit);
        let states = |chain: &Chain| names(&chain.assumption) || chain.links.iter().any(|link| names(&link.then));
        if !self.chains.is_empty() {
            return self.chains.iter().any(states);
        }
        self.cells.contains(&cell) && (self.digits.contains(&digit) || self.secondary_digits.contains(&digit))
    }
}

/// A group of cells with a rule, such as that it holds no digit twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct House {
    /// The kind of group.
    pub house_type: HouseType,
    /// The number of a row, column, box, diagonal, or window, from 1; of a run, region, cage, edge, or sightline, its index in the
    /// puzzle's regions, from 0.
    pub number: u16,
    /// The cells of a run, cage, edge, sightline, or small region, in order. Empty if the number determines the cells.
    pub cells: Vec<Cell>,
    /// The sum of a run, the number of a cage, or the number of visible digits of a sightline.
    pub sum: Option<u32>,
    /// The sign of an edge, or the operator of a cage.
    pub operator: Option<&'static str>,
}

impl House {
    /// Its name in sentences about a board with this many columns. A person sees the sum of a cage or the place of a small region,
    /// not its number.
    pub(crate) fn name(&self, columns: u16) -> String {
        match (self.house_type, self.sum, self.cells.first()) {
            (HouseType::Cage, Some(sum), Some(first)) => {
                format!("the cage of {sum}{} at {}", self.operator.unwrap_or_default(), cell_name(*first, columns))
            }
            (HouseType::Region, _, Some(first)) => format!("the region at {}", cell_name(*first, columns)),
            (HouseType::Sightline, Some(sum), _) => match self.seen(columns) {
                Some((side, line)) => format!("the {sum} {} {line}", side.beside()),
                None => self.house_type.name(self.number),
            },
            _ => self.house_type.name(self.number),
        }
    }

    /// The side from which a sightline is seen, and the name of its row or column. `None` for other houses.
    pub(crate) fn seen(&self, columns: u16) -> Option<(Side, String)> {
        let (HouseType::Sightline, &[first, second, ..]) = (self.house_type, &self.cells[..]) else { return None };
        let (side, columns) = (Side::of([first, second]), columns.max(1));
        let line = match side {
            Side::East | Side::West => HouseType::Row.name(first / columns + 1),
            Side::North | Side::South => HouseType::Column.name(first % columns + 1),
        };
        Some((side, line))
    }
}

/// A side of the board, from which a person sees its rows or columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Side {
    North,
    East,
    South,
    West,
}

impl Side {
    pub(crate) const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The side from which a line is seen that begins with these two cells.
    pub(crate) const fn of([first, second]: [Cell; 2]) -> Self {
        match (first < second, first.abs_diff(second)) {
            (true, 1) => Self::West,
            (false, 1) => Self::East,
            (true, _) => Self::North,
            (false, _) => Self::South,
        }
    }

    /// Whether lines are seen from their end: from right to left, or from bottom to top.
    pub(crate) const fn is_reversed(self) -> bool {
        matches!(self, Self::East | Self::South)
    }

    /// Where a clue on this side stands, before the name of a line.
    const fn beside(self) -> &'static str {
        match self {
            Self::North => "above",
            Self::East => "to the right of",
            Self::South => "below",
            Self::West => "to the left of",
        }
    }

    /// From where its clues are seen.
    pub(crate) const fn from(self) -> &'static str {
        match self {
            Self::North => "from above",
            Self::East => "from the right",
            Self::South => "from below",
            Self::West => "from the left",
        }
    }
}

/// The kind of a house.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HouseType {
    /// A row of the board.
    Row,
    /// A column of the board.
    Column,
    /// A box of the board, counted row by row.
    Box,
    /// Cells in a line with one clue.
    Run,
    /// A diagonal of the board: 1 from top left to bottom right, 2 from top right to bottom left.
    Diagonal,
    /// A window of the board, counted row by row.
    Window,
    /// A region of any shape.
    Region,
    /// Cells of any shape with a number.
    Cage,
    /// Two neighboring cells with a sign between them.
    Edge,
    /// A row or column as seen from a clue beside the grid.
    Sightline,
}

impl HouseType {
    /// The name of a house in sentences, such as `row 1`.
    pub(crate) fn name(self, number: u16) -> String {
        format!("{} {}", self.word(), self.shown(number))
    }

    /// The number of a house for people, who count regions from 1 as well.
    pub(crate) fn shown(self, number: u16) -> u16 {
        number + u16::from(matches!(self, Self::Region | Self::Cage | Self::Edge | Self::Sightline))
    }

    /// The word for it in sentences.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::Column => "column",
            Self::Box => "box",
            Self::Run => "run",
            Self::Diagonal => "diagonal",
            Self::Window => "window",
            Self::Region => "region",
            Self::Cage => "cage",
            Self::Edge => "edge",
            Self::Sightline => "sightline",
        }
    }
}

/// An assumption and what follows from it. If all chains of a step have the same assumption, they lead to a contradiction,
/// so the assumption is false. Otherwise, the chains cover all cases: one of their assumptions is true.
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
    /// The cells of the pattern that proves the implication. Empty if a single cell or house proves it.
    pub pattern: Vec<Cell>,
    /// The cell or house in which `then` is the only possibility left. `None` if a pattern proves the implication, or if `then`
    /// says that the cell does not hold the digit.
    pub single_in: Option<SingleIn>,
}

/// The cell or house in which only one possibility is left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SingleIn {
    /// The cell has one candidate left.
    Cell(Cell),
    /// The digit has one place left in the house.
    House(House),
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

/// A step that does not follow from its pattern, as far as the checker can derive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unproven {
    /// Index of the step, from 0.
    pub step: usize,
    /// The claim that could not be derived: `r1c2 is not 5`.
    pub claim: String,
}
