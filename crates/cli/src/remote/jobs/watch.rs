//! `puzzled watch`: shows the progress of a job until its end, or of all stock targets until each is stocked or
//! unreachable.

use std::{
    collections::BTreeMap,
    io::{IsTerminal as _, stderr},
    time::Duration,
};

use clap::{Args, value_parser};
use tonic::{Response, Status, Streaming};

use super::workers;
use crate::{
    CliError, Ended,
    client::{
        Server, ServerArgs,
        dial::{Away, is_away},
    },
    output::{self, json, numbers, tables},
    remote::stock::outlooks::{self, Bars},
};
use puzzled_api::v1::{self as pb, job_service_client::JobServiceClient, stock_service_client::StockServiceClient};

/// Watch a job until its end, or all stock targets until each is stocked or unreachable
///
/// On a terminal, the command shows a bar for each target with the server's forecast. Otherwise, it prints a line for each
/// change. If the server restarts, the command reconnects for up to a minute. A target is stocked if it has at least its
/// low-water mark in stock and no job is filling it. Exit code: 0 the job succeeded, or every target has at least its
/// low-water mark; 1 refused or failed; 2 the job ended otherwise, some target has less, or --timeout expired.
#[derive(Debug, Args)]
pub struct WatchArgs {
    /// ID of the job, such as job-17 [default: the stock targets]
    #[arg(value_name = "JOB")]
    job: Option<String>,

    #[command(flatten)]
    server: ServerArgs,

    /// Longest wait, in seconds, 1 to 604800 [default: no limit]
    #[arg(long, value_name = "S", value_parser = value_parser!(u64).range(1..=604_800))]
    timeout: Option<u64>,

    /// Print one JSON object per line for each change
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &WatchArgs) -> Result<Ended, CliError> {
    args.server.ask(async |server: Server| {
        let mut shown = Shown::new(args.json);
        let bars = shown.bars.clone();
        let watched = async {
            match &args.job {
                Some(id) => job(&server, id, &mut shown).await,
                None => targets(&server, &mut shown).await,
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

/// Shows the progress of a job until its end.
///
/// # Errors
/// [`CliError::Server`] if there is no such job, or if the server is away for more than a minute.
pub(super) async fn until_ended(server: &Server, id: &str, as_json: bool) -> Result<Ended, CliError> {
    let mut shown = Shown::new(as_json);
    let ended = job(server, id, &mut shown).await;
    shown.bars.end();
    ended
}

async fn job(server: &Server, id: &str, shown: &mut Shown) -> Result<Ended, CliError> {
    let mut client = JobServiceClient::new(server.channel.clone());
    let open = async || client.watch_job(pb::WatchJobRequest { id: id.to_owned() }).await;
    follow(server, shown, open, async |shown: &mut Shown, response: pb::WatchJobResponse| {
        let Some(job) = response.job else { return Ok(None) };
        shown.job(&job).await?;
        if job.end_time.is_none() {
            return Ok(None);
        }
        shown.bars.end();
        Ok(Some(if job.state() == pb::JobState::Succeeded { Ended::Done } else { Ended::Partly }))
    })
    .await
}

async fn targets(server: &Server, shown: &mut Shown) -> Result<Ended, CliError> {
    let mut client = StockServiceClient::new(server.channel.clone());
    let open = async || client.watch_stock(pb::WatchStockRequest::default()).await;
    follow(server, shown, open, async |shown: &mut Shown, stock: pb::WatchStockResponse| {
        shown.stock(&stock).await?;
        let is_settled =
            |it: &pb::TargetOutlook| matches!(it.state(), pb::TargetState::Stocked | pb::TargetState::Unreachable);
        if !stock.targets.iter().all(is_settled) {
            return Ok(None);
        }
        shown.table(&stock, workers::count(server).await?).await?;
        Ok(Some(outlooks::ended(&stock.targets)))
    })
    .await
}

/// Reads a stream of the server until `take` returns the result of the watch. If the server restarts, opens the stream again.
async fn follow<M>(
    server: &Server,
    shown: &mut Shown,
    mut open: impl AsyncFnMut() -> Result<Response<Streaming<M>>, Status>,
    mut take: impl AsyncFnMut(&mut Shown, M) -> Result<Option<Ended>, CliError>,
) -> Result<Ended, CliError> {
    let mut away = Away::default();
    loop {
        let fault = match open().await {
            Err(status) => status,
            Ok(stream) => {
                let mut stream = stream.into_inner();
                loop {
                    match stream.message().await {
                        Ok(Some(message)) => {
                            shown.back(&mut away);
                            if let Some(ended) = take(shown, message).await? {
                                return Ok(ended);
                            }
                        }
                        Ok(None) => break Status::unavailable("the server ended the stream"),
                        Err(status) => break status,
                    }
                }
            }
        };
        shown.away(server, &mut away, fault).await?;
    }
}

/// The output of a watch: bars on a terminal, otherwise a line for each change, or JSON.
struct Shown {
    bars: Bars,
    as_json: bool,
    is_terminal: bool,
    /// The last line of each target, so that only changes are printed.
    lines: BTreeMap<String, String>,
}

impl Shown {
    fn new(as_json: bool) -> Self {
        Self { bars: Bars::new(), as_json, is_terminal: stderr().is_terminal(), lines: BTreeMap::new() }
    }

    async fn job(&self, job: &pb::Job) -> Result<(), CliError> {
        self.bars.job(job);
        if self.as_json {
            return output::print_aside(json::message(job.clone())? + "\n").await;
        }
        if job.end_time.is_some() || !self.is_terminal {
            return output::print_aside(in_words(job)).await;
        }
        Ok(())
    }

    async fn stock(&mut self, stock: &pb::WatchStockResponse) -> Result<(), CliError> {
        if self.as_json {
            return output::print_aside(json::message(stock.clone())? + "\n").await;
        }
        for outlook in &stock.targets {
            self.bars.show(outlook);
            let id = outlook.target.as_ref().map(|target| target.id.clone()).unwrap_or_default();
            let line = outlooks::line(outlook);
            if !self.is_terminal && self.lines.insert(id, line.clone()).as_ref() != Some(&line) {
                output::print_aside(line + "\n").await?;
            }
        }
        Ok(())
    }

    async fn table(&self, stock: &pb::WatchStockResponse, workers: u32) -> Result<(), CliError> {
        self.bars.end();
        if self.as_json { Ok(()) } else { output::print_aside(outlooks::table(&stock.targets, workers, false)).await }
    }

    /// Prints once that the server is away, and waits before the next connection.
    async fn away(&self, server: &Server, away: &mut Away, fault: Status) -> Result<(), CliError> {
        if !away.has_failed() && is_away(&fault) {
            self.bars.remark("connection lost; reconnecting for up to a minute");
        }
        away.wait(fault).await.map_err(|status| server.refused(&status))
    }

    /// Prints once that the server is back.
    fn back(&self, away: &mut Away) {
        if away.has_failed() {
            self.bars.remark("connected again");
        }
        away.is_back();
    }
}

/// A job on one line: `job-3 running: made 4 of 10 in 90 tries`.
pub(crate) fn in_words(job: &pb::Job) -> String {
    let error = if job.error.is_empty() { String::new() } else { format!(": {}", job.error) };
    format!(
        "{} {}: made {} of {} in {} tries{error}\n",
        job.id,
        tables::word(job.state()),
        numbers::count(job.made),
        numbers::count(job.wanted),
        numbers::count(job.tries)
    )
}
