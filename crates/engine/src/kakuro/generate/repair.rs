//! Repairs the digits of a filled layout: changes one digit at a time until reasoning on single runs leaves no cell
//! open.
//!
//! A change of one digit changes the sums of two runs. The conclusions from all other runs are computed once for each
//! cell. To compare the digits of a cell, only the conclusions from these two runs are computed again.

use super::fill::{Fill, OPENNESS, draw};
use crate::{
    kakuro::{
        board::Digit,
        digits::{Digits, possible},
        layout::Layout,
        reasoning::FILTERS,
        solver::{Filter, Propagation},
    },
    shared::{
        budget::{Budget, OutOfBudget},
        rng::Rng,
    },
};

/// The number of unsuccessful changes in a row after which a fill is shaken or given up.
const STALL_MAX: usize = 20;

/// A fill is shaken once, and once more per this many white cells.
const CELLS_PER_SHAKE: usize = 40;

/// The number of cells that get another digit when a fill is shaken.
const SHAKEN: usize = 5;

#[derive(Debug)]
pub(super) struct Repair<'l> {
    layout: &'l Layout,
    filter: Filter,
    /// Whether the filter removes at least the digits that occur in no combination of a sum.
    by_sums: bool,
    fill: Fill,
    propagation: Propagation,
    /// The candidates that the clues of the fill leave for each cell.
    cells: Vec<Digits>,
    openness: u32,
}

impl<'l> Repair<'l> {
    /// Prepares a repair that ends when reasoning on single runs up to this tier, 1–4, leaves no cell open.
    pub(super) fn new(layout: &'l Layout, fill: Fill, tier: usize) -> Self {
        let propagation = Propagation::new(layout.runs().len());
        let (filter, by_sums) = (FILTERS[tier - 1], tier > 1);
        let mut repair = Self { layout, filter, by_sums, fill, propagation, cells: Vec::new(), openness: 0 };
        repair.look();
        repair
    }

    /// The number of open cells.
    pub(super) fn open(&self) -> usize {
        self.cells.iter().filter(|digits| !digits.is_single()).count()
    }

    /// Returns the fill in its current state.
    pub(super) fn into_fill(self) -> Fill {
        self.fill
    }

    /// Changes digits until no cell is open. If changes stop helping, shakes the fill around an open cell, a bounded
    /// number of times, and undoes each shake that does not help. Returns whether no cell is open.
    pub(super) fn run(&mut self, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
        self.descend(rng, budget)?;
        for _ in 0..=self.cells.len() / CELLS_PER_SHAKE {
            if self.openness == 0 {
                break;
            }
            let before = (self.fill.clone(), self.cells.clone(), self.openness);
            self.shake(rng);
            self.descend(rng, budget)?;
            if self.openness > before.2 {
                (self.fill, self.cells, self.openness) = before;
            }
        }
        Ok(self.openness == 0)
    }

    /// Changes digits until no cell is open, or until too many changes in a row did not help.
    fn descend(&mut self, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<(), OutOfBudget> {
        let mut best = self.openness;
        let mut stalled = 0;
        while self.openness > 0 && stalled < STALL_MAX {
            // A change on a large board takes milliseconds, so the flag is read each time.
            budget.check_cancelled()?;
            budget.take_node()?;
            self.change(rng);
            stalled += 1;
            if self.openness < best {
                (best, stalled) = (self.openness, 0);
            }
        }
        Ok(())
    }

    /// Gives random digits to some cells around an open one.
    fn shake(&mut self, rng: &mut Rng) {
        let centre = self.draw(rng);
        for _ in 0..SHAKEN {
            let run = self.layout.runs_of(centre)[rng.index(2)];
            let whites = self.layout.runs()[run].whites();
            let white = usize::from(whites[rng.index(whites.len())]);
            if let Some(digit) = draw(self.fill.free(self.layout, white), rng) {
                self.fill.set(self.layout, white, digit);
            }
        }
        self.look();
    }

    /// Updates the candidates of all cells, and the total openness.
    fn look(&mut self) {
        self.cells = self.by_sums(&[]);
        self.propagation.push_all(self.layout);
        let possible = self.propagation.run(self.layout, self.fill.sums(), &mut self.cells, self.filter);
        debug_assert!(possible, "the fill is a solution");
        self.openness = openness(&self.cells);
    }

    /// Changes a cell in or near the open ones to the digit that gives the lowest openness, unless that is much higher
    /// than before.
    fn change(&mut self, rng: &mut Rng) {
        let white = self.draw(rng);
        let runs = self.layout.runs_of(white);
        let free = self.fill.free(self.layout, white);
        if free.is_empty() {
            return;
        }
        let without = self.without(runs);
        let old = self.fill.digits()[white];
        let mut best: Option<(u32, u64, Digit, Vec<Digits>)> = None;
        for digit in free.iter() {
            self.fill.set(self.layout, white, digit);
            let mut cells = without.clone();
            for run in runs {
                self.propagation.push(run);
            }
            let possible = self.propagation.run(self.layout, self.fill.sums(), &mut cells, self.filter);
            debug_assert!(possible, "the fill is a solution");
            let (openness, tie) = (openness(&cells), rng.next_u64());
            if best.as_ref().is_none_or(|best| (openness, tie) < (best.0, best.1)) {
                best = Some((openness, tie, digit, cells));
            }
        }
        let worse_max = u32::try_from(rng.below(64)).expect("below 64");
        match best {
            Some((openness, _, digit, cells)) if openness <= self.openness + worse_max => {
                self.fill.set(self.layout, white, digit);
                (self.openness, self.cells) = (openness, cells);
            }
            _ => self.fill.set(self.layout, white, old),
        }
    }

    /// The candidates that remain in each cell if the two `muted` runs are ignored.
    fn without(&mut self, muted: [usize; 2]) -> Vec<Digits> {
        let mut cells = self.by_sums(&muted);
        for run in muted {
            self.propagation.mute(run);
        }
        self.propagation.push_all(self.layout);
        let possible = self.propagation.run(self.layout, self.fill.sums(), &mut cells, self.filter);
        debug_assert!(possible, "the fill is a solution");
        for run in muted {
            self.propagation.unmute(run);
        }
        cells
    }

    /// The candidates that remain in each cell by the sums of all runs except the `muted` ones. Reasoning that starts
    /// from these gives the same result as reasoning from all digits, in half the time.
    fn by_sums(&self, muted: &[usize]) -> Vec<Digits> {
        let of_run = |run: usize| {
            if self.by_sums && !muted.contains(&run) {
                possible(self.layout.runs()[run].whites().len(), usize::from(self.fill.sums()[run]))
            } else {
                Digits::ALL
            }
        };
        let by_run: Vec<_> = (0..self.layout.runs().len()).map(of_run).collect();
        let of_cell = |white| {
            let [across, down] = self.layout.runs_of(white);
            by_run[across].and(by_run[down])
        };
        (0..self.layout.cells().len()).map(of_cell).collect()
    }

    /// Draws an open cell or, with the same chance, a cell of a run that has an open cell.
    fn draw(&self, rng: &mut Rng) -> usize {
        let open: Vec<_> = (0..self.cells.len()).filter(|&white| !self.cells[white].is_single()).collect();
        let white = open[rng.index(open.len())];
        if rng.below(2) == 0 {
            return white;
        }
        let run = self.layout.runs_of(white)[rng.index(2)];
        let whites = self.layout.runs()[run].whites();
        usize::from(whites[rng.index(whites.len())])
    }
}

fn openness(cells: &[Digits]) -> u32 {
    cells.iter().map(|digits| OPENNESS[digits.len()]).sum()
}
