//! Makes a random layout. All inner cells start white. Then blocks are added, with the blocks that the symmetry
//! requires, as long as the layout stays valid.

use super::{blocks, grid::White, joined::holds_together, orbits::orbits};
use crate::{
    kakuro::layout::Layout,
    shared::{
        budget::{Budget, OutOfBudget},
        rng::Rng,
        symmetry::Symmetry,
    },
};

/// The maximum number of layouts that one call starts.
const LAYOUTS_MAX: usize = 40;

/// The number of random orbits that are compared to choose the next one.
const DRAWN: usize = 3;

/// The maximum number of orbits that become blocks together, if the first would isolate cells.
const ADDED_MAX: usize = 4;

/// The sides, shorter first, of white rectangles that hardly ever have a unique solution.
const RECTANGLES: [(usize, usize); 4] = [(2, 9), (3, 8), (4, 6), (5, 5)];

/// The maximum number of cells of a rectangle of blocks, and the maximum share of blocks without a clue, in percent. Magazines print
/// rectangles of 2 to 4 cells, and 14 to 20 % of the blocks without a clue.
const RECTANGLE_MAX: usize = 4;
const WITHOUT_CLUE_MAX: usize = 22;

/// Layouts for which fewer white cells are wanted, in percent, may have larger rectangles and more blocks without a clue.
const SPARSE_BELOW: usize = 60;
const SPARSE_RECTANGLE_MAX: usize = 8;

/// The maximum share of white cells, in percent.
const WHITE_MAX: usize = 78;

/// The requirements for a layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// Columns, including the outer one.
    pub width: usize,
    /// Rows, including the outer one.
    pub height: usize,
    /// The maximum length of runs, 2–9.
    pub run_max: usize,
    /// The minimum share of white cells among the inner cells, in percent.
    pub white_min: usize,
    /// The symmetry of the inner cells.
    pub symmetry: Symmetry,
}

impl Wanted {
    /// The minimum number of white cells.
    fn whites_min(&self) -> usize {
        (self.inner() * self.white_min).div_ceil(100)
    }

    fn inner(&self) -> usize {
        (self.width - 1) * (self.height - 1)
    }

    /// The maximum number of cells of a rectangle of blocks.
    fn rectangle_max(&self) -> usize {
        if self.white_min < SPARSE_BELOW { SPARSE_RECTANGLE_MAX } else { RECTANGLE_MAX }
    }

    /// The maximum number of blocks without a clue on a board with this many blocks. Even small boards need one.
    fn without_clue_max(&self, blocks: usize) -> usize {
        1 + blocks * WITHOUT_CLUE_MAX.max(if self.white_min < SPARSE_BELOW { 93 - self.white_min } else { 0 }) / 100
    }
}

/// Makes a random layout that is symmetric, biconnected, and varied. Its runs have 2 to `run_max` cells. It has no
/// large rectangle of white cells or of blocks. Most blocks have clues, and each outer line has a white cell. Returns
/// `None` after a bounded number of bad layouts. Takes up to seconds for the largest boards.
///
/// # Errors
/// [`OutOfBudget::Cancelled`] if the cancel flag is raised. Uses no nodes.
pub fn make(wanted: &Wanted, rng: &mut Rng, budget: &Budget<'_>) -> Result<Option<Layout>, OutOfBudget> {
    let orbits = orbits(wanted.width, wanted.height, wanted.symmetry);
    for _ in 0..LAYOUTS_MAX {
        if let Some(layout) = random_layout(wanted, &orbits, rng, budget)? {
            return Ok(Some(layout));
        }
    }
    Ok(None)
}

fn random_layout(
    wanted: &Wanted,
    orbits: &[Vec<usize>],
    rng: &mut Rng,
    budget: &Budget<'_>,
) -> Result<Option<Layout>, OutOfBudget> {
    let mut making = Making {
        white: White::full(wanted.width, wanted.height),
        count: wanted.inner(),
        orbits,
        orbit_of: orbit_of(wanted, orbits),
        wanted,
    };
    let mut left: Vec<_> = (0..orbits.len()).collect();
    // Long runs come first, because blocks that are added to them later would isolate cells.
    while let Some(orbit) = making.take_from_long_run(&mut left, rng) {
        budget.check_cancelled()?;
        making.add_blocks(orbit);
    }
    while let Some(orbit) = making.take(&mut left, rng) {
        budget.check_cancelled()?;
        making.add_blocks(orbit);
    }
    let Making { white, count, .. } = making;
    Ok(is_good(&white, count, wanted).then(|| Layout::new(wanted.width, wanted.height, white.signs()).ok()).flatten())
}

