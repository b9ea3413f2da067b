//! Draws puzzles at random: a shelf with a probability proportional to its number of positions, then one of its
//! positions uniformly. Also finds the shelves nearest to a filter. Pure functions. Each function reads the list of
//! shelves once, even for many draws.

use super::{
    delivery::{DrawIndex, Left},
    filter::ShelfFilter,
    puzzle::{Position, Shelf, ShelfId},
};
use puzzled_engine::shared::rng::Rng;

/// The maximum number of nearest shelves in an answer.
pub const NEAREST_MAX: usize = 5;

/// Returns the number of puzzles that fit.
pub(crate) fn total(shelves: &[Shelf], filter: &ShelfFilter) -> u64 {
    fitting(shelves, filter).map(live).sum()
}

/// Whether any puzzle fits.
pub(crate) fn has_any(shelves: &[Shelf], filter: &ShelfFilter) -> bool {
    shelves.iter().any(|shelf| live(shelf) > 0 && filter.fits(&shelf.key))
}

/// Draws `count` positions independently; none if no shelf that fits has a puzzle. The caller must drop positions whose
/// puzzles are withdrawn: the others are uniform over all puzzles that fit.
pub(crate) fn positions(shelves: &[Shelf], filter: &ShelfFilter, count: usize, rng: &mut Rng) -> Vec<Position> {
    let (mut ends, mut end, mut puzzles) = (Vec::new(), 0, 0);
    for shelf in fitting(shelves, filter) {
        end += shelf.positions;
        puzzles += live(shelf);
        ends.push((shelf.id, end));
    }
    if puzzles == 0 {
        return Vec::new();
    }
    (0..count).map(|_| position_at(&ends, rng.below(end.unsigned_abs()))).collect()
}

/// Finds the position with a number that is counted across consecutive shelves. `ends` holds the end position of
/// each shelf.
fn position_at(ends: &[(ShelfId, i64)], at: u64) -> Position {
    let at = i64::try_from(at).expect("shelves have fewer than 2^63 positions");
    let shelf = ends.partition_point(|(_, end)| *end <= at);
    let start = shelf.checked_sub(1).map_or(0, |before| ends[before].1);
    Position { shelf_id: ends[shelf].0, number: at - start }
}

/// Returns the shelves that fit, with their numbers of positions.
pub(crate) fn among(shelves: &[Shelf], filter: &ShelfFilter) -> Vec<(ShelfId, i64)> {
    fitting(shelves, filter).map(|shelf| (shelf.id, shelf.positions)).collect()
}

/// Draws one of the indices that an audience has left, all with the same probability; `None` if none is left.
pub(crate) fn draw_index(left: &[Left], rng: &mut Rng) -> Option<DrawIndex> {
    let indices = |left: &Left| (left.positions - left.taken).unsigned_abs();
    let total = left.iter().map(indices).sum();
    if total == 0 {
        return None;
    }
    let mut at = rng.below(total);
    for left in left {
        if at < indices(left) {
            let at = i64::try_from(at).expect("a shelf has fewer than 2^63 indices");
            return Some(DrawIndex { shelf_id: left.shelf_id, index: left.taken + at });
        }
        at -= indices(left);
    }
    None
}

/// Returns the shelves with puzzles of the same kind whose ratings are nearest to those of the filter, nearest first.
pub(crate) fn nearest(shelves: &[Shelf], filter: &ShelfFilter) -> Vec<Shelf> {
    let mut near: Vec<_> = shelves
        .iter()
        .filter(|shelf| live(shelf) > 0 && filter.kind.as_ref().is_none_or(|kind| *kind == shelf.key.kind))
        .collect();
    near.sort_by_key(|shelf| (distance(shelf, filter), shelf.key.clone()));
    near.into_iter().take(NEAREST_MAX).cloned().collect()
}

/// The distance between the rating of a shelf and the wanted ratings, in tenths, on the scale of its variant. If the
/// scale is unknown, the distance is the maximum.
fn distance(shelf: &Shelf, filter: &ShelfFilter) -> u8 {
    let rating = shelf.key.rating.0;
    let wanted = filter.ratings_of(shelf.key.variant_info());
    wanted.map_or(u8::MAX, |(min, max)| min.0.saturating_sub(rating).max(rating.saturating_sub(max.0)))
}

fn fitting<'a>(shelves: &'a [Shelf], filter: &'a ShelfFilter) -> impl Iterator<Item = &'a Shelf> {
    shelves.iter().filter(|shelf| filter.fits(&shelf.key))
}

/// The number of puzzles of a shelf that are in circulation.
pub(crate) fn live(shelf: &Shelf) -> u64 {
    u64::try_from(shelf.positions - shelf.withdrawn).expect("the schema keeps withdrawn within positions")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::stock::puzzle::ShelfKey;
    use puzzled_engine::{shared::level::Tenths, toy::toy_spec};

    fn shelf(id: i64, rating: u8, positions: i64, withdrawn: i64) -> Shelf {
        Shelf { id: ShelfId(id), key: ShelfKey::of(&toy_spec(), Tenths(rating), false), positions, withdrawn }
    }

    #[test]
    fn each_number_maps_to_one_position() {
        let ends = [(ShelfId(1), 2), (ShelfId(2), 2), (ShelfId(3), 5)];
        let positions: Vec<_> =
            (0..5).map(|at| position_at(&ends, at)).map(|position| (position.shelf_id.0, position.number)).collect();
        assert_eq!(positions, [(1, 0), (1, 1), (3, 0), (3, 1), (3, 2)]);
    }

    #[test]
    fn no_puzzle_is_drawn_if_all_that_fit_are_withdrawn() {
        let shelves = [shelf(1, 10, 3, 3), shelf(2, 11, 0, 0)];
        let any = ShelfFilter::ANY;
        assert_eq!(positions(&shelves, &any, 5, &mut Rng::from_seed(1)), []);
        assert!(!has_any(&shelves, &any) && total(&shelves, &any) == 0);
    }

    #[test]
    fn draws_from_a_thousand_shelves_are_uniform_over_those_that_fit() {
        let shelves: Vec<_> = (0..1_000).map(|id| shelf(id, 10 + u8::try_from(id % 2).unwrap(), 1, 0)).collect();
        let difficulty = puzzled_engine::shared::spec::Difficulty::Range { min: Tenths(11), max: Tenths(11) };
        let odd = ShelfFilter { difficulty, ..ShelfFilter::ANY };
        let mut counts = [0_u32; 1_000];
        for position in positions(&shelves, &odd, 50_000, &mut Rng::from_seed(7)) {
            counts[usize::try_from(position.shelf_id.0).unwrap()] += 1;
        }
        assert!(counts.iter().step_by(2).all(|&count| count == 0));
        let odd: f64 = counts.iter().skip(1).step_by(2).map(|&count| (f64::from(count) - 100.0).powi(2) / 100.0).sum();
        // Pearson's chi-squared with 499 degrees of freedom: four standard deviations are 126.
        assert!((odd - 499.0).abs() < 126.0, "{odd}");
    }
}
