//! The clients of the bench `crowd`: a measured client, which calls `GetPuzzle` or `Hint`, and a flood, which is one
//! other client that keeps many `Rate` calls of a hard puzzle in flight.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use puzzled_api::v1::{GetPuzzleRequest, HintRequest, Kind, RateRequest, puzzle_service_client::PuzzleServiceClient};
use tokio::task::JoinSet;
use tonic::{Code, transport::Channel};

use crate::{load, server::Server};

/// A puzzle whose hints take little time.
const EASY: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// Golden Nugget, which takes seconds to rate.
const HARD: &str = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";

/// The address of the measured clients. The flood has another one.
const MEASURED_FROM: [u8; 4] = [127, 0, 0, 2];

/// Calls that one connection carries at a time, by default.
const STREAMS_PER_CONNECTION: usize = 200;

/// How long a refused caller waits before its next call: a tenth of the time that the refusal asks for.
const REST: Duration = Duration::from_millis(100);

/// A client that makes calls of one method.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    client: PuzzleServiceClient<Channel>,
    is_hint: bool,
}

impl Caller {
    /// Connects a client that makes calls of this method.
    pub(crate) async fn connect(server: &Server, call: &str) -> Self {
        let channel = server.channel(Some(MEASURED_FROM)).await;
        Self { client: PuzzleServiceClient::new(channel), is_hint: call == "Hint" }
    }
}

impl load::Caller for Caller {
    async fn call(&mut self) {
        let kind = Kind::Sudoku.into();
        if self.is_hint {
            let request = HintRequest { kind, text: EASY.to_owned(), ..HintRequest::default() };
            self.client.hint(request).await.expect("a hint");
        } else {
            self.client.get_puzzle(GetPuzzleRequest { kind, ..GetPuzzleRequest::default() }).await.expect("a puzzle");
        }
    }
}

/// One client that keeps a fixed number of `Rate` calls of a hard puzzle in flight.
#[derive(Debug)]
pub(crate) struct Flood {
    callers: JoinSet<()>,
    counts: Arc<Counts>,
}

/// How the calls of a flood ended.
#[derive(Debug, Default)]
struct Counts {
    rated: AtomicU64,
    refused: AtomicU64,
}

impl Flood {
    pub(crate) async fn begin(server: &Server, rates: usize) -> Self {
        let (mut callers, counts) = (JoinSet::new(), Arc::new(Counts::default()));
        let mut clients = Vec::new();
        for _ in 0..rates.div_ceil(STREAMS_PER_CONNECTION) {
            clients.push(PuzzleServiceClient::new(server.channel(None).await));
        }
        for number in 0..rates {
            let client = clients[number % clients.len()].clone();
            callers.spawn(keep_rating(client, Arc::clone(&counts)));
        }
        Self { callers, counts }
    }

    /// Stops the flood, and says in words how its calls ended.
    pub(crate) async fn end(mut self) -> String {
        self.callers.shutdown().await;
        format!("{} rated, {} refused", self.counts.rated.load(Relaxed), self.counts.refused.load(Relaxed))
    }
}

async fn keep_rating(mut client: PuzzleServiceClient<Channel>, counts: Arc<Counts>) {
    loop {
        let request = RateRequest { kind: Kind::Sudoku.into(), text: HARD.to_owned(), ..RateRequest::default() };
        match client.rate(request).await {
            Ok(_) => counts.rated.fetch_add(1, Relaxed),
            Err(status) => {
                assert_eq!(status.code(), Code::ResourceExhausted, "{status:?}");
                tokio::time::sleep(REST).await;
                counts.refused.fetch_add(1, Relaxed)
            }
        };
    }
}
