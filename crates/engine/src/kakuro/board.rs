//! [`Puzzle`]: a Kakuro layout with the sum of each run. The kernel and the constraint core share only this type.

use super::{
    digits::Digits,
    layout::{Layout, Run},
};
use crate::shared::{
    step::Cell,
    text::{Region, RegionType},
};

/// A layout with the sum of each run. Every sum is possible with different digits. A run of one cell may have no clue; it then binds
/// nothing, and its sum is 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Puzzle {
    layout: Layout,
    sums: Vec<u8>,
}

/// A digit of a white cell, 1–9. In lists with one item per white cell, 0 is an empty cell.
pub type Digit = u8;

impl Puzzle {
    /// The puzzle that has these digits, one for each white cell, as a solution.
    ///
    /// # Panics
    /// If there are fewer digits than white cells.
    #[must_use]
    pub fn of_solution(layout: Layout, solution: &[Digit]) -> Self {
        let sum = |run: &Run| run.whites().iter().map(|&white| solution[usize::from(white)]).sum();
        let sums = layout.runs().iter().map(sum).collect();
        Self { layout, sums }
    }

    /// The puzzle with these sums, one for each run. The caller has checked them.
    pub(super) fn of_sums(layout: Layout, sums: Vec<u8>) -> Self {
        Self { layout, sums }
    }

    /// The cells and runs, without sums.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The sum of each run, 1–45; 0 if the run has no clue.
    #[must_use]
    pub fn sums(&self) -> &[u8] {
        &self.sums
    }

    /// Whether a run has a clue.
    #[must_use]
    pub fn has_clue(&self, run: usize) -> bool {
        self.sums[run] != 0
    }

    /// The number of runs with a clue among the first `runs` runs: the index of the next run in [`Self::regions`].
    #[must_use]
    pub fn clues_before(&self, runs: usize) -> usize {
        (0..runs).filter(|&run| self.has_clue(run)).count()
    }

    /// The number of clues.
    #[must_use]
    pub fn clue_count(&self) -> usize {
        self.clues_before(self.sums.len())
    }

    /// Whether these digits are a solution.
    #[must_use]
    pub fn is_solved_by(&self, digits: &[Digit]) -> bool {
        digits.len() == self.layout.cells().len()
            && digits.iter().all(|digit| (1..=9).contains(digit))
            && self.clued_runs().all(|(run, sum)| {
                let set: Digits = run.whites().iter().map(|&white| digits[usize::from(white)]).collect();
                set.len() == run.whites().len() && set.sum() == usize::from(sum)
            })
    }

    /// The clues of each cell of the board, across and down.
    #[must_use]
    pub fn clues(&self) -> Vec<[Option<u8>; 2]> {
        let mut clues = vec![[None; 2]; self.layout.width() * self.layout.height()];
        for (run, sum) in self.clued_runs() {
            clues[usize::from(run.clue_at)][run.direction as usize] = Some(sum);
        }
        clues
    }

    /// The runs with a clue, each with its sum, in the order of the layout.
    pub(super) fn clued_runs(&self) -> impl Iterator<Item = (&Run, u8)> {
        self.layout.runs().iter().zip(self.sums.iter().copied()).filter(|(_, sum)| *sum != 0)
    }

    /// The runs with a clue as regions, each with its sum, in the order of the layout: those across, then those down.
    #[must_use]
    pub fn regions(&self) -> Vec<Region> {
        let regions = self.clued_runs().map(|(run, sum)| Region {
            region_type: RegionType::Run,
            cells: cells_of(&self.layout, run.whites().iter().map(|&white| usize::from(white))),
            sum: Some(sum.into()),
            operator: None,
        });
        regions.collect()
    }
}

/// Maps indices of white cells to cells of the board.
#[must_use]
pub fn cells_of(layout: &Layout, whites: impl IntoIterator<Item = usize>) -> Vec<Cell> {
    whites.into_iter().map(|white| layout.cells()[white]).collect()
}
