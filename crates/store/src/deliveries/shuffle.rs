//! Rule: draws without replacement. Each audience gets the positions of a shelf in a random order of its own. This order is a sparse
//! Fisher–Yates shuffle: it is drawn step by step, and only the swapped entries are stored. For each audience of one write,
//! [`AudienceStates`] has the progress of its shuffles, and the repeat hashes that the write delivers to it.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::{
    deliveries::choose::DrawIndex,
    stock::puzzle::{Position, ShelfId},
};

/// The audiences of one write, by name.
#[derive(Debug, Default)]
pub(crate) struct AudienceStates(BTreeMap<String, AudienceState>);

/// One audience.
#[derive(Debug, Default)]
pub(crate) struct AudienceState {
    /// The id of the audience's row; `None` until the first delivery.
    pub(crate) id: Option<i64>,
    /// The number of draw indices taken from each shelf.
    taken: HashMap<ShelfId, i64>,
    /// Shelves whose cursors this write moves.
    moved: HashSet<ShelfId>,
    swaps: HashMap<DrawIndex, Swap>,
    /// Repeat hashes that this write delivers.
    repeat_hashes: HashSet<String>,
    /// Whether this write records a delivery for it without taking a draw index.
    has_held_delivery: bool,
}

/// A draw index that was drawn for a caller.
pub(crate) struct Draw {
    /// Index of the caller.
    pub(crate) at: usize,
    pub(crate) index: DrawIndex,
    /// The first draw index that is not taken yet: the place of this step in the shuffle. Its position moves to `index`.
    pub(crate) first: DrawIndex,
}

/// A position that a caller drew.
pub(crate) struct DrawnPosition {
    /// Index of the caller.
    pub(crate) at: usize,
    /// The row of its audience; `None` if it has none yet.
    pub(crate) audience_id: Option<i64>,
    pub(crate) position: Position,
}

/// The position at a draw index.
#[derive(Debug)]
struct Swap {
    position: i64,
    /// Whether the database has a row for this draw index.
    is_stored: bool,
    /// Whether that row is out of date.
    is_changed: bool,
}

impl AudienceStates {
    /// Returns the state of an audience. Adds a new state if the audience is not known.
    pub(crate) fn of(&mut self, audience: &str) -> &mut AudienceState {
        self.0.entry(audience.to_owned()).or_default()
    }

    /// Returns the row id of an audience.
    pub(crate) fn id(&self, audience: &str) -> Option<i64> {
        self.0.get(audience)?.id
    }

    pub(crate) fn any_taken(&self) -> bool {
        self.0.values().any(|state| !state.moved.is_empty())
    }

    /// Returns the audiences that have a row, each with the id of its row.
    pub(crate) fn stored(&self) -> impl Iterator<Item = (i64, &AudienceState)> {
        self.0.values().filter_map(|state| Some((state.id?, state)))
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (&String, &mut AudienceState)> {
        self.0.iter_mut()
    }
}

impl AudienceState {
    /// Sets the cursor of a shelf to the value that was read.
    pub(crate) fn set_taken(&mut self, shelf_id: ShelfId, taken: i64) {
        self.taken.insert(shelf_id, taken);
    }

    /// Returns the number of draw indices taken from a shelf.
    pub(crate) fn taken(&self, shelf_id: ShelfId) -> i64 {
        self.taken.get(&shelf_id).copied().unwrap_or(0)
    }

    /// Returns the draw indices that hold these positions, without those that are taken. All draw indices whose position
    /// differs from them must be known.
    pub(crate) fn indices_of(&self, positions: &[Position]) -> Vec<DrawIndex> {
        let is_left = |index: &DrawIndex| index.index >= self.taken(index.shelf_id);
        let swapped = self.swaps.iter().filter(|(index, _)| is_left(index));
        let swapped: HashMap<_, _> = swapped.map(|(index, swap)| ((index.shelf_id, swap.position), *index)).collect();
        let index = |&Position { shelf_id, number }: &Position| {
            let own = DrawIndex { shelf_id, index: number };
            let keeps_own = is_left(&own) && !self.swaps.contains_key(&own);
            swapped.get(&(shelf_id, number)).copied().or(keeps_own.then_some(own))
        };
        positions.iter().filter_map(index).collect()
    }

