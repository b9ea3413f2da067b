//! `puzzled queue`: shows, pauses, and resumes the queue of a server.

use clap::{Args, Subcommand};
use prost_types::Timestamp;

use crate::{
    CliError, Ended,
    client::{Server, ServerArgs},
    output::{self, json, numbers},
};
use puzzled_api::v1::{self as pb, job_service_client::JobServiceClient};

/// Show, pause, or resume a server's queue
#[derive(Debug, Args)]
pub struct QueueArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show whether the queue runs, and what is in it
    Show(CallArgs),
    /// Pause the queue
    ///
    /// A pause holds for all servers of the database and across restarts. Workers finish and store their slices, within about a
    /// second, and claim no other slices. The planner queues no refills. You can still queue jobs.
    Pause {
        #[command(flatten)]
        call: CallArgs,

        /// Reason, at most 500 characters
        #[arg(value_name = "REASON", default_value = "", hide_default_value = true)]
        reason: String,
    },
    /// Resume the queue
    Resume(CallArgs),
}

#[derive(Debug, Args)]
struct CallArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &QueueArgs) -> Result<Ended, CliError> {
    let (Action::Show(call) | Action::Pause { call, .. } | Action::Resume(call)) = &args.action;
    let queue = call.server.ask(async |server: Server| act(&server, &args.action).await)?;
    output::print_result(&if call.json { json::message(queue)? + "\n" } else { in_words(&queue) })
}

async fn act(server: &Server, action: &Action) -> Result<pb::Queue, CliError> {
    let mut client = JobServiceClient::new(server.channel.clone());
    let queue = match action {
        Action::Show(_) => return read(server).await,
        Action::Pause { reason, .. } => {
            let request = pb::PauseQueueRequest { reason: reason.clone() };
            client.pause_queue(request).await.map(|reply| reply.into_inner().queue)
        }
        Action::Resume(_) => client.resume_queue(pb::ResumeQueueRequest {}).await.map(|reply| reply.into_inner().queue),
    };
    Ok(queue.map_err(|status| server.refused(&status))?.unwrap_or_default())
}

/// Returns the current state of the queue.
pub(crate) async fn read(server: &Server) -> Result<pb::Queue, CliError> {
    let mut client = JobServiceClient::new(server.channel.clone());
    let queue = client.get_queue(pb::GetQueueRequest {}).await.map_err(|status| server.refused(&status))?;
    Ok(queue.into_inner().queue.unwrap_or_default())
}

/// Returns a line if the queue is paused, and a line if the stock is full.
pub(crate) fn stops_in_words(queue: &pb::Queue) -> String {
    let line = |what: &str, at: &Option<Timestamp>, reason: &str| {
        let since = at.as_ref().map(|at| format!(" since {at}")).unwrap_or_default();
        let reason = if reason.is_empty() { String::new() } else { format!(": {reason}") };
        format!("{what}{since}{reason}\n")
    };
    let paused = queue.paused.then(|| line("The queue is paused", &queue.pause_time, &queue.pause_reason));
    let reason = queue.stock_full_reason.trim_start_matches("the stock is full: ");
    let full = queue.stock_full.then(|| line("The stock is full", &queue.stock_full_time, reason));
    [paused, full].into_iter().flatten().collect()
}

fn in_words(queue: &pb::Queue) -> String {
    let stops = stops_in_words(queue);
    let stops = if stops.is_empty() { "The queue runs.\n".to_owned() } else { stops };
    let at_most = |max: Option<u64>| max.map(|max| format!(" of at most {}", numbers::count(max))).unwrap_or_default();
    let waits = queue.oldest_wait.as_ref().map(|wait| format!(" (longest wait {})", numbers::duration(wait)));
    format!(
        "{stops}Open jobs: {} queued{}, {} running\n\
         Ended jobs: {} succeeded, {} failed, {} cancelled, {} ended early\n\
         Slices: {} leased, {} waiting\n\
         Slices reclaimed from workers that died or hung: {} in the last hour, {} in all\n\
         Stock: {} puzzle{}{}; database: {} bytes{}\n",
        numbers::count(queue.queued_jobs),
        waits.unwrap_or_default(),
        numbers::count(queue.running_jobs),
        numbers::count(queue.succeeded_jobs),
        numbers::count(queue.failed_jobs),
        numbers::count(queue.cancelled_jobs),
        numbers::count(queue.ended_jobs),
        numbers::count(queue.leased_slices),
        numbers::count(queue.waiting_slices),
        numbers::count(queue.reclaimed_slices_last_hour),
        numbers::count(queue.reclaimed_slices),
        numbers::count(queue.puzzles),
        if queue.puzzles == 1 { "" } else { "s" },
        at_most(queue.max_puzzles),
        numbers::count(queue.database_bytes),
        at_most(queue.max_database_bytes),
    )
}
