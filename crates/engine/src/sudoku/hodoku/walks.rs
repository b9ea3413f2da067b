//! Walks from cell to cell: where they can end, and whether there is one that visits no cell twice.

use super::pace::Pace;
use crate::sudoku::{
    board::CELLS,
    techniques::geometry::{Cells, cells, one},
};

/// The number of tags. The tag of a cell on a walk, 0–9, is how the walk entered the cell or the digit that the cell
/// must take.
pub(super) const TAGS: usize = 10;

/// The maximum number of cells that one search visits for a walk without a repeated cell. If a search needs more, which
/// is rare, it counts as unsuccessful.
const LOOKS_MAX: u32 = 20_000;

/// How walks continue: the cells after a cell, and the tag of each.
pub(super) trait Ways {
    /// The cells after a cell with this tag.
    fn next(&self, cell: usize, tag: usize) -> Cells;
    /// The tag of a cell that comes after a cell with this tag.
    fn tag(&self, cell: usize, tag_before: usize) -> usize;
}

/// The shortest walks from one cell to each cell and tag.
pub(super) struct Walks<'a, W> {
    ways: &'a W,
    pace: &'a Pace<'a>,
    start: (usize, usize),
    links_max: usize,
    before: [u16; CELLS * TAGS],
    reached: [u16; CELLS * TAGS],
    len: usize,
}

/// The predecessor of the start, and of places not reached.
const NONE: u16 = u16::MAX;

impl<'a, W: Ways> Walks<'a, W> {
    /// Computes all walks of at most `links_max` links. A walk may end at the start again, but no walk continues from
    /// there.
    pub(super) fn new(ways: &'a W, pace: &'a Pace<'a>, start: (usize, usize), links_max: usize) -> Self {
        let none = [NONE; CELLS * TAGS];
        let mut walks = Self { ways, pace, start, links_max, before: none, reached: [0; CELLS * TAGS], len: 0 };
        let (mut from, mut depth) = (0, 0);
        walks.reach(start.0 * TAGS + start.1, NONE);
        while from < walks.len && depth < links_max {
            let layer_end = walks.len;
            for at in from..layer_end {
                let reached = usize::from(walks.reached[at]);
                let (cell, tag) = (reached / TAGS, reached % TAGS);
                if at > 0 && cell == start.0 {
                    continue;
                }
                for next in cells(ways.next(cell, tag)) {
                    let next = next * TAGS + ways.tag(next, tag);
                    if walks.before[next] == NONE && next != start.0 * TAGS + start.1 {
                        walks.reach(next, walks.reached[at]);
                    }
                }
            }
            (from, depth) = (layer_end, depth + 1);
        }
        // A cancelled search has no walks.
        if pace.is_cut(walks.len) {
            walks.len = 1;
        }
        walks
    }

    #[expect(clippy::cast_possible_truncation, reason = "places are below 810")]
    fn reach(&mut self, place: usize, before: u16) {
        self.before[place] = before;
        self.reached[self.len] = place as u16;
        self.len += 1;
    }

    /// The ends with this tag, nearest first. Excludes those next to the start.
    pub(super) fn ends(&self, tag: usize) -> impl Iterator<Item = usize> {
        let places = self.reached[1..self.len].iter().map(|&place| usize::from(place));
        let is_far = |place: &usize| usize::from(self.before[*place]) != self.start.0 * TAGS + self.start.1;
        places.filter(move |place| place % TAGS == tag).filter(is_far).map(|place| place / TAGS)
    }

    /// The ends with this tag, nearest first.
    pub(super) fn all_ends(&self, tag: usize) -> impl Iterator<Item = usize> {
        let places = self.reached[1..self.len].iter().map(|&place| usize::from(place));
        places.filter(move |place| place % TAGS == tag).map(|place| place / TAGS)
    }

    /// Whether a walk without a repeated cell ends here. The walk may end at its start.
    pub(super) fn has_simple(&self, end: usize, tag: usize) -> bool {
        let end = end * TAGS + tag;
        self.shortest_is_simple(end) || self.search(end, self.start, one(self.start.0), self.links_max, &mut 0)
    }

    fn shortest_is_simple(&self, end: usize) -> bool {
        let (mut seen, mut place) = (0, self.before[end]);
        if end / TAGS != self.start.0 {
            seen = one(end / TAGS);
        }
        while place != NONE {
            let cell = one(usize::from(place) / TAGS);
            if seen & cell != 0 {
                return false;
            }
            seen |= cell;
            place = self.before[usize::from(place)];
        }
        true
    }

    fn search(&self, end: usize, (cell, tag): (usize, usize), seen: Cells, links: usize, looks: &mut u32) -> bool {
        if links == 0 || *looks >= LOOKS_MAX || self.pace.is_cut(1) {
            return false;
        }
        *looks += 1;
        let next = self.ways.next(cell, tag);
        let ends_here = next & one(end / TAGS) != 0 && self.ways.tag(end / TAGS, tag) == end % TAGS;
        let first = links == self.links_max;
        let is_free = seen & one(end / TAGS) == 0 || end / TAGS == self.start.0;
        if ends_here && is_free && !first {
            return true;
        }
        cells(next & !seen)
            .any(|next| self.search(end, (next, self.ways.tag(next, tag)), seen | one(next), links - 1, looks))
    }
}
