//! A shortened night: the server refills stock targets of all levels while it is killed three times and puzzles are
//! withdrawn. At the end, every reachable target is full, as `puzzled stock` shows.
//!
//! With `PUZZLED_SOAK=1`, the night takes ten minutes or `PUZZLED_NIGHT_MINUTES`, and cron opens a window every minute.
//! Otherwise the night takes as long as its work, and the windows are always open.

use std::{collections::BTreeSet, fs, path::Path, time::Duration};

use puzzled_api::v1::{self as pb, TargetState, stock_service_client::StockServiceClient};
use puzzled_base::clock::SystemClock;
use tokio::{
    process::Command,
    time::{sleep, timeout},
};

use crate::{
    Site, is_soak,
    results::checked,
    server::{Client, PATIENCE, Server},
};

/// Kills, at equal intervals.
const KILLS: u32 = 3;

/// Leases that expire soon after a kill, and few tries for an index.
const ARGUMENTS: [&str; 6] = ["--workers", "2", "--lease-ms", "2000", "--max-tries", "200"];

/// The limit of jobs, of 200 tries without a hit, until a spec must count as unreachable: that takes 4.6 minutes of work.
const REFILLS_MAX: u32 = 2_000;

/// Targets: kind, spec, number in a sample, and number in a night.
const TARGETS: [(&str, &str, u32, u32); 10] = [
    ("sudoku", "level = \"easy\"", 60, 400),
    ("sudoku", "level = \"medium\"", 30, 400),
    ("sudoku", "level = \"hard\"", 20, 400),
    ("sudoku", "level = \"expert\"", 20, 200),
    ("sudoku", "level = \"evil\"", 4, 30),
    ("kakuro", "variant = \"6x6\"\nlevel = \"easy\"", 6, 60),
    ("kakuro", "variant = \"6x6\"\nlevel = \"medium\"", 6, 60),
    ("kakuro", "variant = \"6x6\"\nlevel = \"hard\"", 6, 60),
    ("kakuro", "variant = \"6x6\"\nlevel = \"expert\"", 2, 10),
    // No technique has this rating.
    ("sudoku", OUT_OF_REACH, 5, 5),
];

const OUT_OF_REACH: &str = "min_rating = 1.3\nmax_rating = 1.4";

#[tokio::test]
async fn every_reachable_target_is_full_after_a_night_with_three_kills() {
    let site = Site::new().await;
    let config = site.folder.path().join("puzzled.toml");
    fs::write(&config, configured()).unwrap();
    let mut arguments = ARGUMENTS.to_vec();
    arguments.extend(["--config", config.to_str().unwrap()]);
    let clock = SystemClock::shared();
    let dusk = clock.elapsed();
    let until = async |part: Duration| sleep((dusk + part).saturating_sub(clock.elapsed())).await;
    let night = night();
    let mut withdrawn = BTreeSet::new();
    for part in 1..=KILLS {
        let server = Server::start(&site.database, &arguments).await;
        until_more_is_made(&server.client).await;
        until(night * part / (KILLS + 1)).await;
        // The server must make new puzzles for the withdrawn ones.
        withdrawn.extend(withdraw_some(&server.client).await);
        server.kill().await;
    }
    let server = Server::start(&site.database, &arguments).await;
    until(night).await;
    stock_when(&server.client, is_all_full).await;
    if is_soak() {
        find_out_of_reach(&server.client).await;
    }
    let shown = show(&server.address).await;
    println!("{shown}");
    let stocked = shown.lines().filter(|line| line.trim_start().starts_with("target-") && line.contains(" stocked "));
    assert_eq!(stocked.count(), TARGETS.len() - 1, "{shown}");
    assert!(!is_soak() || shown.contains(" of work made none"), "{shown}");
    for id in &withdrawn {
        let request = pb::GetPuzzleRequest { id: id.clone(), ..Default::default() };
        let puzzle = server.client.puzzles().get_puzzle(request).await.unwrap().into_inner().puzzle.unwrap();
        assert!(puzzle.withdraw_time.is_some(), "the withdrawal of {id} was lost");
    }
    server.terminate();
    assert_eq!(server.exit_code().await, Some(0));
    checked(&site.database);
}

