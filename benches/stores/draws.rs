//! Measures the median latency of `GetPuzzle` on loopback: from few shelves or many, with pauses, by level, or to an
//! audience. The baseline is a bare `select 1` on PostgreSQL.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use hdrhistogram::Histogram;
use puzzled::{calls::Parts, door, settings::CurrentSettings, telemetry::Telemetry};
use puzzled_api::v1::{GetPuzzleRequest, Kind, Level, puzzle_service_client::PuzzleServiceClient};
use puzzled_base::{chance::Chance, clock::SystemClock};
use puzzled_store::{jobs::queue::Queue, stock::draws::Stock};
use sqlx::ConnectOptions as _;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::transport::Endpoint;

use crate::world::{World, claim, options, puzzles};

/// Puzzles in stock.
const PUZZLES: u32 = 10_000;

/// Ratings that these puzzles are spread over. Each rating and each number of givens has its own shelf.
const RATINGS: u8 = 10;

/// The median round trip to the database in microseconds; `None` for SQLite, which has no round trip.
#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
pub(crate) async fn bare_us(world: &World, length: Duration) -> Option<f64> {
    let url = world.url.as_ref()?;
    let mut db = options(url).connect().await.expect("a connection");
    let mut times = histogram();
    let until = Instant::now() + length;
    while Instant::now() < until {
        let from = Instant::now();
        sqlx::query("select 1").execute(&mut db).await.expect("an answer");
        times.saturating_record(from.elapsed().as_nanos().try_into().unwrap_or(u64::MAX));
    }
    Some(p50_us(&times))
}

/// Which puzzle a client draws, and how often.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Draw {
    /// Any puzzle, call after call.
    Any,
    /// A puzzle of a level.
    Level,
    /// Any puzzle, with a pause before each call.
    Seldom,
    /// Any puzzle that was not yet delivered to the audience.
    Audience,
}

/// The pause of [`Draw::Seldom`].
const REST: Duration = Duration::from_millis(60);

/// Puzzles that one audience takes before the next audience starts.
const PER_AUDIENCE: u64 = 100;

/// The median time in microseconds of a draw by a client on loopback, one draw after the other, from `shelves` shelves.
#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
pub(crate) async fn get_puzzle_us(world: &World, draw: Draw, shelves: u16, length: Duration) -> f64 {
    fill(world, shelves).await;
    let (clock, chance) = (SystemClock::shared(), Arc::new(Chance::from_seed(1)));
    let settings = Arc::<CurrentSettings>::default();
    let queue = Arc::new(Queue::new(Arc::clone(&world.store), Arc::clone(&chance), Arc::clone(&settings)));
    let stock =
        Arc::new(Stock::new(Arc::clone(&world.store), Arc::clone(&chance), Arc::clone(&clock), Arc::clone(&settings)));
    let gate = puzzled::access::Gate::open(Arc::clone(&clock));
    let telemetry = Telemetry::new(&*clock);
    let parts = Parts { queue, stock, store: Arc::clone(&world.store), clock, chance, telemetry, gate, tls: None };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let shutdown = CancellationToken::new();
    let served = tokio::spawn(door::serve(parts, settings, listener, shutdown.clone()));
    let channel = Endpoint::from_shared(format!("http://{address}")).expect("an address").connect().await;
    let mut client = PuzzleServiceClient::new(channel.expect("a server"));
    let mut times = histogram();
    let until = Instant::now() + length;
    while Instant::now() < until {
        let audience = match draw {
            Draw::Audience => format!("reader {}", times.len() / PER_AUDIENCE),
            Draw::Any | Draw::Level => String::new(),
            Draw::Seldom => {
                tokio::time::sleep(REST).await;
                String::new()
            }
        };
        let level = if matches!(draw, Draw::Level) { Level::Easy } else { Level::Unspecified }.into();
        let request = GetPuzzleRequest { kind: Kind::Sudoku.into(), level, audience, ..GetPuzzleRequest::default() };
        let from = Instant::now();
        client.get_puzzle(request).await.expect("a puzzle");
        times.saturating_record(from.elapsed().as_nanos().try_into().unwrap_or(u64::MAX));
    }
    drop(client);
    shutdown.cancel();
    served.await.expect("a server").expect("an orderly end");
    p50_us(&times)
}

/// Fills the stock with [`PUZZLES`] puzzles on `shelves` shelves, with one job for each number of givens.
async fn fill(world: &World, shelves: u16) {
    let jobs = shelves / u16::from(RATINGS);
    for job in 0..jobs {
        world.queue_with(PUZZLES / u32::from(jobs), Some(job).filter(|&givens| givens > 0)).await;
    }
    let mut token = 0;
    while let Some(slice) = world.store.claim(claim(token, 500)).await.expect("an answer").slice {
        world.store.commit(slice.lease, puzzles(&slice, RATINGS)).await.expect("an answer");
        token += 1;
    }
}

fn histogram() -> Histogram<u64> {
    Histogram::new_with_bounds(1_000, 60_000_000_000, 3).expect("bounds")
}

#[expect(clippy::cast_precision_loss, reason = "nanoseconds of a short time")]
fn p50_us(times: &Histogram<u64>) -> f64 {
    times.value_at_quantile(0.5) as f64 / 1_000.0
}
