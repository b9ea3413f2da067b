//! The technique Sum Cut, tier 5: sums over areas of the board, known as innies and outies.
//!
//! Consider a graph whose nodes are the runs with open cells, and whose edges are the open cells, each between its two
//! runs. A few cells may cut this graph. On one side of the cut, the runs across and the runs down contain the same
//! cells, except the cells of the cut. So the difference of the sums equals the total of the cut's cells whose run
//! across is on that side, minus the total of the cut's other cells.
//!
//! Labels find the cuts (Pritchard and Thurimella 2011). Each edge outside a spanning forest gets a random number. Each
//! edge of the forest gets the exclusive or of the edges whose cycles contain it. The labels of the edges of a cut
//! cancel out.

use std::collections::BTreeMap;

use super::{
    find::{Find, Outcome, Pattern, SUM_CUT},
    position::Position,
};
use crate::{kakuro::digits::Digits, shared::rng::Rng};

/// The seed of the labels. Any value works, because each suggested cut is checked.
const LABEL_SEED: u64 = 5;

/// The maximum number of open cells with which cuts of three cells are searched for.
const TRIPLE_CELLS_MAX: usize = 160;

/// If the sums around a region determine one cell, or the sum or difference of two or three cells, candidates that do
/// not fit can be removed: Sum Cut.
pub(super) fn sum_cut(position: &Position<'_>) -> Option<Find> {
    let graph = Graph::of(position);
    let labels = graph.labels();
    let edges = labels.len();
    if let Some(find) = (0..edges).filter(|&edge| labels[edge] == 0).find_map(|edge| graph.cut(&[edge])) {
        return Some(find);
    }
    let by_label: BTreeMap<u64, Vec<usize>> =
        labels.iter().enumerate().fold(BTreeMap::new(), |mut by_label, (edge, &label)| {
            by_label.entry(label).or_insert_with(Vec::new).push(edge);
            by_label
        });
    let pairs = (0..edges).flat_map(|edge| by_label[&labels[edge]].iter().map(move |&other| [edge, other]));
    let pairs = pairs.filter(|[edge, other]| edge < other && labels[*edge] != 0);
    if let Some(find) = pairs.into_iter().find_map(|pair| graph.cut(&pair)) {
        return Some(find);
    }
    if edges > TRIPLE_CELLS_MAX {
        return None;
    }
    let pairs = (0..edges).flat_map(|edge| (edge + 1..edges).map(move |other| [edge, other]));
    let pairs =
        pairs.filter(|[edge, other]| labels[*edge] != labels[*other] && labels[*edge] != 0 && labels[*other] != 0);
    pairs.into_iter().find_map(|[edge, other]| {
        let third = by_label.get(&(labels[edge] ^ labels[other]))?.iter().copied().find(|&third| third > other)?;
        graph.cut(&[edge, other, third])
    })
}

/// The open part of a position: each edge is an open cell.
struct Graph<'a, 'p> {
    position: &'a Position<'p>,
    /// The open cells.
    whites: Vec<usize>,
    /// The edges of each run.
    edges_of: Vec<Vec<usize>>,
}

impl<'a, 'p> Graph<'a, 'p> {
    fn of(position: &'a Position<'p>) -> Self {
        let layout = position.puzzle().layout();
        let whites: Vec<_> = (0..layout.cells().len()).filter(|&white| !position.is_filled(white)).collect();
        let mut edges_of = vec![Vec::new(); layout.runs().len()];
        for (edge, &white) in whites.iter().enumerate() {
            layout.runs_of(white).into_iter().for_each(|run| edges_of[run].push(edge));
        }
        Self { position, whites, edges_of }
    }

    /// The two runs of an edge, across and down.
    fn ends(&self, edge: usize) -> [usize; 2] {
        self.position.puzzle().layout().runs_of(self.whites[edge])
    }

    fn other_end(&self, edge: usize, run: usize) -> usize {
        let [across, down] = self.ends(edge);
        if run == across { down } else { across }
    }

