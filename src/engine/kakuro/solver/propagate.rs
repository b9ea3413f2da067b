//! Propagation over a whole board: runs are filtered until none has anything more to say.

use crate::engine::kakuro::{
    digits::{Digits, RUN_MAX},
    layout::Layout,
};

/// Leaves the cells of a run, in their order, those digits that some reasoning on the run and its sum allows; false if that
/// leaves a cell without any, or finds that there is no filling.
pub(crate) type Filter = fn(&mut [Digits], usize) -> bool;

/// Runs that have to be looked at again, each at most once; first in, first out.
#[derive(Debug, Default)]
pub(crate) struct Propagation {
    queue: std::collections::VecDeque<u16>,
    queued: Vec<bool>,
    /// The run that was found impossible last.
    failed: usize,
}

impl Propagation {
    /// For layouts with at most so many runs.
    pub(crate) fn new(runs: usize) -> Self {
        Self { queue: std::collections::VecDeque::with_capacity(runs), queued: vec![false; runs], failed: 0 }
    }

    /// The run whose filter said last that there is no filling.
    pub(crate) fn failed(&self) -> usize {
        self.failed
    }

    /// Puts a run in the queue, unless it is there.
    pub(crate) fn push(&mut self, run: usize) {
        if !std::mem::replace(&mut self.queued[run], true) {
            self.queue.push_back(u16::try_from(run).unwrap_or(u16::MAX));
        }
    }

    /// Keeps a run out of the queue until it is heard again.
    pub(crate) fn mute(&mut self, run: usize) {
        self.queued[run] = true;
    }

    /// Lets a muted run into the queue, and puts it there.
    pub(crate) fn hear(&mut self, run: usize) {
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

    /// Filters the runs in the queue, and those that cross where a digit goes, until the queue is empty; false if that
    /// leaves a cell without a digit. The queue is empty afterwards in any case.
    pub(crate) fn run(&mut self, layout: &Layout, sums: &[u8], cells: &mut [Digits], filter: Filter) -> bool {
        while let Some(run) = self.queue.pop_front() {
            let run = usize::from(run);
            self.queued[run] = false;
            if !self.filter_run(layout, run, sums[run], cells, filter) {
                self.failed = run;
                self.queue.drain(..).for_each(|run| self.queued[usize::from(run)] = false);
                return false;
            }
        }
        true
    }

    fn filter_run(&mut self, layout: &Layout, run: usize, sum: u8, cells: &mut [Digits], filter: Filter) -> bool {
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
