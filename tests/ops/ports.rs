//! The ops port: liveness and readiness, also during a migration and a drain delay; unknown paths; `puzzled health`;
//! and a port that is in use.

use puzzled_api::v1::{
    GenerateRequest, GetJobRequest, JobState, Kind, job_service_client::JobServiceClient,
    puzzle_service_client::PuzzleServiceClient,
};
use rustix::process::Signal;
use sqlx::{Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};
use tonic::transport::Endpoint;
use tonic_health::pb::{HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient};

use crate::{on_postgres::folder, process::Process};

#[tokio::test]
async fn port_answers_probes_and_names_its_paths() {
    let process = Process::serve("").await;
    let live = process.get("/livez").await;
    assert_eq!((live.code, live.body.as_str()), (200, "ok\n"));
    let ready = process.get_until("/readyz", 200).await;
    assert_eq!(ready.body, "ok\n");
    assert_eq!(process.get("/readyz?verbose").await.body, "[+] database: ok\n[+] running: ok\n[+] writes: ok\n");
    let lost = process.get("/").await;
    assert_eq!(lost.code, 404);
    assert!(lost.body.contains("/livez, /readyz, /readyz?verbose, /readyz?writes, and /metrics"), "{}", lost.body);
    for path in ["/livez", "/readyz", "/metrics"] {
        assert_eq!(process.ask(&format!("POST {path} HTTP/1.1\r\nContent-Length: 0\r\n")).await.code, 405, "{path}");
    }
}

#[tokio::test]
async fn readiness_agrees_with_grpc_health_through_drain_and_end() {
    let arguments = "serve --listen 127.0.0.1:0 --workers 1 --drain-delay-seconds 3600";
    let mut process = Process::start(folder(), arguments).await;
    let address = format!("http://{}", process.address().await);
    let connected = async || Endpoint::from_shared(address.clone()).unwrap().connect().await.unwrap();
    let mut health = HealthClient::new(connected().await);
    let mut asked = async || health.check(HealthCheckRequest::default()).await.unwrap().into_inner().status();
    process.get_until("/readyz", 200).await;
    assert_eq!(asked().await, ServingStatus::Serving);
    process.signal(Signal::TERM);
    let drained = process.get_until("/readyz", 503).await;
    assert_eq!(drained.body, "[+] database: ok\n[-] running: the process is shutting down\n[+] writes: ok\n");
    while asked().await != ServingStatus::NotServing {}
    assert_eq!(process.get("/livez").await.code, 200, "calls go on until the delay has passed");
    process.line("drain delayed").await;
    // A client that does not know of the shutdown yet can still queue a job. The workers have stopped, so the job waits
    // for another process.
    let channel = connected().await;
    let request = GenerateRequest { kind: Kind::Sudoku.into(), ..GenerateRequest::default() };
    let id = PuzzleServiceClient::new(channel.clone()).generate(request).await.unwrap().into_inner().job.unwrap().id;
    let job = JobServiceClient::new(channel).get_job(GetJobRequest { id }).await.unwrap().into_inner().job.unwrap();
    assert_eq!(job.state(), JobState::Queued);
    process.signal(Signal::TERM);
    assert_eq!(process.ended().await, Some(143));
}

#[tokio::test]
async fn process_that_waits_for_a_migration_lives_and_is_not_ready() {
    let folder = folder();
    let file = SqliteConnectOptions::new().filename(folder.path().join("stock.db")).create_if_missing(true);
    let mut other = SqliteConnection::connect_with(&file).await.unwrap();
    sqlx::raw_sql("begin exclusive").execute(&mut other).await.unwrap();
    for command in ["serve --listen 127.0.0.1:0", "work"] {
        let process = Process::start(folder.clone(), command).await;
        assert_eq!(process.get("/livez").await.code, 200, "{command}");
        let ready = process.get("/readyz").await;
        assert_eq!(ready.code, 503, "{command}");
        assert!(ready.body.starts_with("[-] database: the database is not open yet"), "{}", ready.body);
    }
    let process = Process::start(folder.clone(), "work --workers 1").await;
    sqlx::raw_sql("rollback").execute(&mut other).await.unwrap();
    process.get_until("/readyz", 200).await;
}

#[tokio::test]
async fn health_command_asks_the_ops_port_of_a_worker_process() {
    let process = Process::start(folder(), "work --workers 1").await;
    process.get_until("/readyz", 200).await;
    let mut health = Process::spawn(process.folder.clone(), &format!("health --ops-address {}", process.ops));
    assert_eq!(health.ended().await, Some(0));
    let mut nobody = Process::spawn(process.folder.clone(), "health --ops-address 127.0.0.1:1");
    nobody.line("error: 127.0.0.1:1: no ops port answers").await;
    assert_eq!(nobody.ended().await, Some(1));
}

#[tokio::test]
async fn taken_ops_port_is_an_error_before_the_database_is_opened() {
    let process = Process::serve("").await;
    let other = folder();
    for command in ["serve --listen 127.0.0.1:0", "work"] {
        let arguments = format!("{command} --ops-listen {} --database sqlite:stock.db", process.ops);
        let mut second = Process::spawn(other.clone(), &arguments);
        second.line(&format!("error: cannot listen on {}: Address already in use", process.ops)).await;
        assert_eq!(second.ended().await, Some(1));
        assert!(!other.path().join("stock.db").exists(), "{command}");
    }
}
