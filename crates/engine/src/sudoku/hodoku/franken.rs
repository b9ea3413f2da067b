//! Finds Franken fish of two and three houses, with and without fins: both the base and the cover may contain boxes.

use super::{
    pace::Pace,
    position::Position,
    search::{Fish as Kind, Search},
    simple::first_combination,
    step::Effect,
};
use crate::sudoku::techniques::geometry::{Cells, FIRST_BOX, FIRST_COLUMN, SEEN, cells, gathered};

/// The maximum number of fins of a fish. The search ignores other fish.
const FINS_MAX: u32 = 5;

/// The maximum number of fins that two houses of the base share. The search ignores other fish.
const SHARED_FINS_MAX: u32 = 2;

/// The number of houses in the largest fish.
const SIZE_MAX: usize = 3;

/// A house and its places of the digit.
#[derive(Debug, Clone, Copy, Default)]
struct Set {
    house: usize,
    places: Cells,
}

/// Houses that may be part of the base or the cover.
type Sets = ([Set; 18], usize);

/// If some houses, the base, need a digit in an equal number of other houses, the cover, then each house of the cover has the
/// digit at a place of the base. So the digit can be removed from the rest of the cover, and from places where two houses of
/// the cover cross. If there are fins, it can be removed only from places that all fins see: Franken X-Wing, Swordfish, finned
/// or not.
pub(super) fn franken(search: &Search<'_>, kind: Kind, size: usize, with_fins: bool) -> Option<Effect> {
    search.fish(kind, |position, digit| of_digit(position, &search.pace, digit, (size, with_fins)))
}

fn of_digit(position: &Position, pace: &Pace<'_>, digit: usize, (size, with_fins): (usize, bool)) -> Option<Effect> {
    let (rows, columns) = (0..FIRST_COLUMN, FIRST_COLUMN..FIRST_BOX);
    [(rows.clone(), columns.clone()), (columns, rows)].into_iter().find_map(|(base, cover)| {
        let places_max =
            if with_fins { u32::MAX } else { u32::try_from(size).expect("a fish has at most SIZE_MAX houses") };
        let base = sets(position, digit, base, places_max);
        let cover = sets(position, digit, cover, u32::MAX);
        let found = first_combination(base.1, size, |chosen| {
            if pace.is_cut(1) {
                return Some(None);
            }
            let mut fish =
                Fish { pace, digit, size, with_fins, base: [Set::default(); SIZE_MAX], shared: 0, places: 0 };
            for (at, &number) in chosen.iter().enumerate() {
                let set = base.0[number];
                fish.base[at] = set;
                fish.shared |= fish.places & set.places;
                fish.places |= set.places;
            }
            fish.find(&cover).map(Some)
        });
        found.flatten()
    })
}

/// The lines and then the boxes that have the digit at most `places_max` times.
fn sets(position: &Position, digit: usize, lines: std::ops::Range<usize>, places_max: u32) -> Sets {
    let sets = lines.chain(FIRST_BOX..27).map(|house| Set { house, places: position.places(house, digit) });
    gathered(sets.filter(|set| set.places != 0 && set.places.count_ones() <= places_max))
}

struct Fish<'a> {
    pace: &'a Pace<'a>,
    digit: usize,
    size: usize,
    with_fins: bool,
    base: [Set; SIZE_MAX],
    /// Places that two houses of the base share.
    shared: Cells,
    /// All places of the base.
    places: Cells,
}

impl Fish<'_> {
    fn find(&self, cover: &Sets) -> Option<Effect> {
        let shared_max = if self.with_fins { SHARED_FINS_MAX } else { 0 };
        if self.shared.count_ones() > shared_max {
            return None;
        }
        let is_other = |set: &&Set| self.base[..self.size].iter().all(|base| base.house != set.house);
        let meets_base = |set: &&Set| set.places & self.places != 0;
        let sets = cover.0[..cover.1].iter().filter(is_other).filter(meets_base);
        let (fitting, len) = gathered::<_, 18>(
            sets.map(|&Set { places, .. }| Fitting { places, of_base: (places & self.places).count_ones() }),
        );
        let most = fitting.iter().map(|set| set.of_base).max().unwrap_or(0);
        self.extend(&Cover { fitting: &fitting[..len], most, covered: 0, crossed: 0, left: self.size })
    }

    /// Adds each house that fits to the cover in turn.
    fn extend(&self, cover: &Cover<'_>) -> Option<Effect> {
        let fins = self.places & !cover.covered | self.shared;
        if cover.left == 0 {
            return self.clear(fins, cover);
        }
        if self.pace.is_cut(cover.fitting.len()) {
            return None;
        }
        // A house removes at most as many fins as it has places of the base, and each house after it removes at most
        // `most`.
        let (left, fins_max) = (
            u32::try_from(cover.left).expect("a fish has at most SIZE_MAX houses"),
            if self.with_fins { FINS_MAX } else { 0 },
        );
        let needed = fins.count_ones().saturating_sub(fins_max + (left - 1) * cover.most);
        (1..=cover.fitting.len()).find_map(|next| {
            let Fitting { places, of_base } = cover.fitting[next - 1];
            if of_base < needed {
                return None;
            }
            let (covered, crossed) = (cover.covered | places, cover.crossed | cover.covered & places);
            let fitting = &cover.fitting[next..];
            self.extend(&Cover { fitting, most: cover.most, covered, crossed, left: cover.left - 1 })
        })
    }

    fn clear(&self, fins: Cells, cover: &Cover<'_>) -> Option<Effect> {
        let outside = cover.covered & !self.places;
        if self.with_fins == (fins == 0) {
            return None;
        }
        // Most fish end here, after two or three fins that no place sees together.
        let mut clears = outside | cover.crossed;
        for (fin, count) in cells(fins).zip(1..) {
            clears &= SEEN[fin];
            if clears == 0 || count > FINS_MAX {
                return None;
            }
        }
        let removed = [outside, cover.crossed].into_iter().flat_map(|from| cells(from & clears));
        Effect::remove(removed.map(|cell| (cell, self.digit)))
    }
}

/// A house that may be part of the cover.
#[derive(Debug, Clone, Copy, Default)]
struct Fitting {
    places: Cells,
    /// The number of its places that belong to the base.
    of_base: u32,
}

/// The houses of the cover chosen so far, and those that may be added.
struct Cover<'a> {
    fitting: &'a [Fitting],
    /// The maximum number of places of the base in one house.
    most: u32,
    covered: Cells,
    /// Places that two houses of the cover share.
    crossed: Cells,
    /// The number of houses still to be chosen.
    left: usize,
}
