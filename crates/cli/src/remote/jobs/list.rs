//! `puzzled jobs`: lists the jobs of a running server, newest first, filtered by state, label, or stock target.

use clap::{Args, value_parser};

use super::queue;
use crate::{
    CliError, Ended,
    client::{Server, ServerArgs, list, server_clock},
    output::{
        self, json, numbers,
        tables::{self, Cells},
    },
};
use puzzled_api::v1::{self as pb, job_service_client::JobServiceClient};
use puzzled_engine::shared::names;

/// List a server's jobs, newest first
///
/// If the queue is paused or the stock is full, the first line says so. AGE is the time since the job was queued. Exit
/// code: 0 listed, 1 refused or failed.
#[derive(Debug, Args)]
pub struct JobsArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// Only jobs in this state: queued, running, succeeded, failed, cancelled, or ended; repeat the flag for several states
    #[arg(long, value_name = "STATE", value_parser = state)]
    state: Vec<pb::JobState>,

    /// Only jobs with this label, name=value; repeat the flag for jobs with all of several labels
    #[arg(long, value_name = "LABEL", value_parser = label)]
    label: Vec<(String, String)>,

    /// Only jobs that fill this stock target, such as target-3
    #[arg(long, value_name = "TARGET", default_value = "", hide_default_value = true)]
    target: String,

    /// Maximum number of jobs to list, 1 to 100000
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u32).range(1..=100_000))]
    limit: u32,

    /// Print errors in full
    #[arg(short, long)]
    verbose: bool,

    /// Print one JSON object per line instead of a table
    #[arg(long)]
    json: bool,
}

fn state(word: &str) -> Result<pb::JobState, String> {
    let name = format!("JOB_STATE_{}", word.to_ascii_uppercase());
    let known = pb::JobState::from_str_name(&name).filter(|&state| state != pb::JobState::Unspecified);
    known.ok_or_else(|| {
        let names = ["queued", "running", "succeeded", "failed", "cancelled", "ended"];
        format!("unknown state {}; {}", names::quoted(word), names::hint(word, &names))
    })
}

/// Parses a label.
pub(super) fn label(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("not name=value")?;
    Ok((name.to_owned(), value.to_owned()))
}

pub(crate) fn run(args: &JobsArgs) -> Result<Ended, CliError> {
    let read = async |server: Server| Ok((queue::read(&server).await?, read(&server, args).await?));
    let (queue, jobs) = args.server.ask(read)?;
    output::print_result(&if args.json {
        json::messages(jobs)?
    } else {
        queue::stops_in_words(&queue) + &as_table(&jobs, args.verbose)
    })
}

async fn read(server: &Server, args: &JobsArgs) -> Result<Vec<pb::Job>, CliError> {
    let request = pb::ListJobsRequest {
        states: args.state.iter().map(|&state| state.into()).collect(),
        labels: args.label.iter().cloned().collect(),
        target_id: args.target.clone(),
        ..pb::ListJobsRequest::default()
    };
    list!(server, JobServiceClient.list_jobs(request).jobs, args.limit)
}

/// The table of jobs, followed by a line for each error, which is cut unless `whole`.
fn as_table(jobs: &[pb::Job], whole: bool) -> String {
    let now = numbers::timestamp(server_clock::now());
    let age = |job: &pb::Job| job.create_time.as_ref().map(|at| numbers::between(at, &now));
    let table = tables::list(
        jobs,
        &[
            ("JOB", Cells::Text, &|job| job.id.clone()),
            ("PUZZLES", Cells::Wrapped, &puzzles),
            ("STATE", Cells::Text, &|job| tables::word(job.state())),
            ("MADE", Cells::Numbers, &|job| format!("{}/{}", numbers::count(job.made), numbers::count(job.wanted))),
            ("TRIES", Cells::Numbers, &|job| numbers::count(job.tries)),
            ("PRIORITY", Cells::Numbers, &|job| job.priority.to_string()),
            ("AGE", Cells::Numbers, &|job| age(job).unwrap_or_default()),
        ],
    );
    let failed = jobs.iter().filter(|job| !job.error.is_empty());
    let errors: Vec<_> = failed.map(|job| tables::remark(&job.id, &job.error, whole)).collect();
    table + &errors.concat()
}

/// The puzzles of a job, and the target that it fills: `sudoku 9x9 hard (target-3)`.
fn puzzles(job: &pb::Job) -> String {
    let target = if job.target_id.is_empty() { String::new() } else { format!(" ({})", job.target_id) };
    tables::job(job) + &target
}