/// The orbit of each cell of the board, or 0 for outer cells, which are never looked up.
fn orbit_of(wanted: &Wanted, orbits: &[Vec<usize>]) -> Vec<usize> {
    let mut orbit_of = vec![0; wanted.width * wanted.height];
    for (number, orbit) in orbits.iter().enumerate() {
        for &cell in orbit {
            orbit_of[cell] = number;
        }
    }
    orbit_of
}

struct Making<'a> {
    white: White,
    count: usize,
    orbits: &'a [Vec<usize>],
    orbit_of: Vec<usize>,
    wanted: &'a Wanted,
}

impl Making<'_> {
    /// The lengths of the two runs through an orbit's first cell. The runs of its other cells nearly always have the
    /// same lengths.
    fn lengths(&self, orbit: usize) -> [usize; 2] {
        let cell = self.orbits[orbit][0];
        if self.white.is_white(cell) {
            [1, self.white.width()].map(|step| self.white.run_len(cell, step))
        } else {
            [0; 2]
        }
    }

    /// Removes and returns a random remaining orbit with a cell in a run that is too long.
    fn take_from_long_run(&self, left: &mut Vec<usize>, rng: &mut Rng) -> Option<usize> {
        let too_long = |&at: &usize| self.lengths(left[at]).into_iter().any(|len| len > self.wanted.run_max);
        let long: Vec<_> = (0..left.len()).filter(too_long).collect();
        (!long.is_empty()).then(|| left.swap_remove(long[rng.index(long.len())]))
    }

    /// Draws a few of the remaining orbits, and removes and returns the one whose cell is in the longest runs.
    fn take(&self, left: &mut Vec<usize>, rng: &mut Rng) -> Option<usize> {
        if left.is_empty() {
            return None;
        }
        let squares = |at: usize| self.lengths(left[at]).map(|len| len * len).iter().sum::<usize>();
        let best = (0..DRAWN).map(|_| rng.index(left.len())).max_by_key(|&at| (squares(at), at))?;
        Some(left.swap_remove(best))
    }

    /// Turns the cells of an orbit into blocks, together with the cells that these would isolate, if the layout stays
    /// valid.
    fn add_blocks(&mut self, orbit: usize) {
        if !self.white.is_white(self.orbits[orbit][0]) {
            return;
        }
        let mut added = vec![orbit];
        let mut at = 0;
        while at < added.len() {
            let cells = &self.orbits[added[at]];
            for &cell in cells {
                self.white.set(cell, false);
            }
            self.count -= cells.len();
            for cell in cells.iter().flat_map(|&cell| self.white.stranded_by(cell)) {
                if !added.contains(&self.orbit_of[cell]) {
                    added.push(self.orbit_of[cell]);
                }
            }
            at += 1;
            if added.len() > ADDED_MAX || self.count < self.wanted.whites_min() {
                break;
            }
        }
        let enough = self.count >= self.wanted.whites_min();
        if !(enough && at == added.len() && self.are_good(&added) && holds_together(&self.white)) {
            for &orbit in &added[..at] {
                for &cell in &self.orbits[orbit] {
                    self.white.set(cell, true);
                }
                self.count += self.orbits[orbit].len();
            }
        }
    }

    /// Whether the layout keeps the rules on blocks after these orbits were added. If only finished layouts had to keep them, hardly
    /// any would.
    fn are_good(&self, added: &[usize]) -> bool {
        let mut cells = added.iter().flat_map(|&orbit| &self.orbits[orbit]);
        let (blocks, without_clue) = blocks::count(&self.white);
        without_clue <= self.wanted.without_clue_max(blocks)
            && blocks::outer_lines_have_white(&self.white)
            && cells.all(|&cell| blocks::rectangle_at(&self.white, cell) <= self.wanted.rectangle_max())
    }
}