    /// Moves the cursor of a shelf by one, and returns the draw index before the move.
    pub(crate) fn take(&mut self, shelf_id: ShelfId) -> DrawIndex {
        let taken = self.taken.entry(shelf_id).or_insert(0);
        let first = DrawIndex { shelf_id, index: *taken };
        *taken += 1;
        self.moved.insert(shelf_id);
        first
    }

    /// Whether the position at a draw index must be read.
    pub(crate) fn has_to_read(&self, index: DrawIndex) -> bool {
        self.id.is_some() && !self.swaps.contains_key(&index)
    }

    /// Sets the position at a draw index to the value that was read.
    pub(crate) fn set_position(&mut self, index: DrawIndex, position: i64) {
        self.swaps.insert(index, Swap { position, is_stored: true, is_changed: false });
    }

    /// Returns the position at `index`, and replaces it with the position at `first`, the first index not yet taken.
    pub(crate) fn draw(&mut self, index: DrawIndex, first: DrawIndex) -> i64 {
        let position = self.position(index);
        if index != first {
            let moved = self.position(first);
            let swap = self.swaps.entry(index).or_insert(Swap { position: 0, is_stored: false, is_changed: true });
            swap.position = moved;
            swap.is_changed = true;
        }
        position
    }

    fn position(&self, index: DrawIndex) -> i64 {
        self.swaps.get(&index).map_or(index.index, |swap| swap.position)
    }

    /// Whether this write delivers a puzzle with this repeat hash for the first time. Records that it does.
    pub(crate) fn note_repeat_hash(&mut self, repeat_hash: String) -> bool {
        self.repeat_hashes.insert(repeat_hash)
    }

    /// Records that this write delivers a puzzle without a draw index to the audience.
    pub(crate) fn note_held_delivery(&mut self) {
        self.has_held_delivery = true;
    }

    /// Whether the audience needs a row and has none.
    pub(crate) fn lacks_row(&self) -> bool {
        self.id.is_none() && (self.has_held_delivery || !self.moved.is_empty())
    }

    /// The cursors that this write moves.
    pub(crate) fn cursors(&self) -> impl Iterator<Item = (ShelfId, i64)> + '_ {
        self.moved.iter().map(|shelf_id| (*shelf_id, self.taken[shelf_id]))
    }

    /// The draw indices whose positions this write changes.
    pub(crate) fn changed(&self) -> impl Iterator<Item = (DrawIndex, i64)> + '_ {
        let changed = self.swaps.iter().filter(|(index, swap)| swap.is_changed && !self.is_done_with(**index));
        changed.map(|(index, swap)| (*index, swap.position))
    }

    /// The draw indices whose rows are no longer needed.
    pub(crate) fn done_with(&self) -> impl Iterator<Item = DrawIndex> + '_ {
        let stored = self.swaps.iter().filter(|(index, swap)| swap.is_stored && self.is_done_with(**index));
        stored.map(|(index, _)| *index)
    }

    fn is_done_with(&self, index: DrawIndex) -> bool {
        self.taken.get(&index.shelf_id).is_some_and(|taken| index.index < *taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHELF: ShelfId = ShelfId(1);

    fn at(index: i64) -> DrawIndex {
        DrawIndex { shelf_id: SHELF, index }
    }

    #[test]
    fn positions_are_found_at_the_indices_that_hold_them() {
        let mut state = AudienceState::default();
        // Takes index 3 of 0 1 2 3 4 5, then index 5 of _ 1 2 0 4 5: the positions at 2 to 5 are then 2, 0, 4, and 1.
        for index in [3, 5] {
            let first = state.take(SHELF);
            assert_eq!(state.draw(at(index), first), index);
        }
        let positions = [0, 1, 2, 3, 4, 5].map(|number| Position { shelf_id: SHELF, number });
        assert_eq!(state.indices_of(&positions), [3, 5, 2, 4].map(at), "3 and 5 are taken");
        assert_eq!(AudienceState::default().indices_of(&positions), [0, 1, 2, 3, 4, 5].map(at));
    }
}
