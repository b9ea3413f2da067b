//! Rule: draws puzzles at random from the shelves that fit a filter, and finds the puzzles nearest to a filter. Pure functions.
//! A [`FittingShelves`] is the list of the shelves that fit. All draws with the filter use it until the counts are read again.

use std::collections::BTreeMap;

use crate::stock::{
    filter::ShelfFilter,
    puzzle::{Position, Shelf, ShelfId},
};
use puzzled_engine::shared::{level::Tenths, rng::Rng, symmetry::Symmetry};

/// The maximum number of entries of [`nearest`].
pub(crate) const NEAREST_MAX: usize = 5;

/// The maximum number of draws that [`FittingShelves::index`] makes before it counts the indices left on each shelf. If the audience has
/// half of its indices left, one call in a million counts them.
const INDICES_MAX: usize = 20;

/// The shelves that fit a filter and have puzzles, at one reading of the counts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FittingShelves {
    shelves: Vec<ShelfRange>,
    positions: i64,
}

/// A fitting shelf, with the running totals at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ShelfRange {
    id: ShelfId,
    /// The number of positions on this shelf and those before it.
    end: i64,
    /// The number of puzzles in circulation on this shelf and those before it.
    live_end: u64,
}

/// An index into the random order in which one audience gets the puzzles of a shelf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DrawIndex {
    /// The shelf to draw from.
    pub shelf_id: ShelfId,
    /// Counted from 0.
    pub index: i64,
}

impl FittingShelves {
    /// The choice for a filter.
    #[must_use]
    pub fn of(shelves: &[Shelf], filter: &ShelfFilter) -> Self {
        let (mut choice, mut end, mut live_end) = (Self::default(), 0, 0);
        for shelf in shelves.iter().filter(|shelf| filter.fits(&shelf.key)) {
            choice.positions += shelf.positions;
            if shelf.live() > 0 {
                end += shelf.positions;
                live_end += shelf.live();
                choice.shelves.push(ShelfRange { id: shelf.id, end, live_end });
            }
        }
        choice
    }

    /// The number of puzzles in circulation.
    #[must_use]
    pub fn live(&self) -> u64 {
        self.shelves.last().map_or(0, |last| last.live_end)
    }

    /// The number of positions, also of shelves without a puzzle. It rises with each puzzle that is
    /// stored in circulation or released, and never falls.
    #[must_use]
    pub fn positions(&self) -> i64 {
        self.positions
    }

    /// The shelves that have puzzles.
    pub(crate) fn shelf_ids(&self) -> impl Iterator<Item = ShelfId> + '_ {
        self.shelves.iter().map(|shelf| shelf.id)
    }

    /// Draws `count` positions independently; none if there is no puzzle. The caller must drop positions whose puzzles are
    /// gone: the others are uniform over all puzzles that were counted. All positions have the same weight, also those without
    /// a puzzle, so puzzles that left after the count change nothing.
    pub(crate) fn draw(&self, count: usize, rng: &mut Rng) -> Vec<Position> {
        if self.shelves.is_empty() {
            return Vec::new();
        }
        (0..count).map(|_| self.any_position(rng)).collect()
    }

    fn any_position(&self, rng: &mut Rng) -> Position {
        let end = self.shelves.last().map_or(0, |last| last.end);
        let at = i64::try_from(rng.below(end.unsigned_abs())).expect("shelves have fewer than 2^63 positions");
        let place = self.shelves.partition_point(|shelf| shelf.end <= at);
        Position { shelf_id: self.shelves[place].id, number: at - self.start(place) }
    }

    /// The number of positions before the first one of the shelf at a place.
    fn start(&self, place: usize) -> i64 {
        place.checked_sub(1).map_or(0, |before| self.shelves[before].end)
    }

    /// Draws one of the puzzles: its shelf, and its number among the puzzles in circulation there, from 0. Uniform if the
    /// counts are current.
    pub(crate) fn draw_live(&self, rng: &mut Rng) -> Option<(ShelfId, u64)> {
        let live = self.live();
        let at = (live > 0).then(|| rng.below(live))?;
        let place = self.shelves.partition_point(|shelf| shelf.live_end <= at);
        let start = place.checked_sub(1).map_or(0, |before| self.shelves[before].live_end);
        Some((self.shelves[place].id, at - start))
    }

    /// Draws one of the indices that an audience has left, all with the same probability; `None` if none is left. `taken`
    /// is the number of indices that the audience has taken from a shelf.
    pub(crate) fn index(&self, taken: impl Fn(ShelfId) -> i64, rng: &mut Rng) -> Option<DrawIndex> {
        if self.shelves.is_empty() {
            return None;
        }
        for _ in 0..INDICES_MAX {
            let Position { shelf_id, number: index } = self.any_position(rng);
            if index >= taken(shelf_id) {
                return Some(DrawIndex { shelf_id, index });
            }
        }
        self.index_of_few(taken, rng)
    }

    /// As [`Self::index`], but counts the indices left on each shelf.
    fn index_of_few(&self, taken: impl Fn(ShelfId) -> i64, rng: &mut Rng) -> Option<DrawIndex> {
        let left = |place: usize| {
            let taken = taken(self.shelves[place].id);
            (taken, (self.shelves[place].end - self.start(place) - taken).max(0).unsigned_abs())
        };
        let all: Vec<_> = (0..self.shelves.len()).map(left).collect();
        let total = all.iter().map(|(_, left)| left).sum();
        let mut at = if total == 0 { return None } else { rng.below(total) };
        for (shelf, (taken, left)) in self.shelves.iter().zip(all) {
            if at < left {
                let at = i64::try_from(at).expect("a shelf has fewer than 2^63 indices");
                return Some(DrawIndex { shelf_id: shelf.id, index: taken + at });
            }
            at -= left;
        }
        None
    }
}

