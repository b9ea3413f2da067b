//! The techniques of the grid layer. Each finds all its applications to a position, and a kind composes its ladder of them.

pub(crate) mod cages;
pub(crate) mod find;
mod fish;
pub(crate) mod ladder;
mod locked;
mod refutation;
pub(crate) mod sentences;
mod sets;
pub(crate) mod sightlines;
pub(crate) mod signs;
mod singles;
mod steps;
mod trace;
mod wings;

pub(crate) use fish::fish;
pub(crate) use locked::{direct_exclusion, direct_seen_by_all, exclusion, seen_by_all, seen_in_house};
pub(crate) use sets::{direct_hidden_set, hidden_set, naked_set, seen_pair};
pub(crate) use singles::{hidden_single, last_cell, naked_single};
pub(crate) use steps::write;
pub(crate) use wings::wing;

use super::{
    find::{Take, Technique},
    position::Position,
    rules::House,
};
use crate::shared::{level::Tenths, step::Step};
use refutation::{RATING_MAX, RATING_MIN, REFUTATION, refutation};

/// The ladder of kinds whose cells all hold digits. Except for refutations, its ratings are those of Sudoku
/// Explainer.
pub(crate) const LADDER: &[Technique; 22] = &ladder([
    rung("Last Cell", 10, last_cell, sentences::last_cell),
    rung("Hidden Single in Box", 12, |t, p, take| hidden_single(House::is_area, t, p, take), sentences::hidden_single),
    rung("Hidden Single in Line", 15, |t, p, take| hidden_single(no_area, t, p, take), sentences::hidden_single),
    rung("Direct Pointing", 17, |t, p, take| direct_seen_by_all(House::is_area, t, p, take), sentences::seen_by_all),
    rung("Direct Claiming", 19, |t, p, take| direct_seen_by_all(no_area, t, p, take), sentences::seen_by_all),
    rung("Direct Hidden Pair", 20, |t, p, take| direct_hidden_set(2, t, p, take), sentences::hidden_set),
    rung("Naked Single", 23, naked_single, sentences::naked_single),
    rung("Direct Hidden Triplet", 25, |t, p, take| direct_hidden_set(3, t, p, take), sentences::hidden_set),
    rung("Pointing", 26, |t, p, take| seen_by_all(House::is_area, t, p, take), sentences::seen_by_all),
    rung("Claiming", 28, |t, p, take| seen_by_all(no_area, t, p, take), sentences::seen_by_all),
]);

/// The techniques that most ladders share. Their ratings are those of Sudoku Explainer.
const COMMON: [Technique; 11] = [
    rung("Naked Pair", 30, |t, p, take| naked_set(2, t, p, take), sentences::naked_set),
    rung("X-Wing", 32, |t, p, take| fish(2, t, p, take), sentences::fish),
    rung("Hidden Pair", 34, |t, p, take| hidden_set(2, t, p, take), sentences::hidden_set),
    rung("Naked Triplet", 36, |t, p, take| naked_set(3, t, p, take), sentences::naked_set),
    rung("Swordfish", 38, |t, p, take| fish(3, t, p, take), sentences::fish),
    rung("Hidden Triplet", 40, |t, p, take| hidden_set(3, t, p, take), sentences::hidden_set),
    rung("XY-Wing", 42, |t, p, take| wing(2, t, p, take), sentences::wing),
    rung("XYZ-Wing", 44, |t, p, take| wing(3, t, p, take), sentences::wing),
    rung("Naked Quad", 50, |t, p, take| naked_set(4, t, p, take), sentences::naked_set),
    rung("Jellyfish", 52, |t, p, take| fish(4, t, p, take), sentences::fish),
    rung("Hidden Quad", 54, |t, p, take| hidden_set(4, t, p, take), sentences::hidden_set),
];

/// A ladder: the techniques of a kind alone, then as many of the common ones as there is space for, and last the refutations.
pub(crate) const fn ladder<const OWN: usize, const ALL: usize>(own: [Technique; OWN]) -> [Technique; ALL] {
    let mut ladder = [REFUTATIONS; ALL];
    let (first, others) = ladder.split_at_mut(OWN);
    first.copy_from_slice(&own);
    let (common, _) = others.split_at_mut(ALL - OWN - 1);
    common.copy_from_slice(COMMON.split_at(common.len()).0);
    ladder
}

