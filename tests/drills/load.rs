//! The load on servers that are restarted: until the load is stopped, concurrent callers draw puzzles, queue jobs, and
//! read and export the stock. Records durations, failures, and acknowledged jobs.

use std::{collections::BTreeSet, sync::Mutex, time::Duration};

use futures_util::future::join_all;
use hdrhistogram::Histogram;
use puzzled_api::v1::{
    GenerateRequest, GetPuzzleRequest, GetQueueRequest, GetServerInfoRequest, Kind, Level, ListJobsRequest,
    job_service_client::JobServiceClient, puzzle_service_client::PuzzleServiceClient,
    server_service_client::ServerServiceClient,
};
use puzzled_base::clock::Clock;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use crate::client::Client;

/// Concurrent callers.
const CALLERS: u32 = 6;

/// Puzzles that one audience gets; the stock has more.
const DELIVERIES: u32 = 20;

/// The results of a load.
#[derive(Debug)]
pub(crate) struct Load {
    pub(crate) failed: Mutex<Vec<String>>,
    /// Durations of unary calls with their retries, in microseconds.
    micros: Mutex<Histogram<u64>>,
    /// The request IDs of the acknowledged jobs.
    pub(crate) jobs: Mutex<BTreeSet<String>>,
}

impl Load {
    /// Calls until `stop` is raised. Names are unique by `round`.
    pub(crate) async fn run(client: &Client, clock: &dyn Clock, round: &str, stop: &CancellationToken) -> Self {
        let micros = Mutex::new(Histogram::new(3).unwrap());
        let load = Self { failed: Mutex::default(), micros, jobs: Mutex::default() };
        let caller = async |caller| {
            let (name, mut turn) = (format!("{round}-{caller}"), 0_u32);
            while !stop.is_cancelled() {
                load.one_turn(client, clock, &name, turn).await;
                turn += 1;
            }
        };
        join_all((0..CALLERS).map(caller)).await;
        load
    }

    pub(crate) fn summary(&self) -> String {
        let micros = self.micros.lock().unwrap();
        let [p50, p99, max] = [0.5, 0.99, 1.0].map(|q| Duration::from_micros(micros.value_at_quantile(q)));
        let failed = self.failed.lock().unwrap().len();
        format!("{} unary calls, {failed} failed, p50 {p50:?}, p99 {p99:?}, max {max:?}", micros.len())
    }

    async fn one_turn(&self, client: &Client, clock: &dyn Clock, name: &str, turn: u32) {
        let get = GetPuzzleRequest {
            kind: Kind::Sudoku.into(),
            audience: format!("{name}-{}", turn / DELIVERIES),
            request_id: format!("{name}-{turn}"),
            ..Default::default()
        };
        let drawn = self.timed(
            clock,
            client.call("PuzzleService/GetPuzzle", async |channel| {
                PuzzleServiceClient::new(channel).get_puzzle(get.clone()).await
            }),
        );
        drawn.await;
        let queue = client.call("JobService/GetQueue", async |channel| {
            JobServiceClient::new(channel).get_queue(GetQueueRequest {}).await
        });
        self.timed(clock, queue).await;
        let info = client.call("ServerService/GetServerInfo", async |channel| {
            ServerServiceClient::new(channel).get_server_info(GetServerInfoRequest {}).await
        });
        self.timed(clock, info).await;
        if turn.is_multiple_of(10) {
            self.queue_a_job(client, clock, &format!("{name}-{turn}")).await;
        }
        if turn.is_multiple_of(25)
            && let Some(ids) = self.noted(client.export().await)
            && ids.iter().collect::<BTreeSet<_>>().len() != ids.len()
        {
            self.failed.lock().unwrap().push("an export has a puzzle twice".to_owned());
        }
    }

    async fn queue_a_job(&self, client: &Client, clock: &dyn Clock, name: &str) {
        let generate = GenerateRequest {
            kind: Kind::Sudoku.into(),
            level: Level::Easy.into(),
            request_id: name.to_owned(),
            ..Default::default()
        };
        let queued = self.timed(
            clock,
            client.call("PuzzleService/Generate", async |channel| {
                PuzzleServiceClient::new(channel).generate(generate.clone()).await
            }),
        );
        if queued.await.is_some() {
            self.jobs.lock().unwrap().insert(name.to_owned());
        }
        let listed = client.call("JobService/ListJobs", async |channel| {
            JobServiceClient::new(channel).list_jobs(ListJobsRequest::default()).await
        });
        self.timed(clock, listed).await;
    }

    async fn timed<T>(&self, clock: &dyn Clock, call: impl Future<Output = Result<T, Status>>) -> Option<T> {
        let began = clock.elapsed();
        let answer = call.await;
        let took = clock.elapsed().saturating_sub(began);
        self.micros.lock().unwrap().record(u64::try_from(took.as_micros()).unwrap()).unwrap();
        self.noted(answer)
    }

    fn noted<T>(&self, answer: Result<T, Status>) -> Option<T> {
        answer.map_err(|status| self.failed.lock().unwrap().push(format!("{status:?}"))).ok()
    }
}
