//! `puzzled rerate`: rates the stored puzzles that lack a record of this version's raters, and adds the new records to
//! the old ones.

use std::{
    collections::VecDeque,
    mem::take,
    sync::{Arc, atomic::AtomicBool},
};

use clap::{Args, value_parser};
use tokio::runtime::Runtime;

use crate::{
    operate::{CommandError, database::runtime, host, json},
    settings::DatabaseSettings,
};
use puzzled_base::{cores, ids::PuzzleId};
use puzzled_cli::{
    Ended,
    input::spec::{self, Kind},
    offline::ordered::ordered,
    output::{Format, Output},
};
use puzzled_engine::{
    registry,
    shared::{budget::Budget, level::level_of, variant::VariantInfo},
};
use puzzled_store::{
    Store, StoreError,
    access::actor::Actor,
    stock::{
        puzzle::Puzzle,
        rating::{NewRating, Outcome, Rater},
    },
};

/// The number of puzzles per read.
const PAGE: u32 = 500;

/// The number of records per write. With fewer records, there would be more waits for the disk; with more, a kill would
/// lose more work.
const BATCH: usize = 64;

/// Rate puzzles of older raters again, and keep the old records
///
/// A puzzle stays on its shelf and keeps its old record. If a rating exceeds the budget, the new record has a lower bound. Each
/// version rates a puzzle once, so an interrupted run resumes. The command prints one line for each record that it has stored.
/// A server may use the database meanwhile. Exit code: 0 all have a record of this version, 1 failed, 2 some still lack a
/// record of this version.
#[derive(Debug, Args)]
pub(crate) struct RerateArgs {
    /// Kind of puzzle [default: all]
    #[arg(long, value_name = "KIND", value_parser = spec::kind)]
    kind: Option<Kind>,

    /// Maximum number of puzzles to rate in this run [default: all]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    limit: Option<u64>,

    /// Threads, 1 to 1024 [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=1_024))]
    threads: Option<u32>,

    /// text: ID, stored rating and level, and the new ones; json: one object per line, with the record
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    format: Format,

    #[command(flatten)]
    database: DatabaseSettings,
}

pub(crate) fn run(args: RerateArgs) -> Result<Ended, CommandError> {
    let kinds: Vec<_> = args.kind.map_or_else(|| registry::kinds().to_vec(), |kind| vec![kind]);
    let runtime = Arc::new(runtime()?);
    let store = args.database.open_to_write(&runtime)?;
    let source = Source { runtime, store };
    let limit = args.limit.unwrap_or(u64::MAX);
    let pages = (0..limit).zip(Pages::of(source.clone(), &kinds));
    let mut results = ordered(args.threads.unwrap_or_else(cores), pages, |(_, next)| {
        next.map(|((kind, variant), puzzle)| {
            let outcome = rate(kind, &puzzle);
            (variant, puzzle, outcome)
        })
    });
    let by = Some(Actor::command(&host::user(), &host::name().unwrap_or_default(), "rerate"));
    let mut desk = Desk { source, format: args.format, output: Output::new(args.limit), batch: Vec::new(), by };
    let mut tally = Tally::default();
    // Records from before a failure are kept.
    let ended = results.try_for_each(|result| {
        let (variant, puzzle, outcome) = result?;
        tally.count(&puzzle, outcome.as_ref().ok());
        match outcome {
            Ok(outcome) => desk.take(variant, &puzzle, outcome),
            Err(fault) => {
                desk.output.remark(&format!("{}: {fault}", puzzle.id));
                Ok(())
            }
        }
    });
    desk.store()?;
    ended?;
    desk.output.remark(&tally.in_words());
    // Only a run that reached its limit can have left puzzles out.
    let has_more = tally.met() == limit && Pages::of(desk.source.clone(), &kinds).next().transpose()?.is_some();
    desk.output.end()?;
    Ok(if has_more || tally.unread > 0 { Ended::Partly } else { Ended::Done })
}

/// Rates a puzzle. The kind limits the work.
fn rate(kind: Kind, puzzle: &Puzzle) -> Result<Outcome, String> {
    let never = AtomicBool::new(false);
    let reasoned = kind.reason(&puzzle.shelf.variant, &puzzle.text, &mut Budget::new(u64::MAX, &never));
    reasoned.map(|reasoned| Outcome::of(reasoned.record)).map_err(|error| error.to_string())
}

/// The database, for the threads that read and the thread that writes.
#[derive(Clone)]
struct Source {
    runtime: Arc<Runtime>,
    store: Arc<dyn Store>,
}

