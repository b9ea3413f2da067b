//! Tests whether a layout is biconnected, as a graph: each run is a node, and each white cell an edge between its two
//! runs. Also finds parallel runs of nine cells that make every puzzle of a layout ambiguous.
//!
//! If removing one node disconnects the graph, the sums alone determine the total of that run's cells on each side, so
//! the puzzle is really two puzzles. A bridge, a cell whose value follows from sums alone, is the extreme case: both of
//! its runs are such nodes, because every run has at least two cells.

use super::grid::White;
use crate::kakuro::{
    digits::RUN_MAX,
    layout::{Direction, Layout},
};

/// Whether the white cells are connected, and stay connected if any one run is removed (Tarjan's articulation points,
/// 1972). Takes time linear in the number of cells.
#[must_use]
pub fn is_joined(layout: &Layout) -> bool {
    holds_together(&White::of_signs(layout.width(), layout.height(), layout.signs()))
}

/// Finds two runs of nine cells next to each other that cross the same runs, and returns their numbers. Both contain
/// all digits, so they can always be exchanged, and no sums make the puzzle unique.
#[must_use]
pub fn never_unique(layout: &Layout) -> Option<[usize; 2]> {
    let crossing = |run: usize| {
        let across = layout.runs()[run].direction == Direction::Across;
        let of_cell = |&white: &u16| layout.runs_of(usize::from(white))[usize::from(across)];
        layout.runs()[run].whites().iter().map(of_cell).collect::<Vec<_>>()
    };
    let long: Vec<_> = (0..layout.runs().len()).filter(|&run| layout.runs()[run].whites().len() == RUN_MAX).collect();
    long.iter().enumerate().find_map(|(at, &run)| {
        let twin = long[at + 1..].iter().find(|&&other| crossing(other) == crossing(run))?;
        Some([run, *twin])
    })
}

/// Like [`is_joined`], for an unfinished layout whose runs may still be too long.
pub(super) fn holds_together(white: &White) -> bool {
    let mut walk = Walk::of(white);
    walk.visit_all() && walk.order_next == walk.runs
}

/// Marks a cell without a run.
const NONE: u16 = u16::MAX;

/// A depth-first walk over the runs.
struct Walk<'w> {
    white: &'w White,
    /// The run of each cell, across and down.
    run_of: [Vec<u16>; 2],
    /// First cell and step of each run.
    runs_at: Vec<(usize, usize)>,
    runs: u16,
    /// When each run was visited, and the earliest run that its subtree touches.
    order: Vec<u16>,
    low: Vec<u16>,
    order_next: u16,
}

impl<'w> Walk<'w> {
    fn of(white: &'w White) -> Self {
        let cells = white.signs().len();
        let mut run_of = [vec![NONE; cells], vec![NONE; cells]];
        let mut runs_at = Vec::new();
        for (which, step) in [(0, 1), (1, white.width())] {
            for cell in (0..cells).filter(|&cell| white.is_white(cell)) {
                if !white.is_white(cell - step) {
                    runs_at.push((cell, step));
                }
                run_of[which][cell] = if white.is_white(cell - step) {
                    run_of[which][cell - step]
                } else {
                    u16::try_from(runs_at.len() - 1).expect("a board has at most 900 cells")
                };
            }
        }
        let runs = u16::try_from(runs_at.len()).expect("a board has at most 900 cells");
        let unseen = vec![NONE; runs_at.len()];
        Self { white, run_of, runs_at, runs, order: unseen.clone(), low: unseen, order_next: 0 }
    }

    /// Walks from run 0. Returns false if removing some run disconnects the graph.
    fn visit_all(&mut self) -> bool {
        // Each frame has the run, the run before it, and the next cell to visit.
        let mut stack: Vec<(u16, u16, usize)> = Vec::new();
        self.reach(0, NONE, &mut stack);
        let mut below_first = 0;
        while let Some(&mut (run, before, ref mut cell)) = stack.last_mut() {
            let (_, step) = self.runs_at[usize::from(run)];
            let at = *cell;
            if at < self.white.signs().len() && self.run_of[usize::from(step != 1)][at] == run {
                *cell += step;
                let next = self.run_of[usize::from(step == 1)][at];
                if self.order[usize::from(next)] == NONE {
                    below_first += usize::from(run == 0);
                    self.reach(next, run, &mut stack);
                } else if next != before {
                    self.low[usize::from(run)] = self.low[usize::from(run)].min(self.order[usize::from(next)]);
                }
                continue;
            }
            stack.pop();
            if before != NONE {
                let low = self.low[usize::from(run)];
                if before != 0 && low >= self.order[usize::from(before)] {
                    return false;
                }
                self.low[usize::from(before)] = self.low[usize::from(before)].min(low);
            }
        }
        below_first <= 1
    }

    fn reach(&mut self, run: u16, before: u16, stack: &mut Vec<(u16, u16, usize)>) {
        self.order[usize::from(run)] = self.order_next;
        self.low[usize::from(run)] = self.order_next;
        self.order_next += 1;
        stack.push((run, before, self.runs_at[usize::from(run)].0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(rows: &[&str]) -> Layout {
        let signs: Vec<_> = rows.concat().chars().map(|sign| sign == '.').collect();
        Layout::new(rows[0].len(), rows.len(), &signs).unwrap()
    }

    #[test]
    fn layout_that_falls_apart_is_not_joined() {
        let cases: [(&[&str], bool); 5] = [
            (&["####", "#..#", "#...", "##.."], true),
            // Two unconnected parts.
            (&["######", "#..#..", "#..#.."], false),
            // Two parts that share only the middle run. The sums of each part determine its half of that run.
            (&["#####", "#..##", "#....", "###.."], false),
            // The middle cell is the only one between the upper and the lower part.
            (&["######", "#..###", "#...##", "###..#", "###..#"], false),
            (&["#####", "#..##", "#...#", "##...", "###.."], true),
        ];
        for (rows, joined) in cases {
            assert_eq!(is_joined(&layout(rows)), joined, "{rows:?}");
        }
    }

    #[test]
    fn two_parallel_runs_of_nine_cells_are_never_unique() {
        let nine = "#.........";
        assert_eq!(never_unique(&layout(&["##########", nine, nine])), Some([0, 1]));
        assert_eq!(never_unique(&layout(&["##########", "##########", "#........#", "#........#"])), None);
    }
}
