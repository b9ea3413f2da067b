//! One client cannot use more than its share of compute threads, watches, exports, and waiting calls. The server tells
//! clients apart by address, so each test client has its own loopback address. Only Linux provides these without
//! configuration.

use std::net::Ipv4Addr;

use puzzled_api::v1::puzzle_service_client::PuzzleServiceClient;

use crate::prelude::*;

const SUDOKU: i32 = pb::Kind::Sudoku as i32;

/// Golden Nugget, rated 11.9 by Sudoku Explainer: a rating lasts seconds.
const HARD: &str = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";

/// A client with its own address.
async fn client(server: &Server, number: u8) -> PuzzleServiceClient<Channel> {
    PuzzleServiceClient::new(channel(server, number).await)
}

async fn channel(server: &Server, number: u8) -> Channel {
    server.endpoint().local_address(Some(Ipv4Addr::new(127, 0, 0, number).into())).connect().await.unwrap()
}

fn rating(text: &str) -> pb::RateRequest {
    pb::RateRequest { kind: SUDOKU, text: text.to_owned(), ..Default::default() }
}

/// Checks that a call was refused by the caller's limit, or by that of the server.
#[track_caller]
fn check_busy<T: std::fmt::Debug>(answer: Result<T, Status>, bound: &str) {
    let details = check(answer, Code::ResourceExhausted, "BUSY");
    assert_eq!(details.error_info().unwrap().metadata["bound"], bound);
    assert!(details.retry_info().is_some() && details.has_quota_failure_violations());
}

/// Sends ratings until one of them is refused: then the client holds its share, and all others run or wait.
async fn rate_up_to_the_share(client: &PuzzleServiceClient<Channel>, share: usize) -> JoinSet<Result<(), Status>> {
    let mut calls = JoinSet::new();
    for _ in 0..=share {
        let mut client = client.clone();
        calls.spawn(async move { client.rate(rating(HARD)).await.map(|_| ()) });
    }
    check_busy(calls.join_next().await.unwrap().unwrap(), "caller");
    calls
}

#[tokio::test]
async fn ratings_of_one_client_leave_threads_and_places_for_others() {
    let server = Server::with(|options| options.settings.limits.max_waiting_long = 4).await;
    let (first, mut other) = (client(&server, 1).await, client(&server, 2).await);
    // Two run, and two wait.
    let held = rate_up_to_the_share(&first, 4).await;
    for mut client in [first, other.clone()] {
        client.hint(pb::HintRequest { kind: SUDOKU, text: PUZZLE.to_owned(), ..Default::default() }).await.unwrap();
        let text = PUZZLE.to_owned();
        client.validate(pb::ValidateRequest { kind: SUDOKU, text, ..Default::default() }).await.unwrap();
        let solve = pb::SolveRequest { kind: SUDOKU, text: PUZZLE.to_owned(), ..Default::default() };
        client.solve(solve.clone()).await.unwrap();
    }
    let mut waiting = JoinSet::new();
    for _ in 0..3 {
        let mut other = other.clone();
        waiting.spawn(async move { other.rate(rating(PUZZLE)).await });
    }
    check_busy(waiting.join_next().await.unwrap().unwrap(), "server");
    let steps = pb::SolveRequest { kind: SUDOKU, text: PUZZLE.to_owned(), include_steps: true, ..Default::default() };
    check_busy(other.solve(steps).await, "server");
    // The ratings of a client that disconnects free their threads.
    drop(held);
    while let Some(rated) = waiting.join_next().await {
        rated.unwrap().unwrap();
    }
}

#[tokio::test]
async fn one_client_uses_at_most_half_of_the_watches() {
    use pb::stock_service_client::StockServiceClient;
    let server = Server::with(|options| options.settings.limits.max_watchers = 3).await;
    let (mut first, mut other) =
        (StockServiceClient::new(channel(&server, 1).await), StockServiceClient::new(channel(&server, 2).await));
    let watch = pb::WatchStockRequest::default;
    let held = [first.watch_stock(watch()).await.unwrap(), first.watch_stock(watch()).await.unwrap()];
    check_busy(first.watch_stock(watch()).await, "caller");
    let _other = other.watch_stock(watch()).await.unwrap();
    check_busy(other.watch_stock(watch()).await, "server");
    drop(held);
    while other.watch_stock(watch()).await.is_err() {}
}

#[tokio::test]
async fn one_client_uses_at_most_half_of_the_exports() {
    let server = Server::with(|options| options.settings.limits.max_exports = 3).await;
    // An export is several times larger than the window of a stream, so it does not end before it is read.
    server.fill(Symmetry::None, 12, 2_000).await;
    let (mut first, mut other) = (client(&server, 1).await, client(&server, 2).await);
    let all = pb::ExportPuzzlesRequest::default;
    let _held = [first.export_puzzles(all()).await.unwrap(), first.export_puzzles(all()).await.unwrap()];
    check_busy(first.export_puzzles(all()).await, "caller");
    let _other = other.export_puzzles(all()).await.unwrap();
    check_busy(other.export_puzzles(all()).await, "server");
}

#[tokio::test]
async fn one_client_waits_with_no_more_than_half_of_the_calls_that_may_wait() {
    let server = Server::with(|options| options.settings.limits.max_waiting_calls = 3).await;
    server.queue_job(Symmetry::None, 3).await;
    let mut waiting = JoinSet::new();
    for (number, calls, bound) in [(1, 3, "caller"), (2, 2, "server")] {
        for _ in 0..calls {
            let mut client = client(&server, number).await;
            let wanted = pb::GetPuzzleRequest { kind: SUDOKU, wait: true, ..Default::default() };
            waiting.spawn(async move { client.get_puzzle(wanted).await });
        }
        check_busy(waiting.join_next().await.unwrap().unwrap(), bound);
    }
    server.work(12, u32::MAX).await;
    while let Some(answer) = waiting.join_next().await {
        answer.unwrap().unwrap();
    }
}

#[tokio::test]
async fn behind_a_proxy_each_connection_has_its_own_share() {
    let server = Server::with(|options| {
        options.settings.connections.max_connections_per_address = Some(0);
        options.settings.limits.max_watchers = 4;
    })
    .await;
    let mut held = Vec::new();
    for _ in 0..2 {
        let mut stock = server.stock().await;
        for _ in 0..2 {
            held.push(stock.watch_stock(pb::WatchStockRequest::default()).await.unwrap());
        }
        if held.len() == 2 {
            check_busy(stock.watch_stock(pb::WatchStockRequest::default()).await, "caller");
        }
    }
}
