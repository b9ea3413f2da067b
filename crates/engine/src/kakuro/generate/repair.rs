//! Repair: digits are changed one at a time until reasoning on single runs leaves no cell open.
//!
//! A change of one digit changes two sums. So what the other runs say without these two is worked out once for a cell, and
//! each of its digits in turn only adds the two.

use super::fill::{Fill, OPENNESS, draw};
use crate::{
    budget::{Budget, OutOfBudget},
    kakuro::{
        board::Digit,
        digits::{Digits, possible},
        layout::Layout,
        reasoning::FILTERS,
        solver::{Filter, Propagation},
    },
    rng::Rng,
};

/// Changes after each other that do not help before a fill is shaken, or given up.
const STALL_MAX: usize = 20;

/// A fill is shaken once, and once more for each so many white cells.
const CELLS_PER_SHAKE: usize = 40;

/// Cells that get another digit when a fill is shaken.
const SHAKEN: usize = 5;

/// A fill under repair.
#[derive(Debug)]
pub(super) struct Repair<'l> {
    layout: &'l Layout,
    filter: Filter,
    /// Whether the filter takes at least what no combination of a sum has.
    by_sums: bool,
    fill: Fill,
    propagation: Propagation,
    /// What the clues of the fill leave of each cell.
    cells: Vec<Digits>,
    openness: u32,
}

impl<'l> Repair<'l> {
    /// Until nothing is open to the reasoning on single runs up to this tier, 1–4.
    pub(super) fn new(layout: &'l Layout, fill: Fill, tier: usize) -> Self {
        let propagation = Propagation::new(layout.runs().len());
        let (filter, by_sums) = (FILTERS[tier - 1], tier > 1);
        let mut repair = Self { layout, filter, by_sums, fill, propagation, cells: Vec::new(), openness: 0 };
        repair.look();
        repair
    }

    /// Number of cells that are open.
    pub(super) fn open(&self) -> usize {
        self.cells.iter().filter(|digits| !digits.is_single()).count()
    }

    /// The fill as it is now.
    pub(super) fn into_fill(self) -> Fill {
        self.fill
    }

    /// Changes digits until nothing is open. Where changes stop helping, the fill is shaken about an open cell, and taken back
    /// if that led to nothing better; a bounded number of times. Whether nothing is open.
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

    /// Changes digits until nothing is open, or until too many changes after each other did not help.
    fn descend(&mut self, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<(), OutOfBudget> {
        let mut best = self.openness;
        let mut stalled = 0;
        while self.openness > 0 && stalled < STALL_MAX {
            // A change on a large board takes milliseconds, so the flag is looked at each time.
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

    /// Gives random digits to some cells about an open one.
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

    /// Works out what is open.
    fn look(&mut self) {
        self.cells = self.by_sums(&[]);
        self.propagation.push_all(self.layout);
        let possible = self.propagation.run(self.layout, self.fill.sums(), &mut self.cells, self.filter);
        debug_assert!(possible, "the fill is a solution");
        self.openness = openness(&self.cells);
    }

    /// Gives a cell among the open ones the digit that leaves least open, if that is not much worse than now.
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

    /// What all runs but two leave of each cell.
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

    /// What the sums of all runs but some leave of each cell, each by itself. What reasoning leaves in the end is the same
    /// from here as from all digits, and it is here in half the time.
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

    /// An open cell, or as often a cell in a run with one.
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
