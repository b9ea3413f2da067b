//! `puzzled daily`: gets the puzzle of a day of a daily series.

use std::io::{IsTerminal as _, stdout};

use clap::Args;

use super::get;
use crate::{
    CliError, Ended,
    client::{Server, ServerArgs},
    output::{self, json},
};
use puzzled_api::v1::{self as pb, puzzle_service_client::PuzzleServiceClient};

/// Get the puzzle of a day of a daily series
///
/// On a terminal, the command prints a drawing; otherwise, the puzzle as text. `puzzled series` lists the series with their
/// coming days. Exit code: 0 printed, 1 refused or failed.
#[derive(Debug, Args)]
pub struct DailyArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// Name of the series [default: daily]
    #[arg(long, value_name = "NAME")]
    series: Option<String>,

    /// Date, such as 2026-11-25; a day that has not begun needs the role maker [default: the current day of the series]
    #[arg(long, value_name = "DATE")]
    date: Option<String>,

    /// Audience that gets the puzzle, so that `puzzled get` does not give it the puzzle again [default: none]
    #[arg(long, value_name = "NAME")]
    audience: Option<String>,

    /// If the day has no puzzle and none fits, queue a job that makes some, and wait for it
    #[arg(long)]
    make: bool,

    /// Print the solution too
    #[arg(long)]
    solution: bool,

    /// Print one JSON object, a `GetDailyPuzzleResponse`
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &DailyArgs) -> Result<Ended, CliError> {
    let is_terminal = stdout().is_terminal();
    let request = pb::GetDailyPuzzleRequest {
        series: args.series.clone().unwrap_or_default(),
        date: args.date.clone().unwrap_or_default(),
        audience: args.audience.clone().unwrap_or_default(),
        include_solution: args.solution,
        include_drawing: is_terminal && !args.json,
        ..pb::GetDailyPuzzleRequest::default()
    };
    let day = args.server.ask(async |server: Server| {
        let ask = async |make, wait| {
            let request = pb::GetDailyPuzzleRequest { enqueue_if_short: make, wait, ..request.clone() };
            Ok(PuzzleServiceClient::new(server.channel.clone()).get_daily_puzzle(request).await?.into_inner())
        };
        let day = if args.make { get::made(&server, ask).await } else { ask(false, false).await };
        day.map_err(|status| server.refused(&status))
    })?;
    if args.json {
        return output::print_result(&(json::message(day)? + "\n"));
    }
    let head = if is_terminal { format!("{} {}\n", day.series, day.date) } else { String::new() };
    output::print_result(&(head + &get::shown(&day.puzzle.unwrap_or_default(), is_terminal)))
}
