//! `puzzled check`: verifies a database. The engine checks the solution, canonical form, and rating of every puzzle,
//! and the store compares its counts with the rows.

use std::{
    collections::VecDeque,
    sync::{Arc, atomic::AtomicBool},
};

use clap::{Args, value_parser};
use tokio::runtime::{Handle, Runtime};

use crate::{
    operate::{CommandError, database::runtime, json},
    settings::DatabaseSettings,
};
use puzzled_base::{cores, ids::PuzzleId};
use puzzled_cli::{Ended, offline::ordered::ordered, output::Output};
use puzzled_engine::{
    ENGINE_VERSION, registry,
    shared::{budget::Budget, job_index::NODES_PER_TRY, text::Verdict},
};
use puzzled_store::{
    StoreError,
    check_store::CheckStore,
    stock::{
        puzzle::Puzzle,
        rating::{Outcome, Rating},
    },
};

/// The number of puzzles per read.
const PAGE: u32 = 1_000;

/// Check a database for wrong puzzles and counts
///
/// For each puzzle, withdrawn or not, the command recomputes the solution with two solvers, the canonical form, and the rating,
/// and compares the results with the stored ones. It compares ratings only if the rater of this version made them. The command
/// also runs SQLite's integrity checks, compares the counts of shelves and audiences with the rows, and searches for puzzles in
/// circulation with the same repeat hash. It prints one line for each finding. A server may use the database meanwhile. Exit
/// code: 0 no finding, 1 a finding or a failure.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Threads, 1 to 1024 [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=1_024))]
    threads: Option<u32>,

    /// Print one JSON object for each finding, and one with the counts at the end
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    database: DatabaseSettings,
}

/// The result for one puzzle.
enum Checked {
    Well,
    /// No finding, but the rating is from another version and was not checked.
    Unrated,
    /// Not checked, because only a newer version knows the kind or the variant.
    Newer,
    Wrong(String),
    /// The rest of the database could not be read.
    Failed(StoreError),
}

pub(crate) fn run(args: CheckArgs) -> Result<Ended, CommandError> {
    let runtime = runtime()?;
    let threads = args.threads.unwrap_or_else(cores);
    let store: Arc<dyn CheckStore> = args.database.open(&runtime)?.into();
    let checked = check_all(&runtime, &store, threads, args.json);
    runtime.block_on(store.close_read());
    checked
}

fn check_all(
    runtime: &Runtime,
    store: &Arc<dyn CheckStore>,
    threads: u32,
    as_json: bool,
) -> Result<Ended, CommandError> {
    let mut findings = 0_u64;
    let shown = |finding: String| if as_json { json::finding(&finding) } else { Ok(finding) };
    let shelves = runtime.block_on(store.shelves())?;
    let mut output = Output::new(Some(shelves.iter().map(|shelf| shelf.positions.unsigned_abs()).sum()));
    for finding in runtime.block_on(store.check())? {
        output.line(&shown(finding)?)?;
        findings += 1;
    }
    let (mut puzzles, mut unrated, mut newer) = (0_u64, 0_u64, 0_u64);
    let (handle, store) = (runtime.handle().clone(), Arc::clone(store));
    let pages = Pages { runtime: handle, store, after: PuzzleId(0), page: VecDeque::new(), has_ended: false };
    for checked in ordered(threads, pages, check_row) {
        match checked {
            Checked::Failed(error) => return Err(error.into()),
            Checked::Well => {}
            Checked::Unrated => unrated += 1,
            Checked::Newer => newer += 1,
            Checked::Wrong(finding) => {
                output.line(&shown(finding)?)?;
                findings += 1;
            }
        }
        puzzles += 1;
        output.advance();
    }
    if unrated > 0 {
        output.remark(&format!("{unrated} puzzles were rated by another version, and their ratings are not checked"));
    }
    if newer > 0 {
        output.remark(&format!("{newer} puzzles are of a kind or variant of a newer version, and are not checked"));
    }
    output.remark(&format!("{puzzles} puzzles on {} shelves checked, {findings} findings", shelves.len()));
    if as_json {
        output.line(&json::checked([puzzles, shelves.len() as u64, unrated, newer, findings])?)?;
    }
    output.end()?;
    if findings == 0 { Ok(Ended::Done) } else { Err(CommandError::Findings(findings)) }
}

/// A puzzle and its later ratings.
struct Row {
    id: PuzzleId,
    puzzle: Result<Puzzle, StoreError>,
    ratings: Vec<Result<Rating, StoreError>>,
}

/// Reads all puzzles, one page at a time.
struct Pages {
    runtime: Handle,
    store: Arc<dyn CheckStore>,
    after: PuzzleId,
    page: VecDeque<Row>,
    has_ended: bool,
}

impl Iterator for Pages {
    type Item = Result<Row, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.page.is_empty() && !self.has_ended {
            match self.runtime.block_on(read_page(&*self.store, self.after)) {
                Ok(page) => {
                    self.has_ended = page.len() < PAGE as usize;
                    self.page = page;
                }
                Err(error) => {
                    self.has_ended = true;
                    return Some(Err(error));
                }
            }
        }
        let row = self.page.pop_front()?;
        self.after = row.id;
        Some(Ok(row))
    }
}

