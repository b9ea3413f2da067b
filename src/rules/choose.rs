//! The choice of places: a shelf by its number of puzzles, then a position uniformly. Pure.

use super::{
    delivery::{Left, Slot},
    puzzle::{Place, Shelf, ShelfFilter, ShelfId},
};
use puzzled_engine::rng::Rng;

/// Most shelves that are named as near ones.
pub const NEAREST_MAX: usize = 5;

/// Number of puzzles that fit.
pub(crate) fn total(shelves: &[Shelf], filter: &ShelfFilter) -> u64 {
    fitting(shelves, filter).map(live).sum()
}

/// `wanted` places, drawn independently; none if no shelf that fits has a puzzle. A place may turn out to be withdrawn,
/// and is then to be thrown away: what is left is uniform over all puzzles that fit.
pub(crate) fn places(shelves: &[Shelf], filter: &ShelfFilter, wanted: usize, rng: &mut Rng) -> Vec<Place> {
    if total(shelves, filter) == 0 {
        return Vec::new();
    }
    let positions: u64 = fitting(shelves, filter).map(|shelf| shelf.positions.unsigned_abs()).sum();
    (0..wanted).filter_map(|_| place_at(shelves, filter, rng.below(positions))).collect()
}

fn place_at(shelves: &[Shelf], filter: &ShelfFilter, at: u64) -> Option<Place> {
    let mut left = i64::try_from(at).expect("shelves have fewer than 2^63 positions");
    for shelf in fitting(shelves, filter) {
        if left < shelf.positions {
            return Some(Place { shelf_id: shelf.id, position: left });
        }
        left -= shelf.positions;
    }
    None
}

/// The shelves that fit, with their positions.
pub(crate) fn among(shelves: &[Shelf], filter: &ShelfFilter) -> Vec<(ShelfId, i64)> {
    fitting(shelves, filter).map(|shelf| (shelf.id, shelf.positions)).collect()
}

/// A slot of those that an audience has left, each with the same chance; none if nothing is left.
pub(crate) fn slot(left: &[Left], rng: &mut Rng) -> Option<Slot> {
    let slots = |left: &Left| (left.positions - left.taken).unsigned_abs();
    let total = left.iter().map(slots).sum();
    if total == 0 {
        return None;
    }
    let mut at = rng.below(total);
    for left in left {
        if at < slots(left) {
            let at = i64::try_from(at).expect("a shelf has fewer than 2^63 slots");
            return Some(Slot { shelf_id: left.shelf_id, slot: left.taken + at });
        }
        at -= slots(left);
    }
    None
}

/// The filled shelves of the same kind whose ratings are nearest to the filter's, nearest first.
pub(crate) fn nearest(shelves: &[Shelf], filter: &ShelfFilter) -> Vec<Shelf> {
    let mut near: Vec<_> = shelves
        .iter()
        .filter(|shelf| live(shelf) > 0 && filter.kind.as_ref().is_none_or(|kind| *kind == shelf.key.kind))
        .collect();
    near.sort_by_key(|shelf| (distance(shelf, filter), shelf.key.clone()));
    near.into_iter().take(NEAREST_MAX).cloned().collect()
}

fn distance(shelf: &Shelf, filter: &ShelfFilter) -> u8 {
    let rating = shelf.key.rating.0;
    filter.rating_min.0.saturating_sub(rating).max(rating.saturating_sub(filter.rating_max.0))
}

fn fitting<'a>(shelves: &'a [Shelf], filter: &'a ShelfFilter) -> impl Iterator<Item = &'a Shelf> {
    shelves.iter().filter(|shelf| filter.fits(&shelf.key))
}

/// Puzzles of a shelf that are in circulation.
pub(crate) fn live(shelf: &Shelf) -> u64 {
    u64::try_from(shelf.positions - shelf.withdrawn).expect("the schema keeps withdrawn within positions")
}
