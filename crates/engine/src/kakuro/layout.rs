//! [`Layout`]: which cells of a board are white, and the runs that follow from them.

use std::fmt;

use super::digits::RUN_MAX;
use crate::shared::{kind::Novelty, step::Cell};

/// The minimum number of rows and of columns, including the outer one.
pub const SIZE_MIN: usize = 3;

/// The maximum number of rows and of columns, including the outer one.
pub const SIZE_MAX: usize = 30;

/// The engine version since which a run of a text may have one cell.
const ONE_CELL_SINCE: u32 = 20;

/// White cells with their runs. The first row and column have no white cell, and every run has at most 9 cells. White cells
/// are numbered from 0 in reading order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    width: usize,
    height: usize,
    cells: Vec<Cell>,
    runs: Vec<Run>,
    runs_of: Vec<[u16; 2]>,
}

/// A run of white cells and the cell with its clue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The direction from the clue.
    pub direction: Direction,
    /// The cell with its clue.
    pub clue_at: Cell,
    whites: [u16; RUN_MAX],
    len: u8,
}

/// The direction of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To the right.
    Across,
    /// Downward.
    Down,
}

/// Why white cells do not form a layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayoutFault {
    /// A side is shorter than [`SIZE_MIN`] or longer than [`SIZE_MAX`].
    Size {
        /// `width` or `height`.
        side: &'static str,
        /// Its length.
        len: usize,
    },
    /// A white cell is in the first row or column, so its run has no cell for the clue.
    NoRoomForClue {
        /// The cell, as row and column from 1.
        at: (usize, usize),
        /// The direction of the run without a clue.
        direction: Direction,
    },
    /// A run has more than nine cells, or one where that is not allowed.
    RunLength {
        /// Its first cell, as row and column from 1.
        at: (usize, usize),
        /// The direction of the run.
        direction: Direction,
        /// Its number of cells.
        len: usize,
    },
    /// There is no white cell.
    NoWhite,
}

impl Layout {
    /// The layout with these white cells, given row by row. Every run has at least two cells.
    ///
    /// # Errors
    /// [`LayoutFault`]: the first one in reading order. Runs across come before runs down.
    ///
    /// # Panics
    /// If `is_white` does not have `width` × `height` items.
    pub fn new(width: usize, height: usize, is_white: &[bool]) -> Result<Self, LayoutFault> {
        Self::of_runs(width, height, is_white, 2)
    }

    /// Like [`Self::new`], but runs may have one cell, as in some texts.
    pub(super) fn of_text(width: usize, height: usize, is_white: &[bool]) -> Result<Self, LayoutFault> {
        Self::of_runs(width, height, is_white, 1)
    }

    /// The layout, if every run has at least `len_min` cells.
    fn of_runs(width: usize, height: usize, is_white: &[bool], len_min: usize) -> Result<Self, LayoutFault> {
        for (side, len) in [("width", width), ("height", height)] {
            if !(SIZE_MIN..=SIZE_MAX).contains(&len) {
                return Err(LayoutFault::Size { side, len });
            }
        }
        assert_eq!(is_white.len(), width * height, "a layout states each cell once");
        let whites = is_white.iter().enumerate().filter(|(_, white)| **white);
        let cells: Vec<_> = whites.map(|(cell, _)| cell_number(cell)).collect();
        let runs_of = vec![[0; 2]; cells.len()];
        let mut layout = Self { width, height, cells, runs: Vec::new(), runs_of };
        if layout.cells.is_empty() {
            return Err(LayoutFault::NoWhite);
        }
        layout.find_runs(is_white, len_min)?;
        Ok(layout)
    }

