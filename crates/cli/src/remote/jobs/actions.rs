//! `puzzled cancel` and `retry`: commands that change one job on a running server.

use clap::Args;
use tonic::Status;

use super::watch;
use crate::{
    CliError, Ended,
    client::{Connection, Server, ServerArgs},
    output::{self, json, tables},
};
use puzzled_api::v1::{self as pb, job_service_client::JobServiceClient};

/// Cancel a job; its puzzles stay in stock
///
/// Workers stop the slices of the job within about a second. Exit code: 0 cancelled, now or earlier; 1 refused or failed, or
/// the job had ended otherwise.
#[derive(Debug, Args)]
pub struct CancelArgs {
    #[command(flatten)]
    job: JobArgs,
}

/// Retry a job that failed, was cancelled, or ended early
///
/// The job resumes where it stopped. Exit code: 0 queued or running, 1 refused or failed.
#[derive(Debug, Args)]
pub struct RetryArgs {
    #[command(flatten)]
    job: JobArgs,
}

/// Names a job and its server.
#[derive(Debug, Args)]
struct JobArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// ID of the job, such as job-17
    #[arg(value_name = "JOB")]
    id: String,

    /// Print one JSON object, a Job
    #[arg(long)]
    json: bool,
}

pub(crate) fn cancel(args: &CancelArgs) -> Result<Ended, CliError> {
    let request = pb::CancelJobRequest { id: args.job.id.clone() };
    let call =
        async |mut client: JobServiceClient<_>| client.cancel_job(request).await.map(|answer| answer.into_inner().job);
    let wanted = [pb::JobState::Cancelled];
    args.job.show(call, &wanted, "only a queued or running job can be cancelled")
}

pub(crate) fn retry(args: &RetryArgs) -> Result<Ended, CliError> {
    let request = pb::RetryJobRequest { id: args.job.id.clone() };
    let call =
        async |mut client: JobServiceClient<_>| client.retry_job(request).await.map(|answer| answer.into_inner().job);
    let wanted = [pb::JobState::Queued, pb::JobState::Running];
    args.job.show(call, &wanted, "only a failed, cancelled, or ended job that is not pruned can be retried")
}

impl JobArgs {
    /// Makes a call about the job, and prints the job after the call. If the call does not apply to the job, the server
    /// returns it unchanged.
    ///
    /// # Errors
    /// [`CliError::Server`] with `allowed` if the job is not in one of the `wanted` states after the call.
    fn show(
        &self,
        call: impl AsyncFnOnce(JobServiceClient<Connection>) -> Result<Option<pb::Job>, Status>,
        wanted: &[pb::JobState],
        allowed: &str,
    ) -> Result<Ended, CliError> {
        let job = self.server.ask(async |server: Server| {
            let answer = call(JobServiceClient::new(server.channel.clone())).await;
            let job = answer.map_err(|status| server.refused(&status))?.unwrap_or_default();
            if wanted.contains(&job.state()) {
                return Ok(job);
            }
            Err(server.failed(format!("{} is in the state {}; {allowed}", job.id, tables::word(job.state()))))
        })?;
        output::print_result(&if self.json { json::message(job)? + "\n" } else { watch::in_words(&job) })
    }
}