/// Returns the number of puzzles that fit.
pub(crate) fn total(shelves: &[Shelf], filter: &ShelfFilter) -> u64 {
    shelves.iter().filter(|shelf| filter.fits(&shelf.key)).map(Shelf::live).sum()
}

/// Whether a page needs no more rows by shelf than by ID. By shelf, up to `limit` puzzles of each fitting shelf are read. By ID,
/// all puzzles are read until `limit` of them fit. Assumes that the puzzles of all shelves are mixed.
pub(crate) fn is_read_by_shelf(fitting: &[&Shelf], all: &[Shelf], limit: u32) -> bool {
    let positions = |shelf: &Shelf| i128::from(shelf.positions);
    let limit = i128::from(limit);
    let by_shelf: i128 = fitting.iter().map(|shelf| positions(shelf).min(limit)).sum();
    let (of_fitting, of_all): (i128, i128) =
        (fitting.iter().map(|shelf| positions(shelf)).sum(), all.iter().map(positions).sum());
    by_shelf * of_fitting <= limit * of_all
}

/// An entry of `nearest`: puzzles in stock that agree in these properties.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearest {
    /// The kind.
    pub kind: String,
    /// The variant.
    pub variant: String,
    /// The rating.
    pub rating: Tenths,
    /// The number of givens; `None` if the variant does not have this criterion.
    pub givens: Option<u16>,
    /// The symmetry with which they were made, if the filter states one.
    pub symmetry: Option<Symmetry>,
    /// The hardest technique, if the filter states one.
    pub technique: Option<String>,
    /// The number of puzzles, from 1.
    pub count: u64,
}

/// Returns the puzzles nearest to a filter by rating, then by givens, then by the number of its other criteria that they do
/// not meet. If the filter names a kind, only puzzles of this kind.
pub(crate) fn nearest(shelves: &[Shelf], filter: &ShelfFilter) -> Vec<Nearest> {
    let mut counts = BTreeMap::<_, u64>::new();
    let is_near = |shelf: &&Shelf| shelf.live() > 0 && filter.kind.as_ref().is_none_or(|kind| *kind == shelf.key.kind);
    for shelf in shelves.iter().filter(is_near) {
        let key = &shelf.key;
        let symmetry = filter.symmetry.map(|_| key.symmetry);
        let technique = filter.technique.as_ref().map(|_| &key.technique);
        let place = (distance(shelf, filter), &key.kind, &key.variant, key.rating, key.givens, symmetry, technique);
        *counts.entry(place).or_default() += shelf.live();
    }
    let nearest = counts.into_iter().take(NEAREST_MAX);
    let nearest = nearest.map(|((_, kind, variant, rating, givens, symmetry, technique), count)| Nearest {
        kind: kind.clone(),
        variant: variant.clone(),
        rating,
        givens: Some(givens).filter(|&givens| givens > 0),
        symmetry,
        technique: technique.cloned(),
        count,
    });
    nearest.collect()
}

