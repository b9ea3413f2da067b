//! Refutation: removes a candidate, because placing it and then all singles, round by round, leads to a contradiction.

use crate::{
    grid::{
        cells::{Cells, Digits},
        find::{Find, Take, Technique},
        position::Position,
        rounds::{Rounds, Single},
    },
    shared::{level::Tenths, step::Cell},
};

/// The name of the technique, in every ladder.
pub(crate) const REFUTATION: &str = "Refutation";

/// The rating of 1, 2, 3, … rounds. More rounds have the last rating.
const RATINGS: [u8; 9] = [66, 66, 72, 86, 90, 91, 92, 93, 94];

/// The rating of the shortest refutations.
pub(crate) const RATING_MIN: Tenths = Tenths(RATINGS[0]);

/// The rating of the longest refutations.
pub(crate) const RATING_MAX: Tenths = Tenths(RATINGS[RATINGS.len() - 1]);

/// The maximum number of rounds. No known puzzle for people needs more than 14.
pub(super) const ROUNDS_MAX: u8 = 32;

/// If placing a candidate, and then all singles in rounds, leaves a cell without a candidate or a house without a place
/// for a digit, the candidate can be removed: Refutation. Finds only the candidates that need the fewest rounds.
pub(crate) fn refutation(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    let Some((rounds, refuted)) = refuted(position, rounds_max(technique.rating_max)) else { return };
    for (cell, digit) in refuted {
        let taken = take(Find {
            rating: rating(rounds),
            cells: Cells::only(cell),
            digits: Digits::only(digit),
            number: Some(rounds.into()),
            removed: vec![(digit, Cells::only(cell))],
            ..Find::of(technique)
        });
        if taken {
            return;
        }
    }
}

/// The candidates that the fewest rounds refute, with the number of rounds. `None` if none is refuted within the limit.
fn refuted(position: &Position<'_>, limit: u8) -> Option<(u8, Vec<(Cell, u8)>)> {
    let (mut fewest, mut refuted) = (limit, Vec::new());
    for cell in position.open().iter() {
        for digit in position.candidates(cell).iter() {
            let Some(rounds) = rounds(trial(position, (cell, digit)), fewest) else { continue };
            if rounds < fewest {
                fewest = rounds;
                refuted.clear();
            }
            refuted.push((cell, digit));
        }
    }
    (!refuted.is_empty()).then_some((fewest, refuted))
}

/// The rounds that begin with a candidate.
pub(super) fn trial<'r>(position: &Position<'r>, (cell, digit): (Cell, u8)) -> Rounds<'r> {
    Rounds::of(position, vec![Single { cell, digit, house: None }])
}

/// The number of rounds that lead to a contradiction. `None` if more than `limit` are needed, or if there is no contradiction.
fn rounds(mut trial: Rounds<'_>, limit: u8) -> Option<u8> {
    for round in 1..=limit {
        match trial.next() {
            Err(_) => return Some(round),
            Ok(false) => return None,
            Ok(true) => {}
        }
    }
    None
}

/// The number of rounds of a find; 0 if it is no refutation.
pub(super) fn rounds_of(find: &Find) -> u8 {
    let rounds = find.number.filter(|_| find.technique == REFUTATION);
    rounds.and_then(|rounds| u8::try_from(rounds).ok()).unwrap_or(0)
}

fn rating(rounds: u8) -> Tenths {
    Tenths(RATINGS[usize::from(rounds).clamp(1, RATINGS.len()) - 1])
}

/// The maximum number of rounds of a refutation that is rated at most this.
fn rounds_max(rating_max: Tenths) -> u8 {
    (1..=ROUNDS_MAX).rfind(|rounds| rating(*rounds) <= rating_max).unwrap_or(0)
}