/// The minimum duration of the night.
#[expect(clippy::disallowed_methods, reason = "the environment chooses the duration")]
fn night() -> Duration {
    if !is_soak() {
        return Duration::ZERO;
    }
    Duration::from_mins(std::env::var("PUZZLED_NIGHT_MINUTES").map_or(10, |minutes| minutes.parse().unwrap()))
}

/// The targets in the configuration file.
fn configured() -> String {
    let window = if is_soak() { "cron = \"* * * * *\"\ntime_zone = \"UTC\"\nwindow_minutes = 1\n" } else { "" };
    let tables = TARGETS.iter().map(|(kind, wanted, sample, full)| {
        let target = if is_soak() { full } else { sample };
        format!("[[target]]\nkind = \"{kind}\"\n{wanted}\ntarget = {target}\n{window}")
    });
    tables.collect()
}

/// Watches the stock until it is as wanted.
async fn stock_when(client: &Client, is_wanted: impl Fn(&pb::WatchStockResponse) -> bool) {
    let mut stock = StockServiceClient::new(client.channel());
    let mut watch = stock.watch_stock(pb::WatchStockRequest::default()).await.unwrap().into_inner();
    let mut last = None;
    let wanted = async {
        loop {
            let now = watch.message().await.unwrap().expect("the stream continues");
            if is_wanted(&now) {
                return;
            }
            last = Some(now);
        }
    };
    let in_time = timeout(PATIENCE, wanted).await;
    assert!(in_time.is_ok(), "the stock makes no progress: {last:#?}");
}

async fn until_more_is_made(client: &Client) {
    let request = pb::GetStockRequest::default();
    let before = StockServiceClient::new(client.channel()).get_stock(request).await.unwrap().into_inner().total;
    stock_when(client, |stock| stock.total > before || is_all_full(stock)).await;
}

fn is_all_full(stock: &pb::WatchStockResponse) -> bool {
    let is_done = |outlook: &pb::TargetOutlook| outlook.missing == 0 || is_hopeless(outlook);
    stock.targets.len() == TARGETS.len() && stock.targets.iter().all(is_done)
}

fn is_hopeless(outlook: &pb::TargetOutlook) -> bool {
    outlook.target.as_ref().is_some_and(|target| target.min_rating.is_some())
}

/// Requests refills until the server reports the target as unreachable. The planner would take longer, because a target
/// rests between failed jobs.
async fn find_out_of_reach(client: &Client) {
    let mut stock = StockServiceClient::new(client.channel());
    for _ in 0..REFILLS_MAX {
        let now = stock.get_stock(pb::GetStockRequest::default()).await.unwrap().into_inner();
        let hopeless = now.targets.into_iter().find(is_hopeless).unwrap();
        if hopeless.state() == TargetState::Unreachable {
            return;
        }
        let request = pb::RefillRequest { id: hopeless.target.unwrap().id };
        let job = stock.refill(request).await.unwrap().into_inner().job.unwrap();
        client.job_at_its_end(&job.id).await;
    }
    panic!("the target never became unreachable");
}

/// Withdraws a puzzle of each level of each kind, and returns their IDs.
async fn withdraw_some(client: &Client) -> Vec<String> {
    let mut withdrawn = Vec::new();
    for kind in [pb::Kind::Sudoku, pb::Kind::Kakuro] {
        for level in [pb::Level::Easy, pb::Level::Medium, pb::Level::Hard, pb::Level::Expert, pb::Level::Evil] {
            let (kind, level, variant) = (kind.into(), level.into(), "any".to_owned());
            let wanted = pb::GetPuzzleRequest { kind, level, variant, ..Default::default() };
            // The stock may have no such puzzle yet.
            let Ok(drawn) = client.puzzles().get_puzzle(wanted).await else { continue };
            let id = drawn.into_inner().puzzle.unwrap().id;
            let request =
                pb::WithdrawPuzzleRequest { id: id.clone(), reason: "a night".to_owned(), ..Default::default() };
            client.puzzles().withdraw_puzzle(request).await.unwrap();
            withdrawn.push(id);
        }
    }
    withdrawn
}

/// The output of `puzzled stock`.
async fn show(address: &str) -> String {
    let mut stock = Command::new(Path::new(env!("CARGO_BIN_EXE_puzzled")));
    let shown = stock.env_clear().args(["stock", "--address", address]).output().await.unwrap();
    String::from_utf8(shown.stdout).unwrap()
}