/// How far a shelf is from a filter: in tenths of a rating on the scale of its variant, in givens, and in the number of other
/// criteria that it does not meet. If the scale is unknown, the distance is the maximum.
fn distance(shelf: &Shelf, filter: &ShelfFilter) -> (u8, u16, usize) {
    let key = &shelf.key;
    let info = key.variant_info();
    let tenths = filter
        .ratings_of(info)
        .map_or(u8::MAX, |(min, max)| min.0.saturating_sub(key.rating.0).max(key.rating.0.saturating_sub(max.0)));
    let givens = filter
        .givens_of(info, key.rating)
        .map_or(u16::MAX, |wanted| wanted.min.saturating_sub(key.givens).max(key.givens.saturating_sub(wanted.max)));
    let unmet = [
        !filter.variant.fits(key),
        !filter.fits_symmetry(key.symmetry),
        filter.technique.as_ref().is_some_and(|technique| *technique != key.technique),
    ];
    (tenths, givens, unmet.into_iter().filter(|unmet| *unmet).count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stock::{criterion::GivensFilter, puzzle::ShelfKey};
    use puzzled_engine::{shared::spec::Difficulty, toy::toy_spec};

    fn shelf(id: i64, rating: u8, positions: i64, empty: i64) -> Shelf {
        Shelf { id: ShelfId(id), key: ShelfKey::of(&toy_spec(), Tenths(rating), "", 0), positions, empty }
    }

    fn rated(rating: u8) -> ShelfFilter {
        ShelfFilter { difficulty: Difficulty::Range { min: Tenths(rating), max: Tenths(rating) }, ..ShelfFilter::ANY }
    }

    /// Pearson's chi-squared: fails if it is four standard deviations off.
    fn must_be_uniform(counts: &[u32]) {
        let draws: u32 = counts.iter().sum();
        let cells = f64::from(u32::try_from(counts.len()).unwrap());
        let expected = f64::from(draws) / cells;
        let chi_squared: f64 = counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
        let freedom = cells - 1.0;
        assert!((chi_squared - freedom).abs() < 4.0 * (2.0 * freedom).sqrt(), "{chi_squared} of {freedom}");
    }

    #[test]
    fn shelves_without_a_puzzle_are_skipped() {
        let shelves = [shelf(1, 10, 3, 3), shelf(2, 11, 0, 0), shelf(3, 12, 2, 1)];
        let all = FittingShelves::of(&shelves, &ShelfFilter::ANY);
        assert_eq!((all.live(), all.positions(), all.shelf_ids().collect::<Vec<_>>()), (1, 5, vec![ShelfId(3)]));
        let none = FittingShelves::of(&shelves[..2], &ShelfFilter::ANY);
        let rng = &mut Rng::from_seed(1);
        assert_eq!((none.draw(5, rng), none.draw_live(rng), none.index(|_| 0, rng)), (vec![], None, None));
        assert_eq!((none.live(), none.positions(), total(&shelves, &ShelfFilter::ANY)), (0, 3, 1));
    }

    #[test]
    fn draws_from_a_thousand_shelves_are_uniform_over_those_that_fit() {
        let shelves: Vec<_> = (0..1_000).map(|id| shelf(id, 10 + u8::try_from(id % 2).unwrap(), 1, 0)).collect();
        let mut counts = [0_u32; 1_000];
        for position in FittingShelves::of(&shelves, &rated(11)).draw(50_000, &mut Rng::from_seed(7)) {
            counts[usize::try_from(position.shelf_id.0).unwrap()] += 1;
        }
        let (even, odd): (Vec<_>, Vec<_>) = counts.chunks(2).map(|pair| (pair[0], pair[1])).unzip();
        assert!(even.into_iter().all(|count| count == 0));
        must_be_uniform(&odd);
    }

    #[test]
    fn puzzles_are_drawn_uniformly_however_few_a_shelf_has() {
        let shelves = [shelf(0, 10, 100, 99), shelf(1, 10, 3, 0), shelf(2, 10, 50, 44)];
        let choice = FittingShelves::of(&shelves, &ShelfFilter::ANY);
        let mut counts = [0_u32; 10];
        let rng = &mut Rng::from_seed(3);
        for _ in 0..20_000 {
            let (shelf_id, nth) = choice.draw_live(rng).unwrap();
            counts[[0, 1, 4][usize::try_from(shelf_id.0).unwrap()] + usize::try_from(nth).unwrap()] += 1;
        }
        must_be_uniform(&counts);
    }

    #[test]
    fn indices_left_are_drawn_uniformly_whatever_share_is_left() {
        let shelves = [shelf(0, 10, 4, 0), shelf(1, 10, 1_000, 0), shelf(2, 10, 2, 1)];
        let choice = FittingShelves::of(&shelves, &ShelfFilter::ANY);
        // The last of each is the one in which nearly every draw finds a taken index.
        for taken in [[0, 990, 0], [3, 0, 1], [1, 1_000, 2], [2, 1_000, 0]] {
            let all: Vec<_> = (0..3).flat_map(|id| (taken[id]..[4, 1_000, 2][id]).map(move |at| (id, at))).collect();
            let mut counts = vec![0_u32; all.len()];
            let rng = &mut Rng::from_seed(5);
            for _ in 0..40_000 {
                let of = |id: ShelfId| taken[usize::try_from(id.0).unwrap()];
                let DrawIndex { shelf_id, index } = choice.index(of, rng).unwrap();
                let drawn = (usize::try_from(shelf_id.0).unwrap(), index);
                counts[all.iter().position(|one| *one == drawn).unwrap()] += 1;
            }
            must_be_uniform(&counts);
        }
        assert_eq!(choice.index(|_| 1_000, &mut Rng::from_seed(5)), None);
    }

    #[test]
    fn rare_puzzles_are_read_by_shelf_and_most_of_the_stock_by_id() {
        let all: Vec<_> = (0..1_000).map(|id| shelf(id, 10, 100, 0)).collect();
        for (count, limit, by_shelf) in
            [(0, 100, true), (1, 100, true), (30, 100, true), (40, 100, false), (1_000, 100, false), (1_000, 10, false)]
        {
            let fitting: Vec<_> = all.iter().take(count).collect();
            assert_eq!(is_read_by_shelf(&fitting, &all, limit), by_shelf, "{count} {limit}");
        }
        let one = [shelf(1, 10, 1_000_000, 0)];
        assert!(is_read_by_shelf(&[&one[0]], &one, 100), "both read as many");
    }

    #[test]
    fn nearest_is_by_rating_then_by_givens_and_sums_equal_shelves() {
        let spec =
            puzzled_engine::shared::spec::Spec { kind: "sudoku".to_owned(), variant: "9x9".to_owned(), ..toy_spec() };
        let at = |id, rating, technique: &str, givens, positions| Shelf {
            key: ShelfKey::of(&spec, Tenths(rating), technique, givens),
            ..shelf(id, rating, positions, 0)
        };
        let shelves = [
            at(1, 28, "X-Wing", 25, 10),
            at(2, 28, "Swordfish", 25, 4),
            at(3, 28, "X-Wing", 27, 9),
            at(4, 45, "X-Wing", 23, 9),
            at(5, 40, "X-Wing", 24, 0),
        ];
        let filter = ShelfFilter {
            difficulty: Difficulty::Range { min: Tenths(26), max: Tenths(40) },
            givens: GivensFilter::Within { min: Some(22), max: Some(24) },
            ..ShelfFilter::ANY
        };
        let found = |filter: &ShelfFilter| -> Vec<_> {
            let told = |near: Nearest| (near.rating.0, near.givens, near.technique, near.count);
            nearest(&shelves, filter).into_iter().map(told).collect()
        };
        let wanted = [(28, Some(25), None, 14), (28, Some(27), None, 9), (45, Some(23), None, 9)];
        assert_eq!(found(&filter), wanted);
        let swordfish = ShelfFilter { technique: Some("Swordfish".to_owned()), ..filter };
        assert_eq!(found(&swordfish)[0], (28, Some(25), Some("Swordfish".to_owned()), 4));
    }
}
