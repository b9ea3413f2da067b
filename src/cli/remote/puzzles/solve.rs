//! `puzzled solve`: solves a puzzle on a server.

use std::io::{IsTerminal as _, Read as _, stdin, stdout};

use clap::Args;

use crate::{
    cli::{
        CliError, Ended,
        client::{Server, ServerArgs, wire},
        input::spec::{self, Kind},
        output::{self, json},
    },
    proto::v1::{self as pb, puzzle_service_client::PuzzleServiceClient},
};

/// The maximum number of bytes that are read from standard input.
const TEXT_MAX: u64 = 1 << 20;

/// Solve a puzzle on a server, if it has exactly one solution
///
/// On a terminal, the command prints a drawing; otherwise, the solution as text. Exit code: 0 solved, 1 refused, failed, or not
/// uniquely solvable.
#[derive(Debug, Args)]
pub(in crate::cli) struct SolveArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// Puzzle as text [default: standard input]
    #[arg(value_name = "TEXT")]
    text: Option<String>,

    /// Kind of puzzle [default: sudoku]
    #[arg(long, value_name = "KIND", value_parser = spec::kind)]
    kind: Option<Kind>,

    /// Variant, such as 9x9 [default: the one that the text shows]
    #[arg(long, visible_alias = "size", value_name = "VARIANT")]
    variant: Option<String>,

    /// Print one JSON object, a `SolveResponse` with the steps
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &SolveArgs) -> Result<Ended, CliError> {
    let is_terminal = stdout().is_terminal();
    let text = args.text.clone().map_or_else(read, Ok)?;
    let request = pb::SolveRequest {
        kind: wire::kind(Some(spec::or_first(args.kind)?)),
        variant: args.variant.clone().unwrap_or_default(),
        text,
        include_steps: args.json,
        include_drawing: is_terminal && !args.json,
        ..pb::SolveRequest::default()
    };
    let solved = args.server.ask(async |server: Server| {
        let mut client = PuzzleServiceClient::new(server.channel.clone());
        Ok(client.solve(request).await.map_err(|status| server.refused(&status))?.into_inner())
    })?;
    output::print_result(&match () {
        () if args.json => json::message(solved)? + "\n",
        () if is_terminal => solved.drawing,
        () => solved.solution + "\n",
    })
}

fn read() -> Result<String, CliError> {
    let mut text = String::new();
    let fault = |source| CliError::Input("standard input".to_owned(), source);
    stdin().take(TEXT_MAX).read_to_string(&mut text).map_err(fault)?;
    Ok(text)
}