impl Source {
    fn page(&self, (kind, variant): Variant, after: Option<PuzzleId>) -> Result<Vec<Puzzle>, StoreError> {
        let by = Rater { kind: kind.name().to_owned(), name: variant.rater.to_owned(), version: variant.rater_version };
        self.runtime.block_on(self.store.unrated(&by, after, PAGE))
    }
}

/// A variant with its kind.
type Variant = (Kind, &'static VariantInfo);

/// All puzzles that lack a record of this version, variant by variant and page by page.
struct Pages {
    source: Source,
    /// The variant that is being read, and the variants after it.
    variants: VecDeque<Variant>,
    after: Option<PuzzleId>,
    page: VecDeque<Puzzle>,
}

impl Pages {
    fn of(source: Source, kinds: &[Kind]) -> Self {
        let variants = kinds.iter().flat_map(|kind| kind.variants().iter().map(|variant| (*kind, variant)));
        Self { source, variants: variants.collect(), after: None, page: VecDeque::new() }
    }
}

impl Iterator for Pages {
    type Item = Result<(Variant, Puzzle), StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (kind, variant) = *self.variants.front()?;
            while let Some(puzzle) = self.page.pop_front() {
                self.after = Some(puzzle.id);
                // Puzzles of other variants are read with their own variant.
                if kind.variant(&puzzle.shelf.variant).is_some_and(|own| own.name == variant.name) {
                    return Some(Ok(((kind, variant), puzzle)));
                }
            }
            match self.source.page((kind, variant), self.after) {
                Ok(page) if page.is_empty() => {
                    self.variants.pop_front();
                    self.after = None;
                }
                Ok(page) => self.page = page.into(),
                Err(error) => {
                    self.variants.clear();
                    return Some(Err(error));
                }
            }
        }
    }
}

/// Collects new records, stores them in batches, and prints each record after it is stored.
struct Desk {
    source: Source,
    format: Format,
    output: Output,
    batch: Vec<(NewRating, String)>,
    /// Who runs the command; `None` after the audit trail has an entry for the run.
    by: Option<Actor>,
}

impl Desk {
    fn take(&mut self, variant: &VariantInfo, puzzle: &Puzzle, outcome: Outcome) -> Result<(), CommandError> {
        let line = match self.format {
            Format::Text => in_words(variant, puzzle, &outcome),
            Format::Json => json::rerated(variant, puzzle, &outcome)?,
        };
        let (rater, rater_version) = (variant.rater.to_owned(), variant.rater_version);
        self.batch.push((NewRating { puzzle_id: puzzle.id, rater, rater_version, outcome }, line));
        if self.batch.len() == BATCH { self.store() } else { Ok(()) }
    }

    fn store(&mut self) -> Result<(), CommandError> {
        let (ratings, lines): (Vec<_>, Vec<_>) = take(&mut self.batch).into_iter().unzip();
        // The first records of a run write its audit entry.
        let added = self.source.store.add_ratings(&ratings, self.by.as_ref());
        if self.source.runtime.block_on(added)? > 0 {
            self.by = None;
        }
        for line in lines {
            self.output.line(&line)?;
            self.output.advance();
        }
        Ok(self.output.flush()?)
    }
}

/// A line about a puzzle of a variant.
fn in_words(variant: &VariantInfo, puzzle: &Puzzle, outcome: &Outcome) -> String {
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
struct Tally {
    same: u64,
    harder: u64,
    easier: u64,
    at_least: u64,
    stuck: u64,
    /// The number of puzzles whose text this version cannot read.
    unread: u64,
}

impl Tally {
    fn count(&mut self, puzzle: &Puzzle, outcome: Option<&Outcome>) {
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
    fn met(&self) -> u64 {
        self.same + self.harder + self.easier + self.at_least + self.stuck + self.unread
    }

    fn in_words(&self) -> String {
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
    use puzzled_engine::{
        shared::{kind::PuzzleKind, level::Tenths},
        toy::Toy,
    };
    use puzzled_store::stock::puzzle::toy;

    #[test]
    fn each_end_of_a_rating_has_its_words_and_its_count() {
        let (kind, stored) = (Toy::default(), toy("024", Tenths(34)));
        let rated = |rating| Outcome::Rated { rating: Tenths(rating), record: stored.record.clone().unwrap() };
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
        for (outcome, words, expected) in cases {
            assert_eq!(in_words(&kind.variants()[0], &stored, &outcome), words);
            let mut tally = Tally::default();
            tally.count(&stored, Some(&outcome));
            assert_eq!((tally.met(), &tally), (1, &expected));
        }
    }
}