/// Whether a finished layout of `count` white cells keeps the rules that adding blocks helps to keep.
fn is_good(white: &White, count: usize, wanted: &Wanted) -> bool {
    let lengths = white.run_lengths();
    lengths.iter().all(|&len| len <= wanted.run_max)
        && RECTANGLES.iter().all(|&(a, b)| !has_rectangle(white, a, b) && !has_rectangle(white, b, a))
        && (lengths.len() < RUNS_MIN || of_white(white) >= VARIETY_MIN && 100 * count <= WHITE_MAX * wanted.inner())
}

/// Whether some rectangle of this size is all white.
fn has_rectangle(white: &White, rows: usize, columns: usize) -> bool {
    let mut depth = vec![0; white.width()];
    (1..white.height()).any(|row| {
        let mut wide = 0;
        (1..white.width()).any(|column| {
            depth[column] = if white.is_white(row * white.width() + column) { depth[column] + 1 } else { 0 };
            wide = if depth[column] >= rows { wide + 1 } else { 0 };
            wide >= columns
        })
    })
}

/// The minimum variety of a generated layout with at least `RUNS_MIN` runs.
pub const VARIETY_MIN: f64 = 0.5;

/// Layouts with fewer runs than this are not measured, because small boards have little room for variety and for blocks.
const RUNS_MIN: usize = 16;

/// The variety of a layout, 0–1: the mean of two numbers. One is the entropy of its run lengths in units of two bits,
/// at most 1. The other is the share of distinct lines among all rows and columns with a white cell, where mirror
/// images count as equal.
#[must_use]
pub fn variety(layout: &Layout) -> f64 {
    of_white(&White::of_signs(layout.width(), layout.height(), layout.signs()))
}

fn of_white(white: &White) -> f64 {
    f64::midpoint((entropy(&white.run_lengths()) / 2.0).min(1.0), different_lines(white))
}

/// The entropy of a distribution, in bits.
fn entropy(lengths: &[usize]) -> f64 {
    let mut counts = [0_u16; 32];
    for &len in lengths {
        counts[len.min(31)] += 1;
    }
    let all = f64::from(counts.iter().sum::<u16>());
    let shares = counts.iter().filter(|count| **count > 0).map(|&count| f64::from(count) / all);
    shares.map(|share| -share * share.log2()).sum()
}

fn different_lines(white: &White) -> f64 {
    let (width, height) = (white.width(), white.height());
    let rows = (1..height).map(|row| line((1..width).map(|column| white.is_white(row * width + column))));
    let columns = (1..width).map(|column| line((1..height).map(|row| white.is_white(row * width + column))));
    let mut different = 0;
    let mut all = 0;
    for mut lines in [rows.collect::<Vec<_>>(), columns.collect()] {
        lines.retain(|&line| line != 0);
        all += lines.len();
        lines.sort_unstable();
        lines.dedup();
        different += lines.len();
    }
    share(different, all)
}

/// A row or a column as a number, or its mirror image if that number is smaller.
fn line(signs: impl DoubleEndedIterator<Item = bool> + Clone) -> u32 {
    let number = |all: u32, white: bool| all << 1 | u32::from(white);
    let forwards = signs.clone().fold(0, number);
    forwards.min(signs.rev().fold(0, number))
}

fn share(part: usize, all: usize) -> f64 {
    let number = |count: usize| f64::from(u16::try_from(count).expect("a board has at most 60 lines"));
    number(part) / number(all.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rows: &[&str]) -> f64 {
        let signs: Vec<_> = rows.concat().chars().map(|sign| sign == '.').collect();
        variety(&Layout::new(rows[0].len(), rows.len(), &signs).unwrap())
    }

    #[test]
    fn repeating_layout_has_less_variety_than_a_mixed_one() {
        let dull = check(&["#######", "#..#..#", "#..#..#", "#######", "#..#..#", "#..#..#"]);
        let mixed = check(&["#######", "##..###", "#.....#", "#..#...", "#...#..", "##.....", "###..##"]);
        assert!(dull < 0.3 && mixed > VARIETY_MIN, "{dull} {mixed}");
    }
}