    /// The label of each edge.
    fn labels(&self) -> Vec<u64> {
        let mut rng = Rng::from_seed(LABEL_SEED);
        let mut labels = vec![0; self.whites.len()];
        let mut parent = vec![None; self.edges_of.len()];
        let mut seen = vec![false; self.edges_of.len()];
        let mut order = Vec::new();
        for root in 0..self.edges_of.len() {
            let mut next = order.len();
            if !std::mem::replace(&mut seen[root], true) {
                order.push(root);
            }
            while let Some(&run) = order.get(next) {
                for &edge in &self.edges_of[run] {
                    let end = self.other_end(edge, run);
                    if !std::mem::replace(&mut seen[end], true) {
                        parent[end] = Some(edge);
                        order.push(end);
                    }
                }
                next += 1;
            }
        }
        let mut below = vec![0_u64; self.edges_of.len()];
        for (edge, label) in labels.iter_mut().enumerate() {
            if !self.ends(edge).into_iter().any(|run| parent[run] == Some(edge)) {
                *label = rng.next_u64();
                for run in self.ends(edge) {
                    below[run] ^= *label;
                }
            }
        }
        // Goes from the leaves up. An edge of the forest is in the cycles of the other edges that have exactly one end
        // below it.
        for &run in order.iter().rev() {
            if let Some(edge) = parent[run] {
                labels[edge] = below[run];
                below[self.other_end(edge, run)] ^= below[run];
            }
        }
        labels
    }

    /// The step that follows if these edges are a cut, or `None` if they are not, or nothing can be removed.
    fn cut(&self, edges: &[usize]) -> Option<Find> {
        let side = self.side(edges);
        let mut total = 0;
        let puzzle = self.position.puzzle();
        let runs = puzzle.layout().runs();
        // The first cell is added, whichever of its runs is on this side.
        let is_across = side[self.ends(edges[0])[0]];
        for (run, _) in side.iter().enumerate().filter(|(_, inside)| **inside) {
            if !puzzle.has_clue(run) {
                return None;
            }
            let rest = i32::try_from(self.position.rest(run).sum).ok()?;
            total += if (runs[run].direction as usize == 0) == is_across { rest } else { -rest };
        }
        let mut terms = Vec::new();
        for &edge in edges {
            let [across, down] = self.ends(edge);
            if side[across] == side[down] {
                return None;
            }
            terms.push((self.whites[edge], side[across] == is_across));
        }
        let outcome = Outcome::Remove(self.unsupported(&terms, total)?);
        let runs = (0..side.len()).filter(|&run| side[run]).collect();
        Some(Find { technique: SUM_CUT, pattern: Pattern::Cut { terms, total, runs }, outcome })
    }

    /// The runs connected to the first edge's run across without these edges, or to its run down if the run across has no
    /// clue.
    fn side(&self, cut: &[usize]) -> Vec<bool> {
        let mut inside = vec![false; self.edges_of.len()];
        let [across, down] = self.ends(cut[0]);
        let first = if self.position.puzzle().has_clue(across) { across } else { down };
        inside[first] = true;
        let mut left = vec![first];
        while let Some(run) = left.pop() {
            for &edge in self.edges_of[run].iter().filter(|edge| !cut.contains(edge)) {
                let end = self.other_end(edge, run);
                if !std::mem::replace(&mut inside[end], true) {
                    left.push(end);
                }
            }
        }
        inside
    }

    /// The candidates of the terms that do not reach the total with any choice for the other terms. `None` if there are
    /// none, or if no choice reaches the total.
    fn unsupported(&self, terms: &[(usize, bool)], total: i32) -> Option<Vec<(usize, Digits)>> {
        let candidates = |white: usize| self.position.candidates()[white];
        let mut supported = vec![Digits::NONE; terms.len()];
        self.support(terms, total, &mut Vec::new(), &mut supported);
        if supported[0].is_empty() {
            return None;
        }
        let removed = terms.iter().zip(supported).map(|(&(white, _), left)| (white, candidates(white).without(left)));
        let removed: Vec<_> = removed.filter(|(_, digits)| !digits.is_empty()).collect();
        (!removed.is_empty()).then_some(removed)
    }

    fn support(&self, terms: &[(usize, bool)], left: i32, chosen: &mut Vec<u8>, supported: &mut [Digits]) {
        let Some(&(white, added)) = terms.get(chosen.len()) else {
            if left == 0 {
                for (digits, &digit) in supported.iter_mut().zip(&*chosen) {
                    *digits = digits.or(Digits::only(digit));
                }
            }
            return;
        };
        for digit in self.position.candidates()[white].iter() {
            let mut before = terms.iter().zip(&*chosen);
            if before.any(|(&(other, _), &taken)| taken == digit && self.share_run(white, other)) {
                continue;
            }
            chosen.push(digit);
            self.support(terms, left - if added { i32::from(digit) } else { -i32::from(digit) }, chosen, supported);
            chosen.pop();
        }
    }

    fn share_run(&self, white: usize, other: usize) -> bool {
        let layout = self.position.puzzle().layout();
        layout.runs_of(white).into_iter().zip(layout.runs_of(other)).any(|(run, of_other)| run == of_other)
    }
}
