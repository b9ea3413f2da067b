//! `puzzled get`: gets one puzzle from the stock of a running server, by criteria or by ID.

use std::{
    convert::Infallible,
    future::pending,
    io::{IsTerminal as _, stdout},
};

use clap::Args;
use tonic::Status;
use tonic_types::StatusExt as _;

use crate::{
    CliError, Ended,
    client::{Server, ServerArgs},
    input::criteria_flags::DrawArgs,
    output::{self, json, numbers, tables},
    remote::stock::outlooks::Bars,
};
use puzzled_api::{
    criteria::StatesCriteria as _,
    v1::{self as pb, job_service_client::JobServiceClient, puzzle_service_client::PuzzleServiceClient},
};
/// Get a puzzle from a server's stock
///
/// On a terminal, the command prints a drawing; otherwise, the puzzle as text. A criterion that is not set matches any
/// puzzle. Exit code: 0 printed, 1 refused or failed.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
#[derive(Debug, Args)]
pub struct GetArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// ID of a stored puzzle, such as puzzle-17, instead of criteria
    #[arg(value_name = "PUZZLE")]
    id: Option<String>,

    #[command(flatten)]
    wanted: DrawArgs,

    /// Audience that gets no puzzle twice
    #[arg(long, value_name = "NAME")]
    audience: Option<String>,

    /// Name of the request: a repeat with the same name gets the same puzzle; needs an audience
    #[arg(long, value_name = "NAME", requires = "audience")]
    request_id: Option<String>,

    /// Only puzzles that the audience holds, which nobody else can have had; needs an audience
    #[arg(long, requires = "audience")]
    exclusive: bool,

    /// If no puzzle fits, queue a job that makes some, and wait for it
    #[arg(long)]
    make: bool,

    /// Print the solution too
    #[arg(long)]
    solution: bool,

    /// Print one JSON object, a Puzzle
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &GetArgs) -> Result<Ended, CliError> {
    let is_terminal = stdout().is_terminal();
    let request = args.request(is_terminal && !args.json)?;
    let puzzle = args.server.ask(async |server: Server| {
        let ask = async |make, wait| {
            let request = pb::GetPuzzleRequest { enqueue_if_short: make, wait, ..request.clone() };
            Ok(PuzzleServiceClient::new(server.channel.clone()).get_puzzle(request).await?.into_inner().puzzle)
        };
        let puzzle = if args.make { made(&server, ask).await } else { ask(false, false).await };
        let puzzle = puzzle.map_err(|status| server.refused(&status))?;
        puzzle.ok_or_else(|| server.failed("the answer contains no puzzle".to_owned()))
    })?;
    output::print_result(&if args.json { json::message(puzzle)? + "\n" } else { shown(&puzzle, is_terminal) })
}

/// Gets an answer with a puzzle. If no puzzle fits, says which job was queued, and shows its progress until it makes one. The
/// arguments of `ask` are whether to queue a job and whether to wait for it.
pub(super) async fn made<T>(server: &Server, ask: impl AsyncFn(bool, bool) -> Result<T, Status>) -> Result<T, Status> {
    let refusal = match ask(true, false).await {
        Ok(answer) => return Ok(answer),
        Err(refusal) => refusal,
    };
    let job = refusal.get_details_error_info().and_then(|info| info.metadata.get("job").cloned());
    let Some(job) = job else { return Err(refusal) };
    let bars = Bars::new();
    let answer = tokio::select! {
        answer = ask(true, true) => answer,
        never = progress(server, &bars, job) => match never {},
    };
    bars.end();
    answer
}

/// Shows the progress of a job as long as this is polled. The call that waits for the puzzle reports faults.
async fn progress(server: &Server, bars: &Bars, id: String) -> Infallible {
    if let Ok(watch) = JobServiceClient::new(server.channel.clone()).watch_job(pb::WatchJobRequest { id }).await {
        let (mut watch, mut is_first) = (watch.into_inner(), true);
        while let Ok(Some(pb::WatchJobResponse { job: Some(job) })) = watch.message().await {
            if std::mem::take(&mut is_first) {
                let (count, words) = (numbers::count(job.wanted), tables::job(&job));
                bars.remark(&format!("no puzzle fits; {} makes {count} ({words}); waiting for the first", job.id));
            }
            bars.job(&job);
        }
    }
    pending().await
}

impl GetArgs {
    fn request(&self, include_drawing: bool) -> Result<pb::GetPuzzleRequest, CliError> {
        let request = pb::GetPuzzleRequest {
            id: self.id.clone().unwrap_or_default(),
            include_solution: self.solution,
            audience: self.audience.clone().unwrap_or_default(),
            request_id: self.request_id.clone().unwrap_or_default(),
            exclusive: self.exclusive,
            include_drawing,
            include_links: self.json,
            ..pb::GetPuzzleRequest::default()
        };
        Ok(request.stating(&self.wanted.criteria(self.id.is_some())?))
    }
}

/// Returns a drawing with a line about the puzzle for a terminal, and the text of the puzzle otherwise. Adds the
/// solution if the response has it.
pub(super) fn shown(puzzle: &pb::Puzzle, is_terminal: bool) -> String {
    let solution = if puzzle.solution.is_empty() { String::new() } else { format!("{}\n", puzzle.solution) };
    if !is_terminal {
        return format!("{}\n{solution}", puzzle.text);
    }
    let (kind, level) = (tables::word(puzzle.kind()), tables::word(puzzle.level()));
    let words = format!("{} {kind} {} {level}, rated {:.1}", puzzle.id, puzzle.variant, puzzle.rating);
    format!("{}{words}\n{solution}", puzzle.drawing)
}
