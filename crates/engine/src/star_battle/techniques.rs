//! The techniques of boards whose houses hold several stars. What a house lacks is counted, and at most one of the cells that touch each
//! other, such as a block of 2×2 cells, has a star.

use crate::{
    grid::{
        cells::{Cells, Digits, Houses},
        find::{Find, Take, Technique},
        position::Position,
        rules::House,
    },
    shared::step::Cell,
};

/// The star, as a digit.
const STAR: u8 = 1;

/// If a house has as many places left as it lacks stars, each of them has one: Last Place.
pub(super) fn last_places(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    lacking(position)
        .filter(|lack| lack.places.len() == lack.missing)
        .any(|lack| lack.places.iter().any(|star| take(Find { placed: Some((star, STAR)), ..lack.find(technique) })));
}

/// If a house lacks several stars, and all its places but one touch each other, that one has a star: Last Place beside Block.
pub(super) fn place_beside_block(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    let rules = position.rules();
    lacking(position).any(|lack| {
        let is_needed = |star: &Cell| !rules.has_room(lack.places.without(Cells::only(*star)), lack.missing);
        let needed: Vec<_> = lack.places.iter().filter(is_needed).collect();
        needed.into_iter().any(|star| {
            let secondary_cells = Cells::only(star);
            take(Find { placed: Some((star, STAR)), secondary_cells, ..lack.find(technique) })
        })
    });
}

/// If all places of a house lie in another house that lacks no more stars, the other cells of that house have none: Region in Line and
/// Line in Region. `is_wanted` chooses the first house.
pub(super) fn in_house(
    is_wanted: fn(&House) -> bool,
    technique: &Technique,
    position: &Position<'_>,
    take: &mut Take<'_>,
) {
    let rules = position.rules();
    lacking(position).filter(|lack| is_wanted(&rules.houses[lack.house])).any(|lack| {
        lacking(position).any(|cover| {
            let removed = cover.places.without(lack.places);
            let is_cover = lack.house != cover.house && lack.missing == cover.missing;
            is_cover
                && lack.places.is_within(cover.places)
                && !removed.is_empty()
                && take(Find {
                    cover_houses: Houses::only(cover.house),
                    removed: vec![(STAR, removed)],
                    ..lack.find(technique)
                })
        })
    });
}

/// If a star in a cell would leave a house fewer places than it lacks stars, the cell has none: Exclusion.
pub(super) fn exclusion(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    each_exclusion(&|left| left.places.len() < left.missing, technique, position, take);
}

/// If a star in a cell would leave a house places that touch each other so that they cannot have as many stars as it lacks, the cell has
/// none: Exclusion by Block.
pub(super) fn block_exclusion(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    let fails = |left: &Lack| !position.rules().has_room(left.places, left.missing);
    each_exclusion(&fails, technique, position, take);
}

/// Takes each cell with each house that fails after a star in the cell, which excludes places of the house. The cells of the find are the
/// other places of the house, and the secondary cells are those that are left.
fn each_exclusion(fails: &dyn Fn(&Lack) -> bool, technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    let (rules, all) = (position.rules(), lacking(position).collect::<Vec<_>>());
    let held = rules.all.without(position.open());
    for star in position.places(STAR).iter() {
        let only = Cells::only(star);
        let excluded = rules.excluded(star, held.or(only)).or(only);
        for lack in all.iter().filter(|lack| lack.places.without(only).meets(excluded)) {
            let missing = lack.missing - usize::from(lack.places.contains(star));
            let left = Lack { places: lack.places.without(excluded), missing, ..*lack };
            if fails(&left) && take(excluding(star, lack, &left, technique, position)) {
                return;
            }
        }
    }
}

/// The find that a cell has no star, because the star would leave a house too little of what it lacks.
fn excluding(star: Cell, lack: &Lack, left: &Lack, technique: &Technique, position: &Position<'_>) -> Find {
    let (rules, only) = (position.rules(), Cells::only(star));
    let places = lack.places.without(only);
    // The star excludes the places that it touches, and those in houses that then have all their stars.
    let beyond = places.without(rules.peers[usize::from(star)]);
    let is_filled = |house: &usize| position.missing(*house) == 1 && rules.houses[*house].cells.meets(beyond);
    let filled = rules.houses_of[usize::from(star)].iter().filter(|house| *house != lack.house && is_filled(house));
    Find {
        cells: places,
        secondary_cells: left.places,
        cover_houses: filled.collect(),
        removed: vec![(STAR, only)],
        ..left.find(technique)
    }
}

