//! A database on PostgreSQL that becomes read-only under a server, as after a failover, and can be written again later.

use std::sync::Arc;

use puzzled_api::v1::{
    GenerateRequest, Job, Kind, ListJobsRequest, job_service_client::JobServiceClient, job_service_server,
    puzzle_service_client::PuzzleServiceClient,
};
use rustix::process::Signal;
use tokio::{process::Command, task::JoinSet, time::timeout};
use tonic::{Code, Status, Streaming, transport::Channel};
use tonic_health::pb::{
    HealthCheckRequest, HealthCheckResponse, health_check_response::ServingStatus, health_client::HealthClient,
};
use tonic_types::StatusExt as _;

use crate::{
    databases::postgres::Database,
    folder::Folder,
    page::MetricsPage,
    process::{PATIENCE, Process},
};

/// Makes new sessions of the database read-only, or able to write. Sessions that exist keep what they are.
async fn set_read_only(folder: &Folder, is: &str) {
    let act = format!(
        "set transaction read write; do $$ begin execute
         format('alter database %I set default_transaction_read_only = {is}', current_database()); end $$"
    );
    folder.execute(&act).await;
}

async fn end_sessions(folder: &Folder) {
    let others = "select pg_terminate_backend(pid) from pg_stat_activity
                  where datname = current_database() and pid <> pg_backend_pid()";
    folder.execute(others).await;
}

async fn generated(channel: &Channel) -> Result<Job, Status> {
    let request = GenerateRequest { kind: Kind::Sudoku.into(), ..GenerateRequest::default() };
    Ok(PuzzleServiceClient::new(channel.clone()).generate(request).await?.into_inner().job.unwrap())
}

/// More than a server's pool holds.
const READERS: usize = 40;

async fn read_forever(channel: Channel) {
    let mut jobs = JobServiceClient::new(channel);
    loop {
        jobs.list_jobs(ListJobsRequest::default()).await.unwrap();
    }
}

async fn until(watch: &mut Streaming<HealthCheckResponse>, status: ServingStatus) {
    let reached = async { while watch.message().await.unwrap().unwrap().status() != status {} };
    timeout(PATIENCE, reached).await.unwrap_or_else(|_| panic!("never {status:?}"));
}

/// Runs a command, and returns its exit code and what it prints.
async fn ran(arguments: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_puzzled"));
    let output = command.args(arguments.split(' ')).env_clear().output().await.unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

/// Cause: health was SERVING for as long as each write failed, and the connections to the old server stayed in the pool.
#[tokio::test]
#[ignore = "needs PostgreSQL: the target `on_postgres` runs it"]
async fn read_only_database_is_told_and_its_connections_are_left() {
    let folder = Arc::new(Folder::new(Some(Database::new())));
    let mut process = Process::start(Arc::clone(&folder), "serve --listen 127.0.0.1:0 --workers 0").await;
    let channel = process.channel().await;
    process.get_until("/readyz?writes", 200).await;
    let mut health = HealthClient::new(channel.clone());
    let jobs = HealthCheckRequest { service: job_service_server::SERVICE_NAME.to_owned() };
    let mut watch = health.watch(jobs).await.unwrap().into_inner();
    until(&mut watch, ServingStatus::Serving).await;

    set_read_only(&folder, "on").await;
    end_sessions(&folder).await;
    until(&mut watch, ServingStatus::NotServing).await;
    let whole = health.check(HealthCheckRequest::default()).await.unwrap().into_inner();
    assert_eq!(whole.status(), ServingStatus::Serving);
    assert_eq!(process.get("/readyz").await.code, 200);
    let writes = process.get("/readyz?writes").await;
    assert!(writes.code == 503 && writes.body.contains("[-] writes: the database is read-only"), "{}", writes.body);
    let page = MetricsPage::read(&process.get("/metrics").await.body);
    assert_eq!((page.value("puzzled_database_up"), page.value("puzzled_database_writable")), (1.0, 0.0));
    let refused = generated(&channel).await.unwrap_err();
    let reason = refused.get_details_error_info().unwrap().reason;
    assert_eq!((refused.code(), reason.as_str()), (Code::Unavailable, "DATABASE_READ_ONLY"));
    assert!(refused.get_details_retry_info().is_some(), "{refused:?}");
    JobServiceClient::new(channel.clone()).list_jobs(ListJobsRequest::default()).await.unwrap();
    let (code, told) = ran(&format!("health --ops-address {}", process.ops)).await;
    assert!(code == Some(0) && told.starts_with("ready for reads only: "), "{code:?} {told}");
    let (code, found) = ran(&format!("doctor --database {}", folder.database())).await;
    assert!(code == Some(1) && found.contains("read-only by default; set default_transaction_read_only"), "{found}");

    // The server's sessions stay read-only, and calls that read use them all the time. It must leave them to find that new ones can write.
    let readers: JoinSet<_> = (0..READERS).map(|_| read_forever(channel.clone())).collect();
    set_read_only(&folder, "off").await;
    until(&mut watch, ServingStatus::Serving).await;
    for _ in 0..READERS {
        generated(&channel).await.unwrap();
    }
    drop(readers);
    assert_eq!(process.get("/readyz?writes").await.code, 200);
    process.signal(Signal::TERM);
    let log = process.lines_to_the_end().await;
    for told in ["database cannot be written; calls that only read go on", "database can be written again"] {
        assert_eq!(log.iter().filter(|line| line.contains(told)).count(), 1, "{told}: {log:#?}");
    }
}
