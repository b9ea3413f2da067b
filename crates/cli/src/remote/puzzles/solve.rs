//! `puzzled solve`: solves a puzzle on a server.

use std::io::{IsTerminal as _, stdout};

use clap::Args;

use crate::{
    CliError, Ended,
    client::{Server, ServerArgs},
    input::puzzle_text::{Asked, PuzzleArgs},
    output::{self, json},
};
use puzzled_api::v1::{self as pb, puzzle_service_client::PuzzleServiceClient};

/// Solve a puzzle on a server, if it has exactly one solution
///
/// On a terminal, the command prints a drawing; otherwise, the solution as text. Exit code: 0 solved, 1 refused, failed, or not
/// uniquely solvable.
#[derive(Debug, Args)]
pub struct SolveArgs {
    #[command(flatten)]
    server: ServerArgs,

    #[command(flatten)]
    puzzle: PuzzleArgs,

    /// Print one JSON object, a `SolveResponse` with the steps
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &SolveArgs) -> Result<Ended, CliError> {
    let is_terminal = stdout().is_terminal();
    let Asked { id, kind, variant, text, scramble_seed } = args.puzzle.read()?;
    let include_drawing = is_terminal && !args.json;
    let request = pb::SolveRequest {
        id,
        kind,
        variant,
        text,
        scramble_seed,
        include_steps: args.json,
        include_drawing,
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
