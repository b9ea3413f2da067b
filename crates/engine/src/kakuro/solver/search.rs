//! The search of the Kakuro kernel, which finds solutions. It assigns the cell that has few candidates and whose runs
//! failed often. If it makes no progress, it restarts with what it learned.
//!
//! It learns the number of failures of each run, which guide the choice of cells ("dom/wdeg", Boussemart and others
//! 2004). It also learns which candidates lead to a contradiction immediately, and removes them before a restart. The
//! limit on nodes doubles with each restart, so the search remains complete.

use super::{Filter, Propagation, exact};
use crate::{
    kakuro::{
        board::{Digit, Puzzle},
        digits::Digits,
    },
    shared::budget::{Budget, OutOfBudget},
};

/// The number of nodes before the first restart. Real puzzles need fewer than sixty.
const NODES_FIRST: u64 = 256;

const FILTER: Filter = exact;

/// A search for solutions that are not yet known.
#[derive(Debug)]
pub(super) struct Search<'p> {
    puzzle: &'p Puzzle,
    propagation: Propagation,
    /// The number of failures of each run, plus one.
    weights: Vec<u64>,
    found: Vec<Vec<Digit>>,
    limit: usize,
    nodes_left: u64,
}

/// How the search below a node ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// All solutions below the node are known.
    Exhausted,
    /// The wanted number of solutions is known.
    Enough,
    /// The nodes before this restart are used up.
    Stalled,
}

impl<'p> Search<'p> {
    pub(super) fn new(puzzle: &'p Puzzle, limit: usize) -> Self {
        let runs = puzzle.sums().len();
        let propagation = Propagation::new(runs);
        Self { puzzle, propagation, weights: vec![1; runs], found: Vec::new(), limit, nodes_left: 0 }
    }

    /// Records a solution as found.
    pub(super) fn know(&mut self, solution: Vec<Digit>) {
        self.found.push(solution);
    }

    /// The solutions within the candidates, up to the limit, starting with those already known.
    pub(super) fn run(mut self, cells: &[Digits], budget: &mut Budget<'_>) -> Result<Vec<Vec<Digit>>, OutOfBudget> {
        let mut root = cells.to_vec();
        let mut nodes_max = NODES_FIRST;
        self.propagation.push_all(self.puzzle.layout());
        if self.found.len() >= self.limit || !self.propagate(&mut root) {
            return Ok(self.found);
        }
        loop {
            self.nodes_left = nodes_max;
            if self.walk(root.clone(), budget)? != End::Stalled || !self.shave(&mut root, budget)? {
                return Ok(self.found);
            }
            nodes_max *= 2;
        }
    }

    fn propagate(&mut self, cells: &mut [Digits]) -> bool {
        let possible = self.propagation.run(self.puzzle.layout(), self.puzzle.sums(), cells, FILTER);
        if !possible {
            self.weights[self.propagation.failed()] += 1;
        }
        possible
    }

    /// Searches everything below a state at its fixpoint. Each call assigns one more cell.
    fn walk(&mut self, mut cells: Vec<Digits>, budget: &mut Budget<'_>) -> Result<End, OutOfBudget> {
        while let Some(white) = self.choose(&cells) {
            if self.nodes_left == 0 {
                return Ok(End::Stalled);
            }
            self.nodes_left -= 1;
            budget.take_node()?;
            let digit = Digits::only(cells[white].smallest());
            let mut taken = cells.clone();
            taken[white] = digit;
            self.propagation.push_cell(self.puzzle.layout(), white);
            if self.propagate(&mut taken) {
                let end = self.walk(taken, budget)?;
                if end != End::Exhausted {
                    return Ok(end);
                }
            }
            cells[white] = cells[white].without(digit);
            self.propagation.push_cell(self.puzzle.layout(), white);
            if !self.propagate(&mut cells) {
                return Ok(End::Exhausted);
            }
        }
        let solution: Vec<Digit> = cells.iter().map(|digits| digits.smallest()).collect();
        if !self.found.contains(&solution) {
            self.found.push(solution);
        }
        Ok(if self.found.len() >= self.limit { End::Enough } else { End::Exhausted })
    }

    /// The first open cell with the lowest ratio of candidates to failures of its runs, or `None` if all are decided.
    fn choose(&self, cells: &[Digits]) -> Option<usize> {
        let open = cells.iter().enumerate().filter(|(_, digits)| !digits.is_single());
        let measured = open.map(|(white, digits)| {
            let weight: u64 = self.puzzle.layout().runs_of(white).into_iter().map(|run| self.weights[run]).sum();
            (white, digits.len() as u64, weight)
        });
        measured.reduce(|best, next| if next.1 * best.2 < best.1 * next.2 { next } else { best }).map(|best| best.0)
    }

    /// Removes from the root every candidate that immediately leads to a contradiction. Returns false if that leaves no
    /// solution.
    fn shave(&mut self, root: &mut [Digits], budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
        for white in 0..root.len() {
            for digit in root[white].iter().filter(|_| !root[white].is_single()).collect::<Vec<_>>() {
                if !root[white].contains(digit) || root[white].is_single() {
                    continue;
                }
                budget.take_node()?;
                let mut taken = root.to_vec();
                taken[white] = Digits::only(digit);
                self.propagation.push_cell(self.puzzle.layout(), white);
                if !self.propagate(&mut taken) {
                    root[white] = root[white].without(Digits::only(digit));
                    self.propagation.push_cell(self.puzzle.layout(), white);
                    if !self.propagate(root) {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }
}