/// The last rung of every ladder.
pub(crate) const REFUTATIONS: Technique = Technique {
    name: REFUTATION,
    rating: RATING_MIN,
    rating_max: RATING_MAX,
    find: refutation,
    sentence: sentences::refutation,
};

/// A technique whose steps all have the same rating.
pub(crate) const fn rung(
    name: &'static str,
    tenths: u8,
    find: fn(&Technique, &Position<'_>, &mut Take<'_>),
    sentence: fn(&Step) -> String,
) -> Technique {
    Technique { name, rating: Tenths(tenths), rating_max: Tenths(tenths), find, sentence }
}

pub(crate) fn no_area(house: &House) -> bool {
    !house.is_area()
}

#[cfg(test)]
mod tests {
    use super::{LADDER, REFUTATIONS, fish, hidden_single, ladder::climb, rung, seen_by_all, sentences};
    use crate::{
        grid::{
            cells::Cells,
            find::Technique,
            position::Position,
            puzzle::Puzzle,
            rate::reasoned,
            rules::Rules,
            variant::{Areas, Content, GridVariant, Group},
        },
        shared::{budget::Budget, level::Tenths, text::Reasoned},
        sudoku::sizes::SIZES,
    };

    /// The techniques of Sudoku Explainer that the ladder lacks.
    const UNKNOWN: [&str; 4] = ["Unique", "BUG", "Aligned", "Cycle"];

    #[test]
    fn reference_ratings_of_9x9_are_met_by_97_percent() {
        let variant = Box::leak(Box::new(GridVariant { extra: &[], ..*SIZES.variant("9x9-x").unwrap() }));
        let lines = include_str!("../../../tests/data/sudoku_ratings.csv").lines().skip(1);
        let (mut known, mut differing) = (0, Vec::new());
        for fields in lines.map(|line| line.split(',').collect::<Vec<_>>()) {
            let tenths: u8 = fields[3].replace('.', "").parse().unwrap();
            if tenths >= 66 || UNKNOWN.iter().any(|name| fields[6].contains(name)) {
                continue;
            }
            let digits: Vec<u8> = fields[0].bytes().map(|sign| sign - b'0').collect();
            let rules = Rules::with(variant, &[]);
            let rated = climb(&mut Position::of(&rules, digits.as_slice()).unwrap(), LADDER, Tenths::MAX);
            known += 1;
            if rated.rating != Tenths(tenths) {
                differing
                    .push(format!("{} {} {}: {} {}", fields[0], fields[3], fields[6], rated.rating, rated.technique));
            }
        }
        println!("{} of {known} puzzles differ:\n{}", differing.len(), differing.join("\n"));
        assert!(known > 1_000 && differing.len() * 100 <= 3 * known);
    }

    #[test]
    fn stars_are_found_by_the_same_functions() {
        let ladder: &'static [Technique] = Box::leak(Box::new([
            rung("Single", 10, |t, p, take| hidden_single(|_| true, t, p, take), sentences::hidden_single),
            rung("Seen", 15, |t, p, take| seen_by_all(|_| true, t, p, take), sentences::seen_by_all),
            rung("Two Lines", 30, |t, p, take| fish(2, t, p, take), sentences::fish),
            REFUTATIONS,
        ]));
        let (areas, content, group) = (Areas::Regions, Content::Stars(1), Group::Turns);
        let variant = &*Box::leak(Box::new(GridVariant {
            name: "stars",
            areas,
            content,
            apart: true,
            group,
            ladder,
            ..*SIZES.variant("4x4").unwrap()
        }));
        let regions = b"aabbccbbccbdcddd".map(|letter| letter - b'a').to_vec();
        let puzzle = Puzzle::new(variant, vec![0; 16], regions);
        let Reasoned { steps, record } = reasoned(&puzzle, &mut Budget::of_nodes(0));
        let stars: Vec<_> = steps.iter().flat_map(|step| &step.placed).map(|(cell, _)| *cell).collect();
        assert_eq!(Cells::from_iter(stars), [1, 7, 8, 14].into_iter().collect(), "{steps:?}");
        assert_eq!(record.unwrap().rating, Tenths(15));
    }
}
