//! Propagation over a whole board: filters runs until nothing changes.

use crate::kakuro::{
    digits::{Digits, RUN_MAX},
    layout::Layout,
};

/// Restricts the cells of a run, in order, to the digits that some reasoning on the run and its sum allows. Returns
/// false if a cell has no digit left, or there is no filling.
pub(crate) type Filter = fn(&mut [Digits], usize) -> bool;

/// The queue of runs to filter again: first in, first out, each at most once.
#[derive(Debug, Default)]
pub(crate) struct Propagation {
    queue: std::collections::VecDeque<u16>,
    queued: Vec<bool>,
    /// The run that was last found impossible.
    failed: usize,
    /// The cells at the start of a round.
    before: Vec<Digits>,
}

impl Propagation {
    /// Prepares an empty queue for a layout with this many runs.
    pub(crate) fn new(runs: usize) -> Self {
        Self {
            queue: std::collections::VecDeque::with_capacity(runs),
            queued: vec![false; runs],
            failed: 0,
            before: Vec::new(),
        }
    }

    /// The run whose filter last returned false.
    pub(crate) fn failed(&self) -> usize {
        self.failed
    }

    /// Queues a run, unless it is in the queue.
    pub(crate) fn push(&mut self, run: usize) {
        if !std::mem::replace(&mut self.queued[run], true) {
            self.queue.push_back(u16::try_from(run).expect("a board has at most 900 cells"));
        }
    }

    /// Keeps a run out of the queue until [`Self::unmute`].
    pub(crate) fn mute(&mut self, run: usize) {
        self.queued[run] = true;
    }

    /// Allows a muted run in the queue again, and queues it.
    pub(crate) fn unmute(&mut self, run: usize) {
        self.queued[run] = false;
        self.push(run);
    }

    /// Puts all runs in the queue.
    pub(crate) fn push_all(&mut self, layout: &Layout) {
        (0..layout.runs().len()).for_each(|run| self.push(run));
    }

    /// Puts the two runs of a white cell in the queue.
    pub(crate) fn push_cell(&mut self, layout: &Layout, white: usize) {
        layout.runs_of(white).into_iter().for_each(|run| self.push(run));
    }

    /// Filters the queued runs, and the runs that cross a changed cell, until the queue is empty. Returns false if a
    /// cell has no digit left. Always leaves the queue empty.
    pub(crate) fn run(&mut self, layout: &Layout, sums: &[u8], cells: &mut [Digits], filter: Filter) -> bool {
        while let Some(run) = self.queue.pop_front() {
            let run = usize::from(run);
            self.queued[run] = false;
            if !self.filter_run(layout, run, sums[run], cells, filter) {
                self.failed = run;
                self.clear();
                return false;
            }
        }
        true
    }

    /// The runs in the queue.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = usize> + '_ {
        self.queue.iter().map(|&run| usize::from(run))
    }

    /// Like [`Self::run`], but in rounds. A round filters the queued runs by the cells at its start, so the result
    /// after a number of rounds does not depend on the order of the runs. If one of the first `rounds_max` rounds
    /// leaves a cell without a digit, returns the number of that round. Always leaves the queue empty.
    pub(crate) fn rounds(
        &mut self,
        layout: &Layout,
        sums: &[u8],
        cells: &mut [Digits],
        filter: Filter,
        rounds_max: u32,
    ) -> Option<u32> {
        let mut number = 0;
        while number < rounds_max && !self.queue.is_empty() {
            number += 1;
            if !self.round(layout, sums, cells, filter) {
                return Some(number);
            }
        }
        self.clear();
        None
    }

    /// Runs one round. Returns false if a cell has no digit left.
    pub(crate) fn round(&mut self, layout: &Layout, sums: &[u8], cells: &mut [Digits], filter: Filter) -> bool {
        let mut before = std::mem::take(&mut self.before);
        before.clear();
        before.extend_from_slice(cells);
        // Another run may change a run of this round, which then belongs to the next round too.
        let runs = std::mem::take(&mut self.queue);
        for &run in &runs {
            self.queued[usize::from(run)] = false;
        }
        let failed = runs.iter().map(|&run| usize::from(run)).find(|&run| {
            let sum = usize::from(sums[run]);
            !self.filter_into(layout, (run, sum), (&before, cells), filter)
        });
        self.before = before;
        if let Some(run) = failed {
            self.failed = run;
            self.clear();
        }
        failed.is_none()
    }

    /// Filters a run with a clue by the cells in the first list, and removes the eliminated digits from the second list.
    fn filter_into(
        &mut self,
        layout: &Layout,
        (run, sum): (usize, usize),
        (before, cells): (&[Digits], &mut [Digits]),
        filter: Filter,
    ) -> bool {
        if sum == 0 {
            return true;
        }
        let whites = layout.runs()[run].whites();
        let mut of_run = [Digits::NONE; RUN_MAX];
        let of_run = &mut of_run[..whites.len()];
        for (digits, &white) in of_run.iter_mut().zip(whites) {
            *digits = before[usize::from(white)];
        }
        if !filter(of_run, sum) {
            return false;
        }
        let crossing = 1 - layout.runs()[run].direction as usize;
        for (&digits, &white) in of_run.iter().zip(whites) {
            let white = usize::from(white);
            if before[white] != digits {
                cells[white] = cells[white].and(digits);
                self.push(layout.runs_of(white)[crossing]);
            }
        }
        whites.iter().all(|&white| !cells[usize::from(white)].is_empty())
    }

    fn clear(&mut self) {
        self.queue.drain(..).for_each(|run| self.queued[usize::from(run)] = false);
    }

    /// Filters a run with a clue.
    fn filter_run(&mut self, layout: &Layout, run: usize, sum: u8, cells: &mut [Digits], filter: Filter) -> bool {
        if sum == 0 {
            return true;
        }
        let whites = layout.runs()[run].whites();
        let mut of_run = [Digits::NONE; RUN_MAX];
        let of_run = &mut of_run[..whites.len()];
        for (digits, &white) in of_run.iter_mut().zip(whites) {
            *digits = cells[usize::from(white)];
        }
        if !filter(of_run, usize::from(sum)) {
            return false;
        }
        let crossing = 1 - layout.runs()[run].direction as usize;
        for (&digits, &white) in of_run.iter().zip(whites) {
            let white = usize::from(white);
            if cells[white] != digits {
                cells[white] = digits;
                self.push(layout.runs_of(white)[crossing]);
            }
        }
        true
    }
}
