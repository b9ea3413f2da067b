//! A client that retries as `proto/service_config.json` says, over the addresses of several servers in turn.

use std::{
    collections::BTreeSet,
    error::Error as _,
    path::Path,
    sync::atomic::{AtomicU64, AtomicUsize, Ordering},
    time::Duration,
};

use puzzled_api::v1::{ExportPuzzlesRequest, puzzle_service_client::PuzzleServiceClient};
use serde_json::Value;
use tokio::time::sleep;
use tonic::{
    Code, Status,
    transport::{Channel, Endpoint},
};

/// Methods that the policy does not retry. The caller repeats them with the `request_id` of the first attempt.
const NAMED: [&str; 2] = ["PuzzleService/Generate", "PuzzleService/GetPuzzle"];

/// Calls servers, and retries.
pub(crate) struct Client {
    channels: Vec<Channel>,
    policy: Policy,
    turn: AtomicUsize,
    retries: AtomicU64,
}

/// The retry policy of the file.
struct Policy {
    methods: BTreeSet<String>,
    attempts_max: u64,
    first_pause: Duration,
    longest_pause: Duration,
    multiplier: u32,
}

impl Policy {
    fn read() -> Self {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("proto/service_config.json");
        let config: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        let [method] = config["methodConfig"].as_array().unwrap().as_slice() else { panic!("several policies") };
        let policy = &method["retryPolicy"];
        assert_eq!(policy["retryableStatusCodes"], serde_json::json!(["UNAVAILABLE"]));
        let short = |name: &Value| {
            let service = name["service"].as_str().unwrap().strip_prefix("puzzled.v1.").unwrap();
            format!("{service}/{}", name["method"].as_str().unwrap())
        };
        let seconds = |field: &str| {
            let text = policy[field].as_str().unwrap().strip_suffix('s').unwrap();
            Duration::from_secs_f64(text.parse().unwrap())
        };
        Self {
            methods: method["name"].as_array().unwrap().iter().map(short).collect(),
            attempts_max: policy["maxAttempts"].as_u64().unwrap(),
            first_pause: seconds("initialBackoff"),
            longest_pause: seconds("maxBackoff"),
            multiplier: u32::try_from(policy["backoffMultiplier"].as_u64().unwrap()).unwrap(),
        }
    }
}

impl Client {
    /// A client of the servers at these addresses. It connects when it first calls.
    pub(crate) fn of(addresses: &[String]) -> Self {
        let channel = |address: &String| Endpoint::from_shared(format!("http://{address}")).unwrap().connect_lazy();
        let channels = addresses.iter().map(channel).collect();
        Self { channels, policy: Policy::read(), turn: AtomicUsize::new(0), retries: AtomicU64::new(0) }
    }

    /// The number of attempts that were retried.
    pub(crate) fn retries(&self) -> u64 {
        self.retries.load(Ordering::Relaxed)
    }

    /// Calls a method, such as `JobService/GetJob`. Retries within the policy while it fails with UNAVAILABLE.
    pub(crate) async fn call<T>(
        &self,
        method: &str,
        call: impl AsyncFn(Channel) -> Result<T, Status>,
    ) -> Result<T, Status> {
        assert!(
            self.policy.methods.contains(method) || NAMED.contains(&method),
            "{method} is neither in the retry policy nor in NAMED"
        );
        let mut pause = self.policy.first_pause;
        for _ in 1..self.policy.attempts_max {
            match call(self.channel()).await {
                Err(status) if is_retryable(&status) => {}
                ended => return ended,
            }
            self.retries.fetch_add(1, Ordering::Relaxed);
            sleep(pause).await;
            pause = (pause * self.policy.multiplier).min(self.policy.longest_pause);
        }
        call(self.channel()).await
    }

    /// The IDs of all puzzles in stock, from a stream that is resumed after the last ID whenever it is interrupted.
    pub(crate) async fn export(&self) -> Result<Vec<String>, Status> {
        let mut ids: Vec<String> = Vec::new();
        loop {
            let request =
                ExportPuzzlesRequest { after_id: ids.last().cloned().unwrap_or_default(), ..Default::default() };
            let mut stream = self
                .call("PuzzleService/ExportPuzzles", async |channel| {
                    PuzzleServiceClient::new(channel).export_puzzles(request.clone()).await
                })
                .await?
                .into_inner();
            loop {
                match stream.message().await {
                    Ok(Some(answer)) => ids.extend(answer.puzzles.into_iter().map(|puzzle| puzzle.id)),
                    Ok(None) => return Ok(ids),
                    Err(status) if is_retryable(&status) => break,
                    Err(status) => return Err(status),
                }
            }
            self.retries.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn channel(&self) -> Channel {
        self.channels[self.turn.fetch_add(1, Ordering::Relaxed) % self.channels.len()].clone()
    }
}

/// Whether to retry an attempt. If a connection closes before a call is sent on it, tonic cancels the call, while other
/// gRPC clients use another connection. Such an error has a source; a status from a server has none.
fn is_retryable(status: &Status) -> bool {
    let is_unsent = status.code() == Code::Cancelled && status.source().is_some();
    status.code() == Code::Unavailable || is_unsent
}
