//! `puzzled queue`: the queue of a server as a whole, paused and let go on.

use clap::Args;
use prost_types::Timestamp;

use super::{
    CliError, Ended,
    client::{Server, ServerArgs},
    json, output, tables,
};
use crate::proto::v1::{self as pb, job_service_client::JobServiceClient};

/// Shows a server's queue, pauses it, or lets it go on
///
/// While it is paused, on all servers of the database and over restarts, no work is begun and no refill planned; what is under
/// way is finished and stored, within about a second, and jobs can be queued. Exit code: 0 done, 1 refused or failed.
#[derive(Debug, Args)]
pub(super) struct QueueArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// Pause it, with a reason for people to read, at most 500 characters, or without one
    #[arg(long, value_name = "REASON", num_args = 0..=1, default_missing_value = "")]
    pause: Option<String>,

    /// Let it go on
    #[arg(long, conflicts_with = "pause")]
    resume: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &QueueArgs) -> Result<Ended, CliError> {
    let queue = args.server.ask(async |server: Server| act(&server, args).await)?;
    output::print(&if args.json { json::message(queue)? + "\n" } else { in_words(&queue) })?;
    Ok(Ended::Done)
}

async fn act(server: &Server, args: &QueueArgs) -> Result<pb::Queue, CliError> {
    let mut client = JobServiceClient::new(server.channel.clone());
    let queue = match &args.pause {
        Some(reason) => {
            let request = pb::PauseQueueRequest { reason: reason.clone() };
            client.pause_queue(request).await.map(|reply| reply.into_inner().queue)
        }
        None if args.resume => {
            client.resume_queue(pb::ResumeQueueRequest {}).await.map(|reply| reply.into_inner().queue)
        }
        None => return read(server).await,
    };
    Ok(queue.map_err(|status| server.refused(&status))?.unwrap_or_default())
}

/// The queue as it is now.
pub(super) async fn read(server: &Server) -> Result<pb::Queue, CliError> {
    let mut client = JobServiceClient::new(server.channel.clone());
    let queue = client.get_queue(pb::GetQueueRequest {}).await.map_err(|status| server.refused(&status))?;
    Ok(queue.into_inner().queue.unwrap_or_default())
}

/// A line each if the queue is paused and if the stock is full, else nothing.
pub(super) fn stops_in_words(queue: &pb::Queue) -> String {
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
    let at_most = |max: Option<u64>| max.map(|max| format!(" of at most {max}")).unwrap_or_default();
    let waits = queue.oldest_wait.as_ref().map(|wait| format!(", one for {}", tables::duration(wait)));
    format!(
        "{stops}Jobs: {} queued{}, {} running, {} succeeded, {} failed, {} cancelled, {} ended\n\
         Slices: {} leased, {} waiting\n\
         Taken back from workers that died or hung: {} in the last hour, {} in all\n\
         Stock: {} puzzle{}{}; database: {} bytes{}\n",
        queue.queued_jobs,
        waits.unwrap_or_default(),
        queue.running_jobs,
        queue.succeeded_jobs,
        queue.failed_jobs,
        queue.cancelled_jobs,
        queue.ended_jobs,
        queue.leased_slices,
        queue.waiting_slices,
        queue.reclaimed_slices_last_hour,
        queue.reclaimed_slices,
        queue.puzzles,
        if queue.puzzles == 1 { "" } else { "s" },
        at_most(queue.max_puzzles),
        queue.database_bytes,
        at_most(queue.max_database_bytes),
    )
}
