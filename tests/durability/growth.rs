//! A stock that fills up during work: it stays full across kills, nothing is lost, and work resumes when the limit is
//! raised.

use std::path::Path;

use puzzled::proto::v1 as pb;
use sqlx::{Connection as _, SqliteConnection};
use tonic::Code;
use tonic_types::StatusExt as _;

use crate::{
    Site,
    results::{checked, makes_progress, quick},
    server::{Client, Server},
};

/// Puzzles of the running job: more than any machine makes during the test.
const COUNT: u32 = 100_000;

/// The limit on puzzles, and the raised limit.
const BOUND: &str = "1000";
const NEXT_BOUND: &str = "100000";

/// The state of the queue when no slice is leased any more.
async fn stopped(client: &Client) -> pb::Queue {
    loop {
        let queue = client.jobs().get_queue(pb::GetQueueRequest {}).await.unwrap().into_inner().queue.unwrap();
        if queue.leased_slices == 0 {
            return queue;
        }
    }
}

/// The limit in the file, and whether the stock is full.
async fn state(database: &Path) -> (Option<i64>, bool) {
    let mut db = SqliteConnection::connect(&format!("sqlite:{}", database.display())).await.unwrap();
    sqlx::query_as("select puzzles_max, puzzles_full_at is not null from queue").fetch_one(&mut db).await.unwrap()
}

#[tokio::test]
async fn full_stock_outlives_kills_and_work_resumes_with_a_raised_limit() {
    let site = Site::new().await;
    let bounded = ["--workers", "2", "--max-puzzles", BOUND];
    let mut server = Server::start(&site.database, &bounded).await;
    let job = server.client.generate(quick(COUNT)).await;
    server.logs("stock full").await;
    server.kill().await;

    let server = Server::start(&site.database, &bounded).await;
    // Slices of the process that was killed stay leased until their leases expire, and are then not reclaimed.
    let full = server.client.jobs().get_queue(pb::GetQueueRequest {}).await.unwrap().into_inner().queue.unwrap();
    assert!(full.stock_full && full.puzzles >= 950 && full.max_puzzles == Some(1_000), "{full:?}");
    let refused = server.client.puzzles().generate(quick(1)).await.unwrap_err();
    let details = refused.get_error_details();
    assert_eq!(
        (refused.code(), details.error_info().unwrap().reason.as_str()),
        (Code::ResourceExhausted, "STOCK_FULL")
    );
    let any = pb::GetPuzzleRequest { kind: pb::Kind::Sudoku.into(), ..Default::default() };
    server.client.puzzles().get_puzzle(any).await.unwrap();
    let made = server.client.job(&job.id).await.made;
    server.kill().await;

    for (point, state_after) in
        [("growth.commit:1", (Some(1_000), true)), ("growth.committed:1", (Some(100_000), false))]
    {
        Server::die_at_start(&site.database, &["--workers", "2", "--max-puzzles", NEXT_BOUND], point).await;
        assert_eq!(state(&site.database).await, state_after, "{point}");
    }
    let server = Server::start(&site.database, &["--workers", "2", "--max-puzzles", NEXT_BOUND]).await;
    assert_eq!(server.client.job(&job.id).await.made, made, "nothing was made meanwhile");
    makes_progress(&server.client, &job.id).await;
    assert!(!stopped(&server.client).await.stock_full);
    server.terminate();
    assert_eq!(server.exit_code().await, Some(0));
    checked(&site.database);
}
