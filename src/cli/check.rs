//! `puzzled check`: whether a database is what it says, every puzzle by the engine and every count by its rows.

use std::{collections::VecDeque, sync::atomic::AtomicBool};

use clap::{Args, value_parser};

use super::{
    CliError, Ended,
    database::{DatabaseArgs, runtime},
    ordered::ordered,
    output::Output,
    spec::text_fault,
};
use crate::{
    config::cores,
    engine::{attempts::NODES_PER_TRY, budget::Budget, registry, text::Verdict},
    store::{
        Store as _, StoreError,
        puzzle::{Puzzle, PuzzleId},
        sqlite::SqliteStore,
    },
};

/// Puzzles that one read takes.
const PAGE: u32 = 1_000;

/// Checks every puzzle, count and cursor of a database, and says what is wrong
///
/// Of each puzzle, withdrawn or not: two solvers find exactly one solution and it is the stored one, its canonical form
/// is the stored one, and its rating is that of its shelf, as far as this version's rater gave it. Of
/// the rest: SQLite's own checks, the counts of shelves, what audiences have had and have left. Findings are lines on
/// standard output. A server may be at work on the database. Exit code: 0 all is well, 1 something is wrong or could
/// not be checked.
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Threads, 1 to 1024 [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=1_024))]
    threads: Option<u32>,

    #[command(flatten)]
    database: DatabaseArgs,
}

/// What came of one puzzle.
enum Checked {
    Well,
    /// All that could be asked is well, and the rating could not be.
    Unrated,
    Wrong(String),
    /// The database could not be read on.
    Failed(StoreError),
}

pub(super) fn run(args: CheckArgs) -> Result<Ended, CliError> {
    let runtime = runtime()?;
    let store = args.database.open(&runtime)?;
    let mut findings = 0_u64;
    let shelves = runtime.block_on(store.shelves())?;
    let mut output = Output::new(u64::try_from(shelves.iter().map(|shelf| shelf.positions).sum::<i64>()).ok());
    for finding in runtime.block_on(store.audit())? {
        output.line(&finding)?;
        findings += 1;
    }
    let (mut puzzles, mut unrated) = (0_u64, 0_u64);
    let pages = Pages { runtime, store, after: PuzzleId(0), page: VecDeque::new(), has_ended: false };
    for checked in ordered(args.threads.unwrap_or_else(cores), pages, check_row) {
        match checked {
            Checked::Failed(error) => return Err(error.into()),
            Checked::Well => {}
            Checked::Unrated => unrated += 1,
            Checked::Wrong(finding) => {
                output.line(&finding)?;
                findings += 1;
            }
        }
        puzzles += 1;
        output.advance();
    }
    if unrated > 0 {
        output.remark(&format!("{unrated} puzzles were rated by another version, and their ratings are not checked"));
    }
    output.remark(&format!("{puzzles} puzzles on {} shelves checked, {findings} findings", shelves.len()));
    output.end()?;
    if findings == 0 { Ok(Ended::Done) } else { Err(CliError::Findings(findings)) }
}

type Row = (PuzzleId, Result<Puzzle, StoreError>);

/// All puzzles, page by page.
struct Pages {
    runtime: tokio::runtime::Runtime,
    store: SqliteStore,
    after: PuzzleId,
    page: VecDeque<Row>,
    has_ended: bool,
}

impl Iterator for Pages {
    type Item = Result<Row, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.page.is_empty() && !self.has_ended {
            match self.runtime.block_on(self.store.all_puzzles(self.after, PAGE)) {
                Ok(page) => {
                    self.has_ended = page.len() < PAGE as usize;
                    self.page.extend(page);
                }
                Err(error) => {
                    self.has_ended = true;
                    return Some(Err(error));
                }
            }
        }
        let row = self.page.pop_front()?;
        self.after = row.0;
        Some(Ok(row))
    }
}

fn check_row(row: Result<Row, StoreError>) -> Checked {
    match row {
        Err(error) => Checked::Failed(error),
        Ok((id, Err(error))) => Checked::Wrong(format!("{id}: {error}")),
        Ok((id, Ok(puzzle))) => match check(&puzzle) {
            Ok(true) => Checked::Well,
            Ok(false) => Checked::Unrated,
            Err(fault) => Checked::Wrong(format!("{id}: {fault}")),
        },
    }
}

/// Whether its rating could be checked too, or what is wrong with it.
fn check(puzzle: &Puzzle) -> Result<bool, String> {
    let Puzzle { shelf, text, .. } = puzzle;
    let kind = registry::kind(&shelf.kind).ok_or_else(|| format!("this version has no kind {:?}", shelf.kind))?;
    let normal = kind.normalise(&shelf.variant, text).map_err(text_fault)?;
    if normal != *text {
        return Err(format!("{text} is not its stored form, {normal} is"));
    }
    let never = AtomicBool::new(false);
    match kind.validate(&shelf.variant, text, &mut Budget::new(NODES_PER_TRY, &never)).map_err(text_fault)? {
        Verdict::Unique { solution } if solution == puzzle.solution => {}
        Verdict::Unique { solution } => return Err(format!("its solution is {solution}, not {}", puzzle.solution)),
        Verdict::NoSolution => return Err(format!("{text} has no solution")),
        Verdict::Several { solutions: [one, other], .. } => {
            return Err(format!("{text} has several solutions, such as {one} and {other}"));
        }
        Verdict::Contradiction { reason, .. } => return Err(format!("{text} contradicts itself: {reason}")),
        Verdict::Unknown(_) => return Err(format!("no verdict on {text} within {NODES_PER_TRY} nodes")),
    }
    let canonical = kind.canonical(&shelf.variant, text).map_err(text_fault)?;
    if puzzle.canonical != format!("{}/{canonical}", shelf.kind) {
        return Err(format!("its canonical form is {canonical}, not {}", puzzle.canonical));
    }
    if kind.rater() != (puzzle.record.rater.as_str(), puzzle.record.rater_version) {
        return Ok(false);
    }
    // The kind bounds its ratings itself.
    let reasoned = kind.reason(&shelf.variant, text, &mut Budget::new(u64::MAX, &never)).map_err(text_fault)?;
    let record = reasoned
        .record
        .map_err(|_| format!("it stands on a shelf of {}, and the rater does not finish it", shelf.rating))?;
    if record.rating == shelf.rating {
        Ok(true)
    } else {
        Err(format!("it stands on a shelf of {}, and is rated {}", shelf.rating, record.rating))
    }
}
