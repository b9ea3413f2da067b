//! `puzzled verify`: judges boards that were filled in, by their givens and rules, without a server.

use std::{path::PathBuf, sync::atomic::AtomicBool};

use clap::{Args, ValueEnum, value_parser};

use super::{ordered::ordered, rate};
use crate::{
    CliError, Ended,
    input::{
        boards::{BoardRecord, board_lines},
        lines::ReadError,
        spec::Kind,
    },
    output::{Output, json},
};
use puzzled_api::board::Board;
use puzzled_base::cores;
use puzzled_engine::shared::{
    budget::Budget,
    kind::HintFor,
    step::Cell,
    text::{Verdict, compare::BoardState, judge::Judgment},
};

/// Judge filled boards by givens and rules, without a server or a database
///
/// Each line of the file is a JSON object with `text`, the puzzle, and `board`, the same puzzle with all cells filled in; `kind` and
/// `variant` as in the JSON of `generate`. A board is right if it keeps the givens and the rules, even if the puzzle has other
/// solutions. The command lists the rules that a board breaks, with their cells. It never prints a solution. If the line has a
/// `solution`, the command also lists the cells that differ from it. Exit code: 0 all right, 1 failed, 2 some not right.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// File to read; - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,

    /// Solve each puzzle whose line has no `solution`, to list differing cells, and to say whether it has several solutions
    #[arg(long)]
    solve: bool,

    /// Threads, 1 to 1024 [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=1_024))]
    threads: Option<u32>,

    /// text: the line, and right or what is wrong; json: one object per line
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// What is known of a board.
#[derive(Debug)]
pub(crate) struct Verified {
    pub(crate) board: Board,
    pub(crate) judgment: Judgment,
    /// The cells with other digits than the solution; `None` if no single solution is known.
    pub(crate) differing: Option<Vec<(Cell, u8)>>,
    /// The number of solutions, if the puzzle was solved.
    pub(crate) solutions: Option<Solutions>,
}

/// How many solutions a puzzle has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Solutions {
    None,
    One,
    Several,
    /// The search ended at its limit, or the solvers disagree.
    Unknown,
}

impl Solutions {
    /// The word in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::One => "one",
            Self::Several => "several",
            Self::Unknown => "unknown",
        }
    }
}

impl Verified {
    /// Whether the board is full, and keeps the givens and the rules.
    pub(crate) fn is_right(&self) -> bool {
        self.judgment.empty.is_empty() && self.judgment.broken.is_empty()
    }

    /// `right`, or what is wrong; then what is known of the solutions.
    fn words(&self) -> String {
        let mut faults: Vec<_> = self.judgment.broken.iter().map(|broken| broken.sentence.clone()).collect();
        if !self.judgment.empty.is_empty() {
            faults.push(format!("no digit in {}", self.board.names(&self.judgment.empty)));
        }
        let judged = if faults.is_empty() { "right".to_owned() } else { format!("wrong: {}", faults.join("; ")) };
        let cells = self.differing.iter().flatten().map(|(cell, _)| *cell).collect::<Vec<_>>();
        let differs = format!("differs from the solution in {}", self.board.names(&cells));
        let solutions = self.solutions.map(|solutions| match solutions {
            Solutions::None => "the puzzle has no solution",
            Solutions::One => "",
            Solutions::Several => "the puzzle has several solutions",
            Solutions::Unknown => "the number of solutions is not known",
        });
        let differs = Some(differs.as_str()).filter(|_| !cells.is_empty());
        let parts = [Some(judged.as_str()), differs, solutions];
        parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
    }
}

pub(crate) fn run(args: &VerifyArgs) -> Result<Ended, CliError> {
    let failed = |error: ReadError| CliError::Input(error.name, error.source);
    let solve = args.solve;
    let lines = board_lines(&args.file).map_err(failed)?;
    let mut results = ordered(args.threads.unwrap_or_else(cores), lines, move |line| {
        line.map(|line| (line.number, line.record.and_then(|record| verified(&record, solve))))
    });
    let (mut output, mut ended) = (Output::new(None), Ended::Done);
    while let Some(result) = results.next() {
        let (number, outcome) = result.map_err(failed)?;
        if !outcome.as_ref().is_ok_and(Verified::is_right) {
            ended = Ended::Partly;
        }
        output.line(&match args.format {
            Format::Json => json::verified(number, outcome.as_ref().map_err(String::as_str))?,
            Format::Text => {
                let words = outcome.map_or_else(|fault| format!("unreadable: {fault}"), |verified| verified.words());
                format!("line {number}: {words}")
            }
        })?;
        output.advance();
        if !results.is_ready() {
            output.flush()?;
        }
    }
    output.end()?;
    Ok(ended)
}

/// Judges a board, or says why it cannot be read.
fn verified(record: &BoardRecord, solve: bool) -> Result<Verified, String> {
    let kind = record.kind()?;
    let (variant, text) = record.puzzle(kind)?;
    let board = &record.board;
    if board.trim().is_empty() {
        return Err("board: empty; write the digits of all cells".to_owned());
    }
    let judgment = kind.judge(&variant, &text, board, true).map_err(|error| format!("board: {error}"))?;
    let columns = kind.size(&variant, &text).map_err(|error| format!("text: {error}"))?.columns;
    let stated = record.solution.clone().filter(|stated| !stated.trim().is_empty());
    let (solution, solutions) = match (stated, solve) {
        (None, true) => solved(kind, &variant, &text)?,
        (stated, _) => (stated, None),
    };
    let differing = |solution: &str| {
        let of = HintFor { variant: &variant, text: &text, solution };
        kind.compare(of, board).map(|state| match state {
            BoardState::Wrong(cells) => cells,
            BoardState::GivensDiffer(cells) => cells.into_iter().map(|cell| (cell, 0)).collect(),
            BoardState::CorrectSoFar | BoardState::Complete => Vec::new(),
        })
    };
    let differing = solution.as_deref().map(differing).transpose().map_err(|error| format!("solution: {error}"))?;
    Ok(Verified { board: Board::of(columns), judgment, differing, solutions })
}

/// The only solution, if there is one, and the number of solutions.
fn solved(kind: Kind, variant: &str, text: &str) -> Result<(Option<String>, Option<Solutions>), String> {
    let never = AtomicBool::new(false);
    let verdict = kind.validate(variant, text, &mut Budget::new(rate::NODES_PER_VERDICT_MAX, &never));
    let (solution, solutions) = match verdict.map_err(|error| format!("text: {error}"))? {
        Verdict::Unique { solution } => (Some(solution), Solutions::One),
        Verdict::Several { .. } => (None, Solutions::Several),
        Verdict::NoSolution | Verdict::Contradiction { .. } => (None, Solutions::None),
        Verdict::SolversDisagree(_) | Verdict::Unknown(_) => (None, Solutions::Unknown),
    };
    Ok((solution, Some(solutions)))
}
