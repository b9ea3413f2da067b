//! `puzzled refill`: starts refills of stock targets now, even outside their windows, and waits until the targets are
//! full.

use std::time::Duration;

use clap::{Args, value_parser};
use tokio::task::JoinSet;
use tonic::Code;
use tonic_types::StatusExt as _;

use super::{
    outlooks::{self, Bars},
    show,
};
use crate::{
    CliError, Ended,
    client::{
        Server, ServerArgs,
        dial::{Away, REST},
    },
    output::{self, json},
    remote::jobs::{queue, workers},
};
use puzzled_api::v1::{self as pb, job_service_client::JobServiceClient, stock_service_client::StockServiceClient};

/// Fill stock targets now, even outside their windows, and wait until they are full
///
/// Without arguments, the command fills every target that is not full, except unreachable ones. If --timeout expires, the jobs
/// continue. Exit code: 0 every target is full, 1 refused or failed, 2 some targets are not.
#[derive(Debug, Args)]
pub struct RefillArgs {
    /// IDs of the targets, such as target-3 [default: all]
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,

    #[command(flatten)]
    server: ServerArgs,

    /// Longest wait, in seconds, 0 to 604800; 0 does not wait [default: no limit]
    #[arg(long, value_name = "S", value_parser = value_parser!(u64).range(0..=604_800))]
    timeout: Option<u64>,

    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &RefillArgs) -> Result<Ended, CliError> {
    let (outlooks, workers) = args.server.ask(async |server: Server| {
        let outlooks = refill(&server, args).await?;
        Ok((outlooks, workers::count(&server).await?))
    })?;
    let is_full = outlooks.iter().all(|outlook| outlook.missing == 0);
    output::print(&if args.json {
        json::refilled(outlooks)? + "\n"
    } else if outlooks.is_empty() {
        "No stock targets are set; create some with `puzzled target apply FILE`.\n".to_owned()
    } else {
        outlooks::table(&outlooks, workers, false)
    })?;
    Ok(if is_full { Ended::Done } else { Ended::Partly })
}

/// Fills the named targets, or all, and returns their outlooks afterwards.
async fn refill(server: &Server, args: &RefillArgs) -> Result<Vec<pb::TargetOutlook>, CliError> {
    let before = show::read(server).await?.targets;
    for id in &args.targets {
        if !before.iter().any(|outlook| id_of(outlook) == *id) {
            return Err(server.failed(format!("there is no stock target {id:?}; `puzzled target list` lists all")));
        }
    }
    let is_meant = |outlook: &pb::TargetOutlook| args.targets.is_empty() || args.targets.contains(&id_of(outlook));
    let bars = Bars::new();
    let stops = queue::stops_in_words(&queue::read(server).await?);
    if !stops.is_empty() {
        bars.remark(stops.trim_end());
    }
    let mut under_way = JoinSet::new();
    for outlook in before.into_iter().filter(is_meant) {
        // An unreachable target is refilled only if the user names it.
        let is_left_alone = args.targets.is_empty() && outlook.state() == pb::TargetState::Unreachable;
        if outlook.missing > 0 && !is_left_alone {
            let waits = args.timeout != Some(0);
            let (server, bars) = (server.clone(), bars.clone());
            under_way.spawn(Filling { server, bars, waits }.fill(outlook));
        }
    }
    let all = async {
        let mut ended = Ok(());
        while let Some(filled) = under_way.join_next().await {
            ended = ended.and(filled.unwrap_or_else(|error| Err(server.failed(error.to_string()))));
        }
        ended
    };
    match args.timeout.filter(|&seconds| seconds > 0) {
        None => all.await?,
        Some(seconds) => match tokio::time::timeout(Duration::from_secs(seconds), all).await {
            Ok(ended) => ended?,
            Err(_) => bars.remark(&format!("the wait ended after {seconds} s; open jobs continue")),
        },
    }
    bars.end();
    Ok(show::read(server).await?.targets.into_iter().filter(is_meant).collect())
}

fn id_of(outlook: &pb::TargetOutlook) -> String {
    outlook.target.as_ref().map(|target| target.id.clone()).unwrap_or_default()
}

/// A target that is being filled.
struct Filling {
    server: Server,
    bars: Bars,
    waits: bool,
}

impl Filling {
    /// Requests a job, waits for its end, and requests another one, until nothing is missing or a job fails or is cancelled.
    async fn fill(self, outlook: pb::TargetOutlook) -> Result<(), CliError> {
        let mut client = StockServiceClient::new(self.server.channel.clone());
        let id = id_of(&outlook);
        self.bars.show(&outlook);
        let mut away = Away::default();
        loop {
            let request = pb::RefillRequest { id: id.clone() };
            let answer = client.refill(request).await;
            let job = match answer {
                Ok(answer) => answer.into_inner().job,
                // `RetryInfo` marks a limit that passes. Without it, a retry would fail again.
                Err(status)
                    if self.waits
                        && status.code() == Code::ResourceExhausted
                        && status.get_details_retry_info().is_some() =>
                {
                    tokio::time::sleep(REST).await;
                    continue;
                }
                Err(status) => {
                    away.wait(status).await.map_err(|status| self.server.refused(&status))?;
                    continue;
                }
            };
            away.is_back();
            let Some(job) = job.filter(|_| self.waits) else { return Ok(()) };
            let job = self.wait_for(job, &id).await?;
            // A planned job may end with its window. The next job is a manual refill, which has no window.
            if !matches!(job.state(), pb::JobState::Succeeded | pb::JobState::Ended) {
                return Ok(());
            }
        }
    }

    /// Waits for the end of a job, and returns the job. If the server is away for a while, waits for it.
    async fn wait_for(&self, mut job: pb::Job, target: &str) -> Result<pb::Job, CliError> {
        let mut client = JobServiceClient::new(self.server.channel.clone());
        let mut away = Away::default();
        while job.end_time.is_none() {
            let request = pb::WatchJobRequest { id: job.id.clone() };
            let mut watch = match client.watch_job(request).await {
                Ok(watch) => watch.into_inner(),
                Err(status) => {
                    away.wait(status).await.map_err(|status| self.server.refused(&status))?;
                    continue;
                }
            };
            // However the stream ends, the last known state of the job decides.
            while let Ok(Some(pb::WatchJobResponse { job: Some(now) })) = watch.message().await {
                away.is_back();
                self.bars.moved(target, &now);
                job = now;
            }
        }
        Ok(job)
    }
}
