//! Rule: the puzzles that an audience has had elsewhere: how a caller names them, what the stock knows of them, and which of them are
//! new to the audience.

use std::collections::{HashMap, HashSet};

use crate::jobs::slice::Likeness;
use puzzled_base::{clock::Millis, ids::PuzzleId, repeat_hash::RepeatHash};

/// A puzzle that an audience has had.
#[derive(Debug, Clone)]
pub enum Had {
    /// A stored puzzle.
    Stored(PuzzleId),
    /// A puzzle that is alike to a text. It need not be stored.
    Like(Likeness),
    /// A puzzle with this repeat hash. It need not be stored.
    Solved(RepeatHash),
}

/// The result of a call that records puzzles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
    /// All puzzles count as delivered.
    Done {
        /// The number of puzzles that were new to the audience.
        new: u64,
        /// The number of puzzles that the audience had already had, or that repeat an earlier puzzle of the call.
        known: u64,
    },
    /// There is no puzzle with the ID at this index. Nothing is recorded.
    NoPuzzle {
        /// The index in the call, from 0.
        index: usize,
        /// The ID.
        id: PuzzleId,
    },
}

/// A delivery to any audience, in a list of all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastDelivery {
    /// Its place in the list.
    pub place: DeliveryPlace,
    /// The name of the audience.
    pub audience: String,
    /// What the audience does not get again.
    pub repeat_hash: RepeatHash,
    /// When it was delivered or recorded.
    pub at: Millis,
}

/// A place in the list of all deliveries, which is ordered by audience and then by time. The default precedes all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeliveryPlace {
    /// The row of the audience.
    pub audience_id: i64,
    /// The row of the delivery.
    pub id: i64,
}

/// The fields of a stored puzzle that decide whether a recorded puzzle names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stocked {
    pub(crate) id: PuzzleId,
    /// The kind and the canonical form.
    pub(crate) form: String,
    pub(crate) repeat_hash: RepeatHash,
    /// Whether it is in circulation or barred. If not, another puzzle has replaced it.
    pub(crate) is_kept: bool,
}

/// A puzzle that an audience has had, as it is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The stored puzzle, or one with its solution; `None` if there is none.
    pub(crate) puzzle_id: Option<PuzzleId>,
    pub(crate) repeat_hash: RepeatHash,
}

/// Finds the stored puzzle of each entry: an isomorph of a text, or else a puzzle with the same solution. The isomorph decides
/// the hash, because it may be of another variant than the text.
///
/// # Errors
/// The first index and ID without a stored puzzle.
pub(crate) fn entries(had: &[Had], stocked: &[Stocked]) -> Result<Vec<Entry>, (usize, PuzzleId)> {
    let by_id: HashMap<_, _> = stocked.iter().map(|puzzle| (puzzle.id, puzzle)).collect();
    let kept = || stocked.iter().filter(|puzzle| puzzle.is_kept);
    let by_form: HashMap<_, _> = kept().map(|puzzle| (puzzle.form.as_str(), puzzle)).collect();
    let by_hash: HashMap<_, _> = kept().map(|puzzle| (puzzle.repeat_hash, puzzle.id)).collect();
    let of = |puzzle: &Stocked| Entry { puzzle_id: Some(puzzle.id), repeat_hash: puzzle.repeat_hash };
    let solved = |repeat_hash| Entry { puzzle_id: by_hash.get(&repeat_hash).copied(), repeat_hash };
    let entry = |(index, had): (usize, &Had)| match had {
        Had::Stored(id) => by_id.get(id).map(|puzzle| of(puzzle)).ok_or((index, *id)),
        Had::Like(likeness) => {
            let isomorph = by_form.get(likeness.form.as_str()).map(|puzzle| of(puzzle));
            Ok(isomorph.unwrap_or_else(|| solved(RepeatHash(likeness.repeat_hash))))
        }
        Had::Solved(repeat_hash) => Ok(solved(*repeat_hash)),
    };
    had.iter().enumerate().map(entry).collect()
}

/// Returns the entries whose repeat hashes are not in `had`, one for each repeat hash.
pub(crate) fn new_entries(entries: Vec<Entry>, mut had: HashSet<RepeatHash>) -> Vec<Entry> {
    entries.into_iter().filter(|entry| had.insert(entry.repeat_hash)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stocked(id: i64, form: &str, hash: u8, is_kept: bool) -> Stocked {
        Stocked { id: PuzzleId(id), form: form.to_owned(), repeat_hash: RepeatHash([hash; 16]), is_kept }
    }

    fn like(form: &str, hash: u8) -> Had {
        Had::Like(Likeness { form: form.to_owned(), repeat_hash: [hash; 16] })
    }

    fn entry(id: Option<i64>, hash: u8) -> Entry {
        Entry { puzzle_id: id.map(PuzzleId), repeat_hash: RepeatHash([hash; 16]) }
    }

    #[test]
    fn an_isomorph_precedes_a_puzzle_with_the_same_solution() {
        let stock = [stocked(1, "a", 10, true), stocked(2, "b", 20, true), stocked(3, "c", 30, false)];
        for (had, expected) in [
            (Had::Stored(PuzzleId(1)), entry(Some(1), 10)),
            (Had::Stored(PuzzleId(3)), entry(Some(3), 30)),
            (like("a", 10), entry(Some(1), 10)),
            (like("a", 20), entry(Some(1), 10)),
            (like("x", 20), entry(Some(2), 20)),
            (like("c", 30), entry(None, 30)),
            (Had::Solved(RepeatHash([20; 16])), entry(Some(2), 20)),
            (Had::Solved(RepeatHash([40; 16])), entry(None, 40)),
        ] {
            assert_eq!(entries(std::slice::from_ref(&had), &stock), Ok(vec![expected]), "{had:?}");
        }
        let had = [like("a", 10), Had::Stored(PuzzleId(4)), Had::Stored(PuzzleId(5))];
        assert_eq!(entries(&had, &stock), Err((1, PuzzleId(4))));
    }

    #[test]
    fn each_solution_that_the_audience_has_not_had_is_new_once() {
        let had = HashSet::from([RepeatHash([10; 16])]);
        let entries = vec![entry(Some(1), 10), entry(None, 20), entry(Some(2), 20), entry(None, 30)];
        assert_eq!(new_entries(entries, had), [entry(None, 20), entry(None, 30)]);
    }
}
