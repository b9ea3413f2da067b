//! `puzzled queue`: the queue of a server as a whole, paused and let go on.

use clap::Args;

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

/// A line that says so if the queue is paused, else nothing.
pub(super) fn pause_in_words(queue: &pb::Queue) -> String {
    if !queue.paused {
        return String::new();
    }
    let since = queue.pause_time.as_ref().map(|at| format!(" since {at}")).unwrap_or_default();
    let reason = if queue.pause_reason.is_empty() { String::new() } else { format!(": {}", queue.pause_reason) };
    format!("The queue is paused{since}{reason}\n")
}

fn in_words(queue: &pb::Queue) -> String {
    let paused = if queue.paused { pause_in_words(queue) } else { "The queue runs.\n".to_owned() };
    let waits = queue.oldest_wait.as_ref().map(|wait| format!(", one for {}", tables::duration(wait)));
    format!(
        "{paused}Jobs: {} queued{}, {} running, {} succeeded, {} failed, {} cancelled, {} ended\n\
         Slices: {} leased, {} waiting\n\
         Taken back from workers that died or hung: {} in the last hour, {} in all\n",
        queue.queued_jobs,
        waits.unwrap_or_default(),
        queue.running_jobs,
        queue.succeeded_jobs,
        queue.failed_jobs,
        queue.cancelled_jobs,
        queue.ended_jobs,
        queue.leased_slices,
        queue.waiting_slices,
        queue.rescues_last_hour,
        queue.rescues,
    )
}