/// If all places of some houses of one type lie in houses of another type that lack as many stars together, the other cells of these
/// houses have none: Counting. `size` is the number of houses of the type with more of them.
pub(super) fn counting(size: usize, technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    let all: Vec<_> = lacking(position).collect();
    let is_of = |lack: &&Lack, house: &House| position.rules().houses[lack.house].house_type == house.house_type;
    let mut types: Vec<&House> = position.rules().houses.iter().collect();
    types.dedup_by_key(|house| house.house_type);
    for [base, cover] in types.iter().flat_map(|base| types.iter().map(move |cover| [*base, *cover])) {
        if base == cover {
            continue;
        }
        let [base, cover] = [base, cover].map(|house| all.iter().filter(|lack| is_of(lack, house)).collect::<Vec<_>>());
        let search = Counting { position, base: &base, cover: &cover, size, technique };
        if search.choose(0, Chosen::default(), take) {
            return;
        }
    }
}

struct Counting<'c> {
    position: &'c Position<'c>,
    base: &'c [&'c Lack],
    cover: &'c [&'c Lack],
    size: usize,
    technique: &'c Technique,
}

/// Some base houses, and the cover houses of their places.
#[derive(Clone, Copy, Default)]
struct Chosen {
    base: Houses,
    cover: Houses,
    /// The number of base houses, and the stars that they lack.
    counts: [usize; 2],
    places: Cells,
}

impl Counting<'_> {
    /// Extends a choice of base houses by those from this index on. Returns whether a find was taken.
    fn choose(&self, from: usize, chosen: Chosen, take: &mut Take<'_>) -> bool {
        (from..self.base.len()).any(|at| {
            let lack = self.base[at];
            let places = chosen.places.or(lack.places);
            let covers = self.cover.iter().filter(|cover| cover.places.meets(places));
            let next = Chosen {
                base: chosen.base.or(Houses::only(lack.house)),
                cover: covers.clone().map(|cover| cover.house).collect(),
                counts: [chosen.counts[0] + 1, chosen.counts[1] + lack.missing],
                places,
            };
            let (count, missing) = (covers.clone().count(), covers.map(|cover| cover.missing).sum::<usize>());
            if count > self.size {
                return false;
            }
            let is_counted = missing == next.counts[1] && count.max(next.counts[0]) == self.size;
            is_counted && self.offer(next, take) || next.counts[0] < self.size && self.choose(at + 1, next, take)
        })
    }

    fn offer(&self, chosen: Chosen, take: &mut Take<'_>) -> bool {
        let in_cover = self.position.places(STAR).and(self.position.rules().cells_of(chosen.cover));
        let removed = in_cover.without(chosen.places);
        !removed.is_empty()
            && take(Find {
                cells: chosen.places,
                digits: Digits::only(STAR),
                houses: chosen.base,
                cover_houses: chosen.cover,
                number: i32::try_from(chosen.counts[1]).ok(),
                removed: vec![(STAR, removed)],
                ..Find::of(self.technique)
            })
    }
}

/// A house that lacks stars.
struct Lack {
    /// Its index in the rules.
    house: usize,
    missing: usize,
    places: Cells,
}

impl Lack {
    /// A find whose pattern is the house with its places.
    fn find(&self, technique: &Technique) -> Find {
        Find {
            cells: self.places,
            digits: Digits::only(STAR),
            houses: Houses::only(self.house),
            number: i32::try_from(self.missing).ok(),
            ..Find::of(technique)
        }
    }
}

/// The houses that lack stars, in the order of the rules. A house with fewer places than that, as boards without a solution have, is left
/// out: nothing follows from its places.
fn lacking(position: &Position<'_>) -> impl Iterator<Item = Lack> {
    let lack = |house| Lack { house, missing: position.missing(house), places: position.places_in(house, STAR) };
    (0..position.rules().houses.len()).map(lack).filter(|lack| (1..=lack.places.len()).contains(&lack.missing))
}
