//! `puzzled enqueue`: queues a job on a running server, and watches it on request.

use std::io::{Write as _, stderr};

use clap::{Args, value_parser};
use prost_types::Timestamp;

use super::{list, queue, watch};
use crate::{
    CliError, Ended,
    client::{Server, ServerArgs},
    input::{criteria_flags::SpecArgs, spec},
    output::{self, json, numbers, tables},
};
use puzzled_api::{
    criteria::StatesCriteria as _,
    v1::{self as pb, puzzle_service_client::PuzzleServiceClient},
};

/// Queue a job that makes puzzles for the stock
///
/// The server checks the spec, and workers make the puzzles. Exit code: 0 queued, now or earlier under the same --request-id; 1
/// refused or failed. With --watch, also 2: the job ended without all of its puzzles.
#[derive(Debug, Args)]
pub struct EnqueueArgs {
    #[command(flatten)]
    server: ServerArgs,

    #[command(flatten)]
    spec: SpecArgs,

    /// Number of puzzles; `max_count` of `puzzled info` is the limit
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: u32,

    /// Seed of all random choices; needs the right to solutions [default: a random one]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Priority, -100 to 100; jobs with a higher priority run first
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = value_parser!(i32).range(-100..=100))]
    priority: i32,

    /// Label of the job, name=value; repeat the flag for several labels
    #[arg(long, value_name = "LABEL", value_parser = list::label)]
    label: Vec<(String, String)>,

    /// Audience that will hold the puzzles, so that nobody else gets them [default: none]
    #[arg(long, value_name = "NAME")]
    audience: Option<String>,

    /// Name of the request: a repeat with the same name queues no other job [default: none]
    #[arg(long, value_name = "NAME")]
    request_id: Option<String>,

    /// Time before which the job does not start, such as 2026-11-25T09:00:00Z [default: now]
    #[arg(long, value_name = "TIME", value_parser = spec::time)]
    not_before: Option<Timestamp>,

    /// Show the progress of the job until its end, as `puzzled watch` does
    #[arg(long)]
    watch: bool,

    /// Print one JSON object, a Job; with --watch, one per line for each change
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &EnqueueArgs) -> Result<Ended, CliError> {
    let request = args.request()?;
    args.server.ask(async |server: Server| {
        let answer = PuzzleServiceClient::new(server.channel.clone()).generate(request).await;
        let job = answer.map_err(|status| server.refused(&status))?.into_inner().job.unwrap_or_default();
        let id = job.id.clone();
        if !args.json {
            output::print(&in_words(&job))?;
        } else if !args.watch {
            output::print(&(json::message(job)? + "\n"))?;
        }
        if !args.watch {
            return Ok(Ended::Done);
        }
        let stops = queue::stops_in_words(&queue::read(&server).await?);
        // If standard error cannot be written, the watch is still right.
        let _ = stderr().write_all(stops.as_bytes());
        watch::until_ended(&server, &id, args.json).await
    })
}

impl EnqueueArgs {
    fn request(&self) -> Result<pb::GenerateRequest, CliError> {
        let request = pb::GenerateRequest {
            count: Some(self.count),
            seed: self.seed,
            priority: self.priority,
            not_before_time: self.not_before,
            request_id: self.request_id.clone().unwrap_or_default(),
            audience: self.audience.clone().unwrap_or_default(),
            labels: self.label.iter().cloned().collect(),
            ..pb::GenerateRequest::default()
        };
        Ok(request.stating(&self.spec.criteria()?))
    }
}

/// What was queued. A repeat of a request may return a job that has begun or ended.
fn in_words(job: &pb::Job) -> String {
    if job.state() != pb::JobState::Queued {
        return watch::in_words(job);
    }
    format!("queued {}: {} {}\n", job.id, numbers::count(job.wanted), tables::job(job))
}
