//! A full disk, or a database file at its size limit: writes fail with a clear error, reads continue, acknowledged data stays,
//! and work resumes when there is room again.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
};

use prost_types::Timestamp;
use puzzled_api::v1::{self as pb, job_service_server};
use puzzled_base::clock::SystemClock;
use rustix::process::{Resource, Rlimit, prlimit};
use tokio::time::timeout;
use tonic::{Code, Status, Streaming};
use tonic_health::pb::{
    HealthCheckRequest, HealthCheckResponse, health_check_response::ServingStatus, health_client::HealthClient,
};
use tonic_types::StatusExt as _;

use crate::{
    Site,
    results::{checked, makes_progress, quick, request},
    server::{Client, PATIENCE, Server},
};

/// Puzzles in stock, to be delivered.
const PUZZLES: u32 = 20;

/// Puzzles of the job that runs when the disk is full: more than any machine makes during the test.
const COUNT: u32 = 100_000;

/// The limit of jobs that still fit on a full disk, because SQLite can overwrite a log of a few megabytes.
const JOBS_MAX: u32 = 20_000;

/// The start time of the jobs that fill the disk: after the test, and no later than a server allows.
const FAR_SECONDS: i64 = 300 * 24 * 3_600;

/// The mount option for the size of the small disk. The puzzles that a worker makes while the server notices that there is room again
/// fill a small part of it.
const MOUNT: &str = "size=64m";

#[tokio::test]
async fn full_disk_refuses_writes_and_loses_nothing() {
    let _turn = crate::turn().await;
    let Some(disk) = Disk::mounted() else {
        eprintln!("skipped: only root can mount a small disk");
        return;
    };
    let ballast = disk.0.join("ballast");
    outlives(&disk.0, "DATABASE_FULL", |_| fill(&ballast), |_| fs::remove_file(&ballast).unwrap()).await;
}

#[tokio::test]
async fn files_at_their_size_limit_refuse_writes_and_lose_nothing() {
    let site = Site::new().await;
    let log = site.folder.path().join("stock.db-wal");
    let limit = |server: &Server, current| {
        prlimit(Some(server.pid()), Resource::Fsize, Rlimit { current, maximum: None }).unwrap();
    };
    let full = |server: &Server| limit(server, Some(fs::metadata(&log).unwrap().len()));
    outlives(site.folder.path(), "DATABASE_UNAVAILABLE", full, |server| limit(server, None)).await;
}

/// Fills the disk while a server works, checks its answers, and makes room again.
async fn outlives(folder: &Path, reason: &str, fill: impl Fn(&Server), free: impl Fn(&Server)) {
    let database = folder.join("stock.db");
    let mut server = Server::start_limitable(&database, &["--workers", "1", "--max-open-jobs", "100000"]).await;
    let first = server.client.generate(quick(PUZZLES)).await;
    server.client.job_at_its_end(&first.id).await;
    let job = server.client.generate(request(COUNT)).await;
    server.client.job_when(&job.id, |job| job.made > 0).await;

    fill(&server);
    let mut jobs = BTreeMap::new();
    let refused = loop {
        let number = u32::try_from(jobs.len()).unwrap();
        assert!(number < JOBS_MAX, "the disk is not full");
        match queue(&server.client, number).await {
            Ok(id) => jobs.insert(number, id),
            Err(status) => break (number, status),
        };
    };
    is_refused_with_retry_delay(&refused.1, reason);
    let mut health = HealthClient::new(server.client.channel());
    let service = HealthCheckRequest { service: job_service_server::SERVICE_NAME.to_owned() };
    let mut writes = health.watch(service).await.unwrap().into_inner();
    until(&mut writes, ServingStatus::NotServing).await;
    let whole = health.check(HealthCheckRequest::default()).await.unwrap().into_inner();
    assert_eq!(whole.status(), ServingStatus::Serving, "reads go on");
    let mut delivered = BTreeMap::new();
    let mut without = Vec::new();
    for number in 0..PUZZLES / 2 {
        match deliver(&server.client, number).await {
            Ok(id) => _ = delivered.insert(number, id),
            Err(status) => {
                is_refused_with_retry_delay(&status, reason);
                without.push(number);
            }
        }
    }
    assert!(!without.is_empty(), "deliveries are written to a full disk");
    // Reads continue, and the worker keeps its puzzles.
    assert_eq!(server.client.job(&job.id).await.end_time, None);
    let any = pb::GetPuzzleRequest { kind: pb::Kind::Sudoku.into(), ..Default::default() };
    server.client.puzzles().get_puzzle(any).await.unwrap();
    server.logs_one_of(&["slice result waits for the database", "slice claims failed"]).await;

    free(&server);
    until(&mut writes, ServingStatus::Serving).await;
    makes_progress(&server.client, &job.id).await;
    for (number, id) in &jobs {
        // A repeat with the same request ID gets the same job.
        assert_eq!(queue(&server.client, *number).await.unwrap(), *id);
    }
    queue(&server.client, refused.0).await.unwrap();
    for number in 0..PUZZLES / 2 {
        let puzzle = deliver(&server.client, number).await.unwrap();
        assert_eq!(*delivered.entry(number).or_insert_with(|| puzzle.clone()), puzzle);
    }
    let mut puzzles: Vec<_> = delivered.into_values().collect();
    puzzles.sort();
    puzzles.dedup();
    assert_eq!(puzzles.len(), (PUZZLES / 2) as usize, "a puzzle was delivered twice");
    server.terminate();
    assert_eq!(server.exit_code().await, Some(0));
    checked(&database);
}

