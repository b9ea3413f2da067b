//! A database that is copied and fenced under a running server: the old server refuses all calls, and a server of the
//! new database completes the jobs.

use std::{path::Path, process::Stdio};

use puzzled::proto::v1 as pb;
use tokio::process::Command;
use tonic::{Code, Status};
use tonic_health::pb::{HealthCheckRequest, health_check_response::ServingStatus};
use tonic_types::StatusExt as _;

use crate::{results::request, server::Server};

async fn copy(from: &Path, to: &Path, flag: &str) -> std::process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_puzzled"));
    let place = |path: &Path| format!("sqlite:{}", path.display());
    command.env_clear().args(["copy", "--from", &place(from), "--to", &place(to)]).args(flag.split_whitespace());
    command.stdin(Stdio::null()).output().await.unwrap()
}

fn is_moved(status: &Status, to: &Path) {
    let details = status.get_error_details();
    assert_eq!((status.code(), details.error_info().unwrap().reason.as_str()), (Code::Unavailable, "DATABASE_MOVED"));
    assert!(status.message().contains(&to.display().to_string()), "{status:?}");
    assert!(details.retry_info().is_none(), "{status:?}");
}

#[tokio::test]
async fn moved_database_stops_the_server_with_one_line() {
    let _alone = crate::alone().await;
    let directory = tempfile::tempdir().unwrap();
    let [old, new] = ["old.db", "new.db"].map(|name| directory.path().join(name));
    let mut server = Server::start(&old, &["--workers", "2", "--lease-ms", "1000"]).await;
    let count = 4_000;
    let job = server.client.generate(request(count)).await;
    server.client.job_when(&job.id, |job| job.made > 0).await;
    let refused = copy(&old, &new, "").await;
    assert!(!refused.status.success() && !new.exists(), "{refused:?}");
    let mut health = server.client.health().watch(HealthCheckRequest::default()).await.unwrap().into_inner();
    while health.message().await.unwrap().unwrap().status() != ServingStatus::Serving {}
    let mut watch = server.client.watch(&job.id).await;
    let copied = copy(&old, &new, "--fence-now").await;
    assert!(copied.status.success(), "{copied:?}");
    while health.message().await.unwrap().unwrap().status() != ServingStatus::NotServing {}
    let any = pb::GetPuzzleRequest { kind: pb::Kind::Sudoku.into(), ..Default::default() };
    let puzzles = || server.client.puzzles();
    is_moved(&puzzles().get_puzzle(any.clone()).await.unwrap_err(), &new);
    is_moved(&puzzles().get_puzzle(pb::GetPuzzleRequest { audience: "a".to_owned(), ..any }).await.unwrap_err(), &new);
    is_moved(&puzzles().generate(request(1)).await.unwrap_err(), &new);
    let ended = loop {
        match watch.message().await {
            Ok(Some(_)) => {}
            ended => break ended,
        }
    };
    is_moved(&ended.unwrap_err(), &new);
    // The new server completes the job. Meanwhile the old one has time to log anything that it would repeat every
    // second.
    let next = Server::start(&new, &["--workers", "2", "--lease-ms", "1000"]).await;
    let done = next.client.job_at_its_end(&job.id).await;
    assert_eq!((done.state(), done.made), (pb::JobState::Succeeded, count), "{done:?}");
    let line = server.logs("database moved").await;
    assert!(line.contains("ERROR") && line.contains(&format!("other=\"sqlite:{}\"", new.display())), "{line}");
    server.terminate();
    let (code, rest) = server.end().await;
    assert_eq!(code, Some(0));
    // The database driver may warn of a slow disk, which does not concern this test.
    let lines: Vec<_> = rest.iter().filter(|line| !line.contains(" INFO ") && !line.contains("sqlx")).collect();
    assert!(lines.is_empty(), "{lines:#?}");
    assert!(!rest.iter().any(|line| line.contains("database moved") || line.contains(" health ")), "{rest:#?}");
}
