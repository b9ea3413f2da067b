//! Direct techniques: a pattern whose eliminations would leave a hidden single. A person sees it at a glance, without pencil
//! marks. Only the single is placed; the eliminations are not made.

use super::{
    candidates::Candidates,
    find::{Find, Outcome, Take, Technique},
    geometry::{DIGITS, FIRST_BOX, Mask, bits, has_several},
    locked::{self, Crossing},
    subsets::{HiddenSet, hidden_sets},
};

/// Pointing that leaves a hidden single in another box.
pub(super) const DIRECT_POINTING: Technique = Technique::new("Direct Pointing", 17);
/// Claiming that leaves a hidden single in a parallel line.
pub(super) const DIRECT_CLAIMING: Technique = Technique::new("Direct Claiming", 19);
/// A hidden pair that leaves a hidden single in its house.
pub(super) const DIRECT_HIDDEN_PAIR: Technique = Technique::new("Direct Hidden Pair", 20);
/// A hidden triplet that leaves a hidden single in its house.
pub(super) const DIRECT_HIDDEN_TRIPLET: Technique = Technique::new("Direct Hidden Triplet", 25);

/// If all places of a digit in a box lie in one line, and removing the digit from the rest of that line leaves one place for it
/// in a second box, the digit goes there, because the line holds it in the first box: Direct Pointing. With box and line
/// exchanged: Direct Claiming.
///
/// On a board with a solution, Direct Pointing always finds what Direct Claiming would find. For example, assume that row 1 has
/// places for 5 only in box 1, and that row 2 has places for 5 in box 1 and one in box 2. Then box 3 has places for 5 only in row
/// 3, so Direct Pointing along row 3 leaves the same single in box 2. Direct Claiming stays, because one function implements
/// both, and because a board may have no solution.
pub(super) fn direct_locked(candidates: &Candidates, take: &mut Take<'_>) -> bool {
    let mut finds = locked::patterns(candidates).filter_map(|(crossing, digit)| {
        let (single_in, place) = single_left(candidates, crossing, digit)?;
        Some(Find {
            technique: if crossing.from < FIRST_BOX { DIRECT_CLAIMING } else { DIRECT_POINTING },
            pattern: locked::pattern(candidates, crossing, digit, Some(single_in)),
            outcome: Outcome::place_in(single_in, place, digit),
        })
    });
    finds.any(take)
}

/// The first house in `crossing.beside` that has exactly one place for the digit outside `crossing.into`, with that place.
fn single_left(candidates: &Candidates, crossing: &Crossing, digit: usize) -> Option<(usize, Mask)> {
    crossing.beside.into_iter().find_map(|(house, shared)| {
        let places = candidates.places(house)[digit];
        let left = places & !shared;
        (has_several(places) && left.is_power_of_two()).then_some((house, left))
    })
}

/// If two digits have the same two places in a house, and this leaves one place in it for a third digit, the third digit goes
/// there, because the two digits fill their cells: Direct Hidden Pair.
pub(super) fn direct_hidden_pair(candidates: &Candidates, take: &mut Take<'_>) -> bool {
    direct_hidden_set(candidates, 2, DIRECT_HIDDEN_PAIR, take)
}

/// If three digits share three places in a house, and this leaves one place in it for a fourth digit, the fourth digit goes
/// there, because the three digits fill their cells: Direct Hidden Triplet.
pub(super) fn direct_hidden_triplet(candidates: &Candidates, take: &mut Take<'_>) -> bool {
    direct_hidden_set(candidates, 3, DIRECT_HIDDEN_TRIPLET, take)
}

fn direct_hidden_set(candidates: &Candidates, size: u32, technique: Technique, take: &mut Take<'_>) -> bool {
    let mut finds = hidden_sets(candidates, size, size + 1).filter_map(|set| {
        let (digit, place) = single_besides(candidates, &set)?;
        Some(Find { technique, pattern: set.pattern(), outcome: Outcome::place_in(set.house, place, digit) })
    });
    finds.any(take)
}

/// The first digit to which the set leaves one place in its house, with that place.
fn single_besides(candidates: &Candidates, set: &HiddenSet) -> Option<(usize, Mask)> {
    let places = candidates.places(set.house);
    let left = |digit: usize| -> Mask { places[digit] & !set.places };
    bits(DIGITS & !set.digits)
        .find(|&digit| has_several(places[digit]) && left(digit).is_power_of_two())
        .map(|digit| (digit, left(digit)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        shared::budget::Budget,
        sudoku::{
            board::Grid,
            techniques::{sentences::sentence, steps::write},
        },
    };

    /// A board without a solution (box 3 has no place for 5), because no other board lets Direct Claiming find anything.
    #[test]
    fn claiming_leaves_a_hidden_single_in_a_parallel_line() {
        let rows = "...123..9 ...46...1 ....78..2 ......5.. ......... ......... .......5. ......... .........";
        let candidates = Candidates::of(&Grid::parse(rows).unwrap()).unwrap();
        let mut found = None;
        assert!(direct_locked(&candidates, &mut |find| found.replace(find).is_none()));
        let step = write(&candidates, &found.unwrap(), &mut Budget::of_nodes(0));
        assert_eq!((step.technique, &step.placed[..]), ("Direct Claiming", &[(14, 5)][..]));
        assert_eq!(
            sentence(&step),
            "In row 1, 5 fits only in r1c1, r1c2 or r1c3, all in box 1, which leaves 5 only r2c6 in row 2, so r2c6 is 5."
        );
    }
}