/// Waits until a watched service has this status.
async fn until(watch: &mut Streaming<HealthCheckResponse>, status: ServingStatus) {
    let reached = async { while watch.message().await.unwrap().unwrap().status() != status {} };
    timeout(PATIENCE, reached).await.unwrap_or_else(|_| panic!("never {status:?}"));
}

/// Queues a job that does not start during the test, and returns its ID.
async fn queue(client: &Client, number: u32) -> Result<String, Status> {
    let now = SystemClock::shared().now();
    let request = pb::GenerateRequest {
        kind: pb::Kind::Sudoku.into(),
        seed: Some(number.into()),
        not_before_time: Some(Timestamp { seconds: now.0 / 1_000 + FAR_SECONDS, nanos: 0 }),
        request_id: format!("job {number}"),
        ..Default::default()
    };
    Ok(client.puzzles().generate(request).await?.into_inner().job.unwrap().id)
}

async fn deliver(client: &Client, number: u32) -> Result<String, Status> {
    let request = pb::GetPuzzleRequest {
        kind: pb::Kind::Sudoku.into(),
        audience: "anna".to_owned(),
        request_id: format!("puzzle {number}"),
        ..Default::default()
    };
    Ok(client.puzzles().get_puzzle(request).await?.into_inner().puzzle.unwrap().id)
}

fn is_refused_with_retry_delay(status: &Status, reason: &str) {
    let details = status.get_error_details();
    let told = details.error_info().map(|info| info.reason.as_str());
    assert_eq!((status.code(), told), (Code::Unavailable, Some(reason)), "{status:?}");
    assert!(details.retry_info().is_some_and(|retry| retry.retry_delay.is_some()), "{status:?}");
}

/// A separate small disk, unmounted when it is dropped.
pub(crate) struct Disk(pub(crate) PathBuf);

impl Disk {
    /// `None` if this process may not mount a disk.
    pub(crate) fn mounted() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap().keep();
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", MOUNT, "tmpfs"]).arg(&folder).output();
        let is_mounted = mount.is_ok_and(|mount| mount.status.success());
        if !is_mounted {
            fs::remove_dir(&folder).unwrap();
        }
        is_mounted.then_some(Self(folder))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
        let _ = fs::remove_dir(&self.0);
    }
}

/// Writes a file until nothing more fits.
pub(crate) fn fill(file: &Path) {
    let mut file = File::create(file).unwrap();
    for size in [65_536, 4_096, 1] {
        while file.write_all(&vec![0; size]).is_ok() {}
    }
}
