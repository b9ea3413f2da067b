//! `puzzled hint`: asks a server for the next step on a player's board.

use clap::Args;

use crate::{
    CliError, Ended,
    client::{Server, ServerArgs},
    input::puzzle_text::{self, Asked, PuzzleArgs},
    output::{self, json},
};
use puzzled_api::v1::{self as pb, puzzle_service_client::PuzzleServiceClient};
use puzzled_engine::shared::names;

/// Get the next step on a player's board, or its wrong digits
///
/// The command prints the steps up to the first digit, one a line: the technique, its rating, and the argument. If digits of
/// the board contradict the solution, it prints their cells instead. Exit code: 0 a step is printed, or the board is complete
/// and right; 1 refused or failed; 2 some digits or candidates are wrong, or the server finds no step.
#[derive(Debug, Args)]
pub struct HintArgs {
    #[command(flatten)]
    server: ServerArgs,

    #[command(flatten)]
    puzzle: PuzzleArgs,

    /// Puzzle with the digits filled in so far, as text; - is standard input [default: no digits are filled in]
    #[arg(long, value_name = "TEXT")]
    board: Option<String>,

    /// Candidates that the player still has, one word for each cell, row by row: digits such as 247, 0 for none left, or . for a
    /// cell without notes [default: no notes]
    #[arg(long, value_name = "WORDS", value_parser = candidates)]
    candidates: Option<Candidates>,

    /// Print one JSON object, a `HintResponse`
    #[arg(long)]
    json: bool,
}

/// The candidates of each cell as the API has them: bit d stands for digit d.
#[derive(Debug, Clone)]
struct Candidates(Vec<u32>);

pub(crate) fn run(args: &HintArgs) -> Result<Ended, CliError> {
    if args.board.as_deref() == Some("-") && args.puzzle.is_piped() {
        return Err(CliError::Spec(
            "--board: standard input has the puzzle; write one of them as an argument".to_owned(),
        ));
    }
    let Asked { id, kind, variant, text, scramble_seed } = args.puzzle.read()?;
    let board = args.board.as_deref().map(|board| puzzle_text::text(Some(board))).transpose()?.unwrap_or_default();
    let candidates = args.candidates.clone().map(|candidates| candidates.0).unwrap_or_default();
    let request = pb::HintRequest { kind, variant, text, board, candidates, id, scramble_seed };
    let hint = args.server.ask(async |server: Server| {
        let mut client = PuzzleServiceClient::new(server.channel.clone());
        Ok(client.hint(request).await.map_err(|status| server.refused(&status))?.into_inner())
    })?;
    let ended = match hint.outcome() {
        pb::HintOutcome::Step | pb::HintOutcome::Solved => Ended::Done,
        _ => Ended::Partly,
    };
    output::print(&if args.json { json::message(hint)? + "\n" } else { in_words(&hint) })?;
    Ok(ended)
}

/// The steps, one a line, or else the message of the server.
fn in_words(hint: &pb::HintResponse) -> String {
    if hint.step.is_none() {
        return format!("{}\n", hint.message);
    }
    let line = |step: &pb::Step| format!("{} ({:.1}): {}\n", step.technique, step.rating, step.sentence);
    hint.step.iter().chain(&hint.following).map(line).collect()
}

fn candidates(words: &str) -> Result<Candidates, String> {
    let cell = |word: &str| match word {
        "." => Some(0),
        _ => word.chars().try_fold(0, |set, digit| Some(set | 1 << digit.to_digit(10)?)),
    };
    let cells = words.split_whitespace().map(|word| {
        cell(word).ok_or_else(|| format!("{} is not a cell; use digits such as 247, 0, or .", names::quoted(word)))
    });
    cells.collect::<Result<_, _>>().map(Candidates)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_sets_of_digits_or_left_open() {
        for (words, expected) in [
            ("247 0 .", Ok(vec![0b1001_0100, 1, 0])),
            ("", Ok(vec![])),
            ("1 2x", Err("\"2x\" is not a cell; use digits such as 247, 0, or .".to_owned())),
        ] {
            assert_eq!(candidates(words).map(|found| found.0), expected, "{words:?}");
        }
    }
}