async fn read_page(store: &dyn CheckStore, after: PuzzleId) -> Result<VecDeque<Row>, StoreError> {
    let page = store.all_puzzles(after, PAGE).await?;
    let last = page.last().map_or(after, |(id, _)| *id);
    let mut ratings = store.all_ratings(after, last).await?.into_iter().peekable();
    let rows = page.into_iter().map(|(id, puzzle)| {
        let own = std::iter::from_fn(|| ratings.next_if(|(rated, _)| *rated == id)).map(|(_, rating)| rating);
        Row { id, puzzle, ratings: own.collect() }
    });
    Ok(rows.collect())
}

fn check_row(row: Result<Row, StoreError>) -> Checked {
    let Row { id, puzzle, ratings } = match row {
        Ok(row) => row,
        Err(error) => return Checked::Failed(error),
    };
    let checked = puzzle.map_err(|error| error.to_string()).and_then(|puzzle| {
        let ratings = ratings.into_iter().collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
        check(&puzzle, &ratings)
    });
    checked.unwrap_or_else(|fault| Checked::Wrong(format!("{id}: {fault}")))
}

/// Checks a puzzle.
///
/// # Errors
/// The finding, in words.
fn check(puzzle: &Puzzle, ratings: &[Rating]) -> Result<Checked, String> {
    let Puzzle { shelf, text, .. } = puzzle;
    if puzzle.engine_version > ENGINE_VERSION && !shelf.is_known() {
        return Ok(Checked::Newer);
    }
    let kind = registry::kind(&shelf.kind).ok_or_else(|| format!("this version has no kind {:?}", shelf.kind))?;
    let normal = kind.normalize(&shelf.variant, text).map_err(|error| error.to_string())?;
    if normal != *text {
        return Err(format!("{text} is not its stored form, {normal} is"));
    }
    let never = AtomicBool::new(false);
    let verdict = kind
        .validate(&shelf.variant, text, &mut Budget::new(NODES_PER_TRY, &never))
        .map_err(|error| error.to_string())?;
    check_solution(text, &puzzle.solution, verdict)?;
    let canonical = kind.canonical(&shelf.variant, text).map_err(|error| error.to_string())?;
    if puzzle.canonical != format!("{}/{canonical}", shelf.kind) {
        return Err(format!("its canonical form is {canonical}, not {}", puzzle.canonical));
    }
    let by_us = shelf.variant_info().map(|variant| (variant.rater, variant.rater_version));
    let is_by_us = |rater: &str, version| by_us == Some((rater, version));
    let is_shelved_by_us = puzzle.record.as_ref().is_some_and(|record| is_by_us(&record.rater, record.rater_version));
    let later = ratings.iter().find(|rating| is_by_us(&rating.rater, rating.rater_version));
    if !is_shelved_by_us && later.is_none() {
        return Ok(Checked::Unrated);
    }
    // The kind has its own limit for a rating.
    let reasoned =
        kind.reason(&shelf.variant, text, &mut Budget::new(u64::MAX, &never)).map_err(|error| error.to_string())?;
    let technique = reasoned.record.as_ref().map(|record| record.technique).unwrap_or_default();
    if is_shelved_by_us && technique != puzzle.technique {
        return Err(format!("its hardest technique is {technique:?}, not {:?}", puzzle.technique));
    }
    let outcome = Outcome::of(reasoned.record);
    match (&outcome, later) {
        (Outcome::Rated { rating, .. }, _) if is_shelved_by_us && *rating != shelf.rating => {
            Err(format!("it stands on a shelf of {}, and is rated {rating}", shelf.rating))
        }
        (Outcome::AtLeast(_) | Outcome::Stuck, _) if is_shelved_by_us => {
            Err(format!("it stands on a shelf of {}, and the rater does not finish it", shelf.rating))
        }
        (outcome, Some(later)) if ends(outcome) != ends(&later.outcome) => {
            let (was, is) = (ends(&later.outcome), ends(outcome));
            Err(format!("{} {} is noted as {was}, and says {is}", later.rater, later.rater_version))
        }
        _ => Ok(Checked::Well),
    }
}

/// Compares the stored solution with the verdict of the solvers.
///
/// # Errors
/// The finding, in words.
fn check_solution(text: &str, stored: &str, verdict: Verdict) -> Result<(), String> {
    match verdict {
        Verdict::Unique { solution } if solution == stored => Ok(()),
        Verdict::Unique { solution } => Err(format!("its solution is {solution}, not {stored}")),
        Verdict::NoSolution => Err(format!("{text} has no solution")),
        Verdict::Several { solutions: [one, other], .. } => {
            Err(format!("{text} has several solutions, such as {one} and {other}"))
        }
        Verdict::Contradiction { reason, .. } => Err(format!("{text} contradicts itself: {reason}")),
        Verdict::SolversDisagree(disagreement) => Err(disagreement.to_string()),
        Verdict::Unknown(_) => Err(format!("no verdict on {text} within {NODES_PER_TRY} nodes")),
    }
}

/// The outcome of a rating, in words.
fn ends(outcome: &Outcome) -> String {
    let rating = outcome.rating().map(|rating| format!(" {rating}")).unwrap_or_default();
    format!("{}{rating}", outcome.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_engine::{shared::kind::PuzzleKind as _, toy::Toy};

    #[test]
    fn disagreement_of_solvers_is_reported_by_name() {
        let (toy, never) = (Toy { disputed: Some(8), ..Toy::default() }, AtomicBool::new(false));
        let verdict = toy.validate("1x1", "8", &mut Budget::new(1, &never)).unwrap();
        let finding = check_solution("8", "8", verdict).unwrap_err();
        let expected =
            "solvers disagree on the toy \"8\": its own finds no solution; the constraint core finds the only solution";
        assert_eq!(finding, expected);
    }
}
