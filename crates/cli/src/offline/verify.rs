//! `puzzled verify`: judges boards that were filled in, by their givens and rules, without a server.

use std::{path::PathBuf, sync::atomic::AtomicBool};

use clap::{Args, ValueEnum};

use super::rate;
use crate::{
    CliError, Ended,
    input::{
        boards::{BoardRecord, board_lines},
        spec::Kind,
    },
    output::{Output, json},
};
use puzzled_api::board::Board;
use puzzled_engine::shared::{
    budget::Budget,
    kind::HintFor,
    text::{Verdict, compare::BoardState, judge::Judgment},
};

/// Judge filled boards by givens and rules, without a server or a database
///
/// Each line of the file is a JSON object with `text`, the puzzle, and `board`, the same puzzle with all cells filled in; `kind` and
/// `variant` as in the JSON of `generate`. A board is right if it keeps the givens and the rules, even if the puzzle has other
/// solutions. The command tells what a wrong board breaks, with cells, and prints no solution. If the line has a `solution`, it also
/// tells the cells that differ from it. Exit code: 0 all right, 1 failed, 2 some not right.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// File to read; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Solve each puzzle whose line has no `solution`, to tell differing cells, and whether there are several solutions
    #[arg(long)]
    solve: bool,

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
    /// The cells with other digits than the solution; `None` if no solution is known, or if there are several.
    pub(crate) differing: Option<Vec<(u16, u8)>>,
    /// Whether the puzzle has several solutions; `None` if it was not solved.
    pub(crate) has_several: Option<bool>,
}

impl Verified {
    /// Whether the board is full, and keeps the givens and the rules.
    pub(crate) fn is_right(&self) -> bool {
        self.judgment.empty.is_empty() && self.judgment.broken.is_empty()
    }

    /// `right`, or what is wrong.
    fn words(&self) -> String {
        let mut faults: Vec<_> = self.judgment.broken.iter().map(|broken| broken.sentence.clone()).collect();
        if !self.judgment.empty.is_empty() {
            faults.push(format!("no digit in {}", self.board.names(&self.judgment.empty)));
        }
        let cells = self.differing.iter().flatten().map(|(cell, _)| *cell).collect::<Vec<_>>();
        if !cells.is_empty() {
            faults.push(format!("other than the solution in {}", self.board.names(&cells)));
        }
        let several = if self.has_several == Some(true) { "; the puzzle has several solutions" } else { "" };
        if self.is_right() { format!("right{several}") } else { format!("wrong: {}{several}", faults.join("; ")) }
    }
}

pub(crate) fn run(args: &VerifyArgs) -> Result<Ended, CliError> {
    let failed = |error: crate::input::lines::ReadError| CliError::Input(error.name, error.source);
    let mut output = Output::new(None);
    let mut ended = Ended::Done;
    for line in board_lines(&args.file).map_err(failed)? {
        let line = line.map_err(failed)?;
        let outcome = line.record.and_then(|record| verified(&record, args.solve));
        if !outcome.as_ref().is_ok_and(Verified::is_right) {
            ended = Ended::Partly;
        }
        output.line(&match args.format {
            Format::Json => json::verified(line.number, outcome.as_ref().map_err(String::as_str))?,
            Format::Text => {
                let words = outcome.map_or_else(|fault| format!("unreadable: {fault}"), |verified| verified.words());
                format!("line {}: {words}", line.number)
            }
        })?;
        output.advance();
    }
    output.end()?;
    Ok(ended)
}

/// Judges a board, or says why it cannot be read.
fn verified(record: &BoardRecord, solve: bool) -> Result<Verified, String> {
    let kind = record.kind()?;
    let variant = record.variant(kind)?;
    let (text, board) = (&record.text, &record.board);
    if board.trim().is_empty() {
        return Err("board: empty; write the digits of all cells".to_owned());
    }
    let judgment = kind.judge(&variant, text, board, true).map_err(|error| format!("board: {error}"))?;
    let columns = kind.size(&variant, text).map_err(|error| format!("text: {error}"))?.columns;
    let stated = record.solution.clone().filter(|stated| !stated.trim().is_empty());
    let (solution, has_several) = match (stated, solve) {
        (None, true) => solved(kind, &variant, text)?,
        (stated, _) => (stated, None),
    };
    let differing = solution.map(|solution| {
        let of = HintFor { variant: &variant, text, solution: &solution };
        kind.compare(of, board).map(|state| match state {
            BoardState::Wrong(cells) => cells,
            BoardState::GivensDiffer(_) | BoardState::CorrectSoFar | BoardState::Complete => Vec::new(),
        })
    });
    let differing = differing.transpose().map_err(|error| format!("solution: {error}"))?;
    Ok(Verified { board: Board::of(columns), judgment, differing, has_several })
}

/// The only solution, if there is one, and whether there are several.
fn solved(kind: Kind, variant: &str, text: &str) -> Result<(Option<String>, Option<bool>), String> {
    let never = AtomicBool::new(false);
    let verdict = kind.validate(variant, text, &mut Budget::new(rate::NODES_PER_VERDICT_MAX, &never));
    match verdict.map_err(|error| format!("text: {error}"))? {
        Verdict::Unique { solution } => Ok((Some(solution), Some(false))),
        Verdict::Several { .. } => Ok((None, Some(true))),
        Verdict::NoSolution | Verdict::Contradiction { .. } => Ok((None, Some(false))),
        Verdict::SolversDisagree(_) | Verdict::Unknown(_) => Ok((None, None)),
    }
}
