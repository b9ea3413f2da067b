//! `puzzled watch`: a job until its end, or the stock targets until there is nothing more to wait for.

use std::time::Duration;

use clap::{Args, value_parser};

use super::{
    CliError, Ended,
    bars::Bars,
    client::{Server, ServerArgs},
    json, output, stock, tables,
};
use crate::proto::v1::{self as pb, job_service_client::JobServiceClient, stock_service_client::StockServiceClient};

/// Watches a job until its end, or all stock targets until each is stocked or unreachable
///
/// A target is stocked if it has at least its low-water mark in stock and no job is filling it. Exit code: 0 the job succeeded,
/// or every target has at least its low-water mark; 1 refused or failed; 2 the job ended otherwise, some target has less, or
/// the time was over.
#[derive(Debug, Args)]
pub(super) struct WatchArgs {
    /// Id of the job, such as job-17 [default: the stock targets]
    #[arg(value_name = "JOB")]
    job: Option<String>,

    #[command(flatten)]
    server: ServerArgs,

    /// Longest wait, in seconds, 1 to 604800 [default: no bound]
    #[arg(long, value_name = "S", value_parser = value_parser!(u64).range(1..=604_800))]
    timeout: Option<u64>,

    /// Print one JSON object a line for each change
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &WatchArgs) -> Result<Ended, CliError> {
    args.server.ask(async |server: Server| {
        let bars = Bars::new();
        let watched = async {
            match &args.job {
                Some(id) => job(&server, id, &bars, args.json).await,
                None => targets(&server, &bars, args.json).await,
            }
        };
        let ended = match args.timeout {
            None => watched.await,
            Some(seconds) => tokio::time::timeout(Duration::from_secs(seconds), watched).await.unwrap_or_else(|_| {
                bars.remark(&format!("the time is over after {seconds} s"));
                Ok(Ended::Partly)
            }),
        };
        bars.end();
        ended
    })
}

async fn job(server: &Server, id: &str, bars: &Bars, as_json: bool) -> Result<Ended, CliError> {
    let mut client = JobServiceClient::new(server.channel.clone());
    let request = pb::WatchJobRequest { id: id.to_owned() };
    let mut watch = client.watch_job(request).await.map_err(|status| server.refused(&status))?.into_inner();
    let mut last = None;
    while let Some(message) = watch.message().await.map_err(|status| server.refused(&status))? {
        if let Some(job) = message.job {
            bars.job(&job);
            if as_json {
                output::print(&(json::message(job.clone())? + "\n"))?;
            }
            last = Some(job);
        }
    }
    let Some(job) = last else { return Err(server.failed(format!("it said nothing of {id}"))) };
    bars.end();
    if !as_json {
        output::print(&in_words(&job))?;
    }
    Ok(if job.state() == pb::JobState::Succeeded { Ended::Done } else { Ended::Partly })
}

fn in_words(job: &pb::Job) -> String {
    let state = tables::word(job.state());
    let error = if job.error.is_empty() { String::new() } else { format!(": {}", job.error) };
    format!(
        "{} {state}: made {} of {}, {} surplus, in {} tries{error}\n",
        job.id, job.made, job.wanted, job.surplus, job.tries
    )
}

async fn targets(server: &Server, bars: &Bars, as_json: bool) -> Result<Ended, CliError> {
    let mut client = StockServiceClient::new(server.channel.clone());
    let watch = client.watch_stock(pb::WatchStockRequest::default()).await;
    let mut watch = watch.map_err(|status| server.refused(&status))?.into_inner();
    while let Some(stock) = watch.message().await.map_err(|status| server.refused(&status))? {
        stock.targets.iter().for_each(|outlook| bars.show(outlook));
        if as_json {
            output::print(&(json::message(stock.clone())? + "\n"))?;
        }
        let is_settled = |outlook: &pb::TargetOutlook| {
            matches!(outlook.state(), pb::TargetState::Stocked | pb::TargetState::Unreachable)
        };
        if stock.targets.iter().all(is_settled) {
            bars.end();
            if !as_json {
                output::print(&stock::targets(&stock.targets))?;
            }
            return Ok(stock::ended(&stock.targets));
        }
    }
    Err(server.failed("it ended the stream".to_owned()))
}
