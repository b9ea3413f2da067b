//! Counts the results of `puzzled rerate`, and writes the lines that it prints for each puzzle and for the whole run.

use crate::rules::stock::{puzzle::Puzzle, rating::Outcome};
use puzzled_engine::shared::{level::level_of, variant::VariantInfo};

/// A line about a puzzle of a variant.
pub(in crate::cli) fn in_words(variant: &VariantInfo, puzzle: &Puzzle, outcome: &Outcome) -> String {
    let rated = |rating| format!("{rating} {}", level_of(variant.levels, rating).name());
    let now = match outcome {
        Outcome::Rated { rating, .. } => rated(*rating),
        Outcome::AtLeast(rating) => format!("at least {}", rated(*rating)),
        Outcome::Stuck => "beyond the rater".to_owned(),
    };
    format!("{}: {}, now {now}", puzzle.id, rated(puzzle.shelf.rating))
}

/// The number of puzzles by result.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::cli) struct Tally {
    same: u64,
    harder: u64,
    easier: u64,
    at_least: u64,
    stuck: u64,
    /// The number of puzzles whose text this version cannot read.
    pub(in crate::cli) unread: u64,
}

impl Tally {
    pub(in crate::cli) fn count(&mut self, puzzle: &Puzzle, outcome: Option<&Outcome>) {
        let before = puzzle.shelf.rating;
        let field = match outcome {
            None => &mut self.unread,
            Some(Outcome::Stuck) => &mut self.stuck,
            Some(Outcome::AtLeast(_)) => &mut self.at_least,
            Some(Outcome::Rated { rating, .. }) if *rating > before => &mut self.harder,
            Some(Outcome::Rated { rating, .. }) if *rating < before => &mut self.easier,
            Some(Outcome::Rated { .. }) => &mut self.same,
        };
        *field += 1;
    }

    /// The number of puzzles that were rated or could not be rated.
    pub(in crate::cli) fn met(&self) -> u64 {
        self.same + self.harder + self.easier + self.at_least + self.stuck + self.unread
    }

    pub(in crate::cli) fn in_words(&self) -> String {
        let Self { same, harder, easier, at_least, stuck, unread } = self;
        format!(
            "{} puzzles rated again: {same} as before, {harder} harder, {easier} easier, {at_least} out of the rater's \
             budget, {stuck} beyond its techniques, {unread} not read",
            self.met()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::stock::puzzle::tests::toy;
    use puzzled_engine::{
        shared::{kind::PuzzleKind, level::Tenths},
        toy::Toy,
    };

    #[test]
    fn each_end_of_a_rating_has_its_words_and_its_count() {
        let (kind, stored) = (Toy::default(), toy("024", Tenths(34)));
        let rated = |rating| Outcome::Rated { rating: Tenths(rating), record: stored.record.clone() };
        let cases = [
            (rated(34), "puzzle-7: 3.4 hard, now 3.4 hard", Tally { same: 1, ..Tally::default() }),
            (rated(70), "puzzle-7: 3.4 hard, now 7.0 evil", Tally { harder: 1, ..Tally::default() }),
            (rated(12), "puzzle-7: 3.4 hard, now 1.2 easy", Tally { easier: 1, ..Tally::default() }),
            (
                Outcome::AtLeast(Tenths(91)),
                "puzzle-7: 3.4 hard, now at least 9.1 evil",
                Tally { at_least: 1, ..Tally::default() },
            ),
            (Outcome::Stuck, "puzzle-7: 3.4 hard, now beyond the rater", Tally { stuck: 1, ..Tally::default() }),
        ];
        for (outcome, words, wanted) in cases {
            assert_eq!(in_words(&kind.variants()[0], &stored, &outcome), words);
            let mut tally = Tally::default();
            tally.count(&stored, Some(&outcome));
            assert_eq!((tally.met(), &tally), (1, &wanted));
        }
    }
}