    fn find_runs(&mut self, is_white: &[bool], len_min: usize) -> Result<(), LayoutFault> {
        let mut number = vec![0_u16; is_white.len()];
        for (white, &cell) in (0..).zip(&self.cells) {
            number[usize::from(cell)] = white;
        }
        for direction in [Direction::Across, Direction::Down] {
            let step = if direction == Direction::Across { 1 } else { self.width };
            for white in 0..self.cells.len() {
                let first = usize::from(self.cells[white]);
                let at = (first / self.width + 1, first % self.width + 1);
                if at.0 == 1 || at.1 == 1 {
                    let direction = if at.1 == 1 { Direction::Across } else { Direction::Down };
                    return Err(LayoutFault::NoRoomForClue { at, direction });
                }
                if !is_white[first - step] {
                    let end = if direction == Direction::Across { at.0 * self.width } else { is_white.len() };
                    let in_run = (first..end).step_by(step).take_while(|&cell| is_white[cell]);
                    let len = self.add_run(direction, in_run.map(|cell| number[cell]));
                    if !(len_min..=RUN_MAX).contains(&len) {
                        return Err(LayoutFault::RunLength { at, direction, len });
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds a run, and returns its number of cells. The run has the first nine of them.
    fn add_run(&mut self, direction: Direction, in_run: impl Iterator<Item = u16>) -> usize {
        let run = u16::try_from(self.runs.len()).expect("a board has at most 900 cells");
        let mut whites = [0; RUN_MAX];
        let mut len = 0;
        for white in in_run {
            if let Some(place) = whites.get_mut(len) {
                *place = white;
                self.runs_of[usize::from(white)][direction as usize] = run;
            }
            len += 1;
        }
        let step = if direction == Direction::Across { 1 } else { self.width };
        let clue_at = self.cells[usize::from(whites[0])] - cell_number(step);
        let kept = u8::try_from(len.min(RUN_MAX)).expect("at most RUN_MAX");
        self.runs.push(Run { direction, clue_at, whites, len: kept });
        len
    }

    /// Columns of the board, including the outer one: 3–30.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows of the board, including the outer one: 3–30.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// The board's cell number of each white cell, in reading order.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The runs across, then the runs down, each in reading order of their first cells.
    #[must_use]
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The run across and the run down through a white cell.
    #[must_use]
    pub fn runs_of(&self, white: usize) -> [usize; 2] {
        self.runs_of[white].map(usize::from)
    }

    /// The first run of one cell, if there is one.
    pub(super) fn one_cell_run(&self) -> Option<Novelty> {
        let run = self.runs.iter().find(|run| run.len == 1)?;
        let what = format!("the run {} of {} has one cell", run.direction, self.name(run.whites[0].into()));
        Some(Novelty { since: ONE_CELL_SINCE, what })
    }

    /// Whether each cell of the board is white, row by row.
    #[must_use]
    pub fn signs(&self) -> Vec<bool> {
        let mut signs = vec![false; self.width * self.height];
        for &cell in &self.cells {
            signs[usize::from(cell)] = true;
        }
        signs
    }

    /// The name of a white cell for people, such as `r2c5`. Rows and columns count from 1 and include the outer ones.
    #[must_use]
    pub fn name(&self, white: usize) -> String {
        self.name_of_cell(self.cells[white])
    }

    /// The name of a cell of the board for people.
    #[must_use]
    pub fn name_of_cell(&self, cell: Cell) -> String {
        let cell = usize::from(cell);
        name_at((cell / self.width + 1, cell % self.width + 1))
    }
}

impl Run {
    /// The run's white cells by number, starting at the clue.
    #[must_use]
    pub fn whites(&self) -> &[u16] {
        &self.whites[..usize::from(self.len)]
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Across => "across",
            Self::Down => "down",
        })
    }
}

impl fmt::Display for LayoutFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Size { side, len } => write!(f, "a {side} of {len} is not allowed; use {SIZE_MIN} to {SIZE_MAX}"),
            Self::NoRoomForClue { at, direction } => {
                write!(
                    f,
                    "{}: a white cell in the first row or column has no room for its clue {direction}",
                    name_at(at)
                )
            }
            Self::RunLength { at, direction, len: 1 } => {
                write!(f, "{}: the run {direction} has 1 cell; the minimum is 2", name_at(at))
            }
            Self::RunLength { at, direction, len } => {
                write!(f, "{}: the run {direction} has {len} cells; the maximum is {RUN_MAX}", name_at(at))
            }
            Self::NoWhite => f.write_str("the board has no white cell"),
        }
    }
}

/// The name of a cell for people, from its row and column, which count from 1.
pub(super) fn name_at((row, column): (usize, usize)) -> String {
    format!("r{row}c{column}")
}

/// Converts a position on the board to a cell number.
pub(super) fn cell_number(cell: usize) -> Cell {
    Cell::try_from(cell).expect("a board has at most 900 cells")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(rows: &[&str]) -> Result<Layout, LayoutFault> {
        let signs: Vec<_> = rows.concat().chars().map(|sign| sign == '.').collect();
        Layout::new(rows[0].len(), rows.len(), &signs)
    }

    #[test]
    fn runs_are_found_in_order_with_their_clues_and_crossings() {
        let layout = layout(&["####", "#..#", "#...", "##.."]).unwrap();
        let runs: Vec<_> = layout.runs().iter().map(|run| (run.clue_at, run.whites().to_vec())).collect();
        let expected = [
            (4, vec![0, 1]),
            (8, vec![2, 3, 4]),
            (13, vec![5, 6]),
            (1, vec![0, 2]),
            (2, vec![1, 3, 5]),
            (7, vec![4, 6]),
        ];
        assert_eq!(runs, expected);
        assert_eq!(layout.runs_of(3), [1, 4]);
        assert_eq!(layout.name(6), "r4c4");
    }

    #[test]
    fn each_fault_names_the_cell_the_value_and_the_limit() {
        let cases: [(&[&str], &str); 7] = [
            (&["###", "#..", "##.", "###"], "r3c3: the run across has 1 cell; the minimum is 2"),
            (&["####", "#..#", "#.##", "####"], "r3c2: the run across has 1 cell; the minimum is 2"),
            (&["###", "#..", "###", "#.."], "r2c2: the run down has 1 cell; the minimum is 2"),
            (&["###########", "#..........", "#.........."], "r2c2: the run across has 10 cells; the maximum is 9"),
            (&["#.#", "#..", "#.."], "r1c2: a white cell in the first row or column has no room for its clue down"),
            (&["##", "##"], "a width of 2 is not allowed; use 3 to 30"),
            (&["###", "###", "###"], "the board has no white cell"),
        ];
        for (rows, fault) in cases {
            assert_eq!(layout(rows).unwrap_err().to_string(), fault);
        }
    }
}
