//! A database that another process has locked: writes wait or ask for a retry, reads continue, and nothing is lost.

use std::path::Path;

use puzzled_api::v1 as pb;
use sqlx::{Connection as _, SqliteConnection};
use tokio::{task::JoinSet, time::timeout};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use crate::{
    Site, is_soak,
    results::{checked, makes_progress, quick},
    server::{Client, PATIENCE, Server},
};

/// Callers who write.
const CALLERS: u32 = 8;

/// Puzzles of the running job: more than any machine makes during the test.
const COUNT: u32 = 100_000;

/// Calls that only read, while the database is locked.
const READS: u32 = 50;

/// Takes the write lock as another process would.
async fn lock(database: &Path) -> SqliteConnection {
    let mut other = SqliteConnection::connect(&format!("sqlite:{}", database.display())).await.unwrap();
    // Each attempt waits for up to five seconds. The server releases the lock between its writes.
    for _ in 0..10 {
        if sqlx::raw_sql("begin exclusive").execute(&mut other).await.is_ok() {
            return other;
        }
    }
    panic!("the lock is never free");
}

#[tokio::test]
async fn write_waits_for_the_lock_of_another_process() {
    let site = Site::new().await;
    let server = Server::start(&site.database, &["--workers", "1"]).await;
    let job = server.client.generate(quick(COUNT)).await;
    server.client.job_when(&job.id, |job| job.made >= CALLERS).await;
    let mut other = lock(&site.database).await;
    let before = server.client.job(&job.id).await.made;
    let mut callers = JoinSet::new();
    for number in 0..CALLERS {
        let client = server.client.clone();
        callers.spawn(async move { (number, write(&client, number).await) });
    }
    let mut answers = Vec::new();
    if is_soak() {
        // The server waits for the lock for ten seconds.
        let (number, answer) =
            timeout(PATIENCE, callers.join_next()).await.expect("the server waits forever").unwrap().unwrap();
        assert!(answer.is_err(), "written to a locked database");
        answers.push((number, answer));
    }
    for _ in 0..READS {
        assert_eq!(server.client.job(&job.id).await.made, before);
        let any = pb::GetPuzzleRequest { kind: pb::Kind::Sudoku.into(), ..Default::default() };
        server.client.puzzles().get_puzzle(any).await.unwrap();
    }
    while let Some(early) = callers.try_join_next() {
        let (number, answer) = early.unwrap();
        assert!(answer.is_err(), "written to a locked database");
        answers.push((number, answer));
    }
    sqlx::raw_sql("rollback").execute(&mut other).await.unwrap();
    answers.extend(timeout(PATIENCE, callers.join_all()).await.expect("callers wait forever"));
    assert_eq!(answers.len(), CALLERS as usize);
    for (number, answer) in answers {
        let again = write(&server.client, number).await.unwrap();
        match answer {
            // A repeat with the same request ID gets the same answer.
            Ok(id) => assert_eq!(again, id),
            Err(status) => {
                assert_eq!(status.code(), Code::Unavailable, "{status:?}");
                assert!(status.get_error_details().retry_info().is_some(), "{status:?}");
            }
        }
    }
    makes_progress(&server.client, &job.id).await;
    server.terminate();
    assert_eq!(server.exit_code().await, Some(0));
    checked(&site.database);
}

/// Queues a job for an even number, and delivers a puzzle for an odd one. Returns the ID.
async fn write(client: &Client, number: u32) -> Result<String, Status> {
    let mut puzzles = client.puzzles();
    let request_id = format!("call {number}");
    if number.is_multiple_of(2) {
        let request = pb::GenerateRequest { kind: pb::Kind::Sudoku.into(), request_id, ..Default::default() };
        return Ok(puzzles.generate(request).await?.into_inner().job.unwrap().id);
    }
    let request = pb::GetPuzzleRequest {
        kind: pb::Kind::Sudoku.into(),
        audience: "anna".to_owned(),
        request_id,
        ..Default::default()
    };
    Ok(puzzles.get_puzzle(request).await?.into_inner().puzzle.unwrap().id)
}
