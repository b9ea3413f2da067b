//! `puzzled release`: releases the puzzles that a series or an audience holds, so that everyone can draw them.

use clap::Args;

use crate::{
    CliError, Ended,
    client::{Server, ServerArgs},
    output::{self, json, numbers},
};
use puzzled_api::v1::{self as pb, puzzle_service_client::PuzzleServiceClient};

/// Release held puzzles, so that everyone can draw them
///
/// The command calls the server until nothing more can be released. If it is interrupted, repeat it. Exit code: 0 released, 1 refused or
/// failed.
#[derive(Debug, Args)]
pub struct ReleaseArgs {
    #[command(flatten)]
    server: ServerArgs,

    #[command(flatten)]
    which: Which,

    /// Reason for the audit trail, at most 500 characters
    #[arg(long, value_name = "TEXT")]
    reason: String,

    /// Count the puzzles, and change nothing
    #[arg(long)]
    dry_run: bool,

    /// Print one JSON object, a `ReleasePuzzlesResponse`, for each call
    #[arg(long)]
    json: bool,
}

/// Which held puzzles to release.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct Which {
    /// IDs of held puzzles, such as puzzle-17, at most 500
    #[arg(value_name = "PUZZLE")]
    ids: Vec<String>,

    /// All that this series holds
    #[arg(long, value_name = "NAME")]
    series: Option<String>,

    /// All that this audience holds
    #[arg(long, value_name = "NAME")]
    audience: Option<String>,
}

pub(crate) fn run(args: &ReleaseArgs) -> Result<Ended, CliError> {
    let request = pb::ReleasePuzzlesRequest {
        series: args.which.series.clone().unwrap_or_default(),
        audience: args.which.audience.clone().unwrap_or_default(),
        ids: args.which.ids.clone(),
        reason: args.reason.clone(),
        dry_run: args.dry_run,
    };
    args.server.ask(async |server: Server| {
        let mut client = PuzzleServiceClient::new(server.channel.clone());
        let mut released = 0;
        loop {
            let answer = client.release_puzzles(request.clone()).await;
            let done = answer.map_err(|status| server.refused(&status))?.into_inner();
            released += done.released;
            if args.json {
                output::print(&(json::message(done.clone())? + "\n"))?;
            }
            // If a call released nothing, further calls would release nothing either.
            if done.remaining == 0 || done.released == 0 {
                if !args.json {
                    output::print(&counted(released, done.kept, args.dry_run))?;
                }
                return Ok(Ended::Done);
            }
        }
    })
}

fn counted(released: u64, kept: u64, is_dry: bool) -> String {
    let would = if is_dry { "would be " } else { "" };
    let kept = match kept {
        0 => String::new(),
        kept => format!(", {} kept for days that have not begun", numbers::count(kept)),
    };
    format!("puzzles: {} {would}released{kept}\n", numbers::count(released))
}
