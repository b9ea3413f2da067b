//! A database that is deleted or replaced under a server: nothing acknowledged is lost, and both files stay whole.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use puzzled_api::v1 as pb;
use puzzled_engine::shared::rng::Rng;
use tokio::{sync::Notify, task::JoinSet};
use tonic_types::StatusExt as _;

use crate::{
    Site,
    full::{Disk, fill},
    is_soak,
    restore::{run, runs},
    server::{Client, Server},
};

/// The exit code of a server whose database was deleted or replaced.
const REPLACED: Option<i32> = Some(3);

/// What happens to the files under the server.
#[derive(Debug, Clone, Copy)]
enum Fault {
    Deleted,
    Replaced,
    LogDeleted,
    FolderRenamed,
}

const FAULTS: [Fault; 4] = [Fault::Deleted, Fault::Replaced, Fault::LogDeleted, Fault::FolderRenamed];

fn beside(database: &Path, suffix: &str) -> PathBuf {
    PathBuf::from(format!("{}{suffix}", database.display()))
}

impl Fault {
    /// Makes the fault. `other` is a whole database that may take the place.
    fn happen(self, database: &Path, other: &Path) {
        let remove = |suffix: &&str| fs::remove_file(beside(database, suffix)).unwrap();
        match self {
            Self::Deleted => ["", "-wal", "-shm"].iter().for_each(remove),
            Self::Replaced => {
                let copy = beside(database, ".copy");
                fs::copy(other, &copy).unwrap();
                fs::rename(copy, database).unwrap();
            }
            Self::LogDeleted => ["-wal", "-shm"].iter().for_each(remove),
            Self::FolderRenamed => {
                let folder = database.parent().unwrap();
                fs::rename(folder, beside(folder, ".old")).unwrap();
                fs::create_dir(folder).unwrap();
            }
        }
    }
}

/// When the fault comes: after this many acknowledged jobs of all callers.
struct Moment {
    jobs: AtomicU64,
    is_there: Notify,
}

/// Queues jobs until a call fails. Returns the IDs of the acknowledged ones.
async fn queue_jobs(client: Client, caller: usize, moment: Arc<Moment>) -> Vec<String> {
    let mut acknowledged = Vec::new();
    loop {
        let request = pb::GenerateRequest {
            kind: pb::Kind::Sudoku.into(),
            request_id: format!("{caller}-{}", acknowledged.len()),
            count: Some(1),
            ..Default::default()
        };
        match client.puzzles().generate(request).await {
            Ok(answer) => acknowledged.push(answer.into_inner().job.unwrap().id),
            Err(status) => {
                let reason = status.get_details_error_info().map(|info| info.reason).unwrap_or_default();
                // A call that found the connection closed has no reason.
                assert!(["DATABASE_REPLACED", "SHUTTING_DOWN", ""].contains(&reason.as_str()), "{status:?}");
                return acknowledged;
            }
        }
        if moment.jobs.fetch_sub(1, Ordering::Relaxed) == 1 {
            moment.is_there.notify_one();
        }
    }
}

/// The files that servers saved, oldest first.
fn all_rescued(folder: &Path) -> Vec<PathBuf> {
    let found = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> = found.filter(|path| path.to_string_lossy().contains(".db.rescued-")).collect();
    // Their names begin with the time.
    found.sort();
    found
}

/// The only file that a server saved.
fn rescued(folder: &Path) -> PathBuf {
    let mut found = all_rescued(folder);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

/// Asserts that a database is whole. Returns what `check` says of it.
async fn whole(database: &Path) -> String {
    let checked = run(database.parent().unwrap(), &format!("check --database sqlite:{}", database.display())).await;
    let found = String::from_utf8([checked.stdout, checked.stderr].concat()).unwrap();
    assert!(checked.status.success(), "{}: {found}", database.display());
    found
}

/// Asserts that a server on a saved file has every job that was acknowledged.
async fn has_all(saved: &Path, acknowledged: &[String]) {
    let server = Server::start(saved, &["--workers", "0"]).await;
    for id in acknowledged {
        server.client.job(id).await;
    }
    server.terminate();
    assert_eq!(server.exit_code().await, Some(0));
}

#[tokio::test]
async fn replaced_database_is_saved_whole_and_its_successor_is_unharmed() {
    let site = Site::new().await;
    let mut rng = Rng::from_seed(53);
    crate::deliveries::fill(&site.database, 5).await;
    runs(site.folder.path(), "backup other.db").await;
    let other = site.folder.path().join("other.db");
    let rounds = if is_soak() { 30 } else { FAULTS.len() };
    for round in 0..rounds {
        let fault = FAULTS[round % FAULTS.len()];
        let folder = site.folder.path().join(format!("round{round}"));
        fs::create_dir(&folder).unwrap();
        let database = folder.join("stock.db");
        let server = Server::start(&database, &["--workers", "1", "--max-open-jobs", "100000"]).await;
        // A random moment under load.
        let moment = Arc::new(Moment { jobs: (1 + rng.below(300)).into(), is_there: Notify::new() });
        let mut callers = JoinSet::new();
        for caller in 0..4 {
            callers.spawn(queue_jobs(server.client.clone(), caller, Arc::clone(&moment)));
        }
        moment.is_there.notified().await;
        fault.happen(&database, &other);
        if round % 3 == 2 {
            server.terminate();
        }
        let (code, log) = server.end().await;
        assert_eq!(code, REPLACED, "{fault:?}: {log:?}");
        let acknowledged = callers.join_all().await.concat();

        let saved = rescued(&folder);
        whole(&saved).await;
        if matches!(fault, Fault::Replaced) {
            assert!(!beside(&database, "-wal").exists(), "the log of the old file lies beside the new one");
            let found = whole(&database).await;
            assert!(found.starts_with("5 puzzles "), "{found}");
        }
        has_all(&saved, &acknowledged).await;
    }
}

/// A copy is put in place while two servers work on a file. The newest saved file has what both have acknowledged.
#[tokio::test]
async fn each_process_saves_a_replaced_file_and_the_successor_serves() {
    let site = Site::new().await;
    crate::deliveries::fill(&site.database, 5).await;
    runs(site.folder.path(), "backup other.db").await;
    let other = site.folder.path().join("other.db");
    let arguments = ["--workers", "1", "--max-open-jobs", "100000"];
    let servers = [Server::start(&site.database, &arguments).await, Server::start(&site.database, &arguments).await];
    let moment = Arc::new(Moment { jobs: 50.into(), is_there: Notify::new() });
    let mut callers = JoinSet::new();
    for (caller, server) in servers.iter().enumerate() {
        callers.spawn(queue_jobs(server.client.clone(), caller, Arc::clone(&moment)));
    }
    moment.is_there.notified().await;
    Fault::Replaced.happen(&site.database, &other);
    for server in servers {
        let (code, log) = server.end().await;
        assert_eq!(code, REPLACED, "{log:?}");
    }
    let acknowledged = callers.join_all().await.concat();
    let saved = all_rescued(site.folder.path());
    assert_eq!(saved.len(), 2, "{saved:?}");
    for file in &saved {
        whole(file).await;
    }
    has_all(&saved[1], &acknowledged).await;
    let successor = Server::start(&site.database, &["--workers", "1"]).await;
    let job = successor.client.generate(crate::results::quick(1)).await;
    successor.client.job_at_its_end(&job.id).await;
    successor.terminate();
    assert_eq!(successor.exit_code().await, Some(0));
    whole(&site.database).await;
}

/// Cause: the process ended, and with it the only copy of the rows.
#[tokio::test]
async fn deleted_database_is_saved_once_a_full_disk_has_room() {
    let Some(disk) = Disk::mounted() else {
        eprintln!("skipped: only root can mount a small disk");
        return;
    };
    let database = disk.0.join("stock.db");
    let mut server = Server::start(&database, &["--workers", "0"]).await;
    let job = server.client.generate(crate::results::quick(1)).await;
    let ballast = disk.0.join("ballast");
    fill(&ballast);
    Fault::Deleted.happen(&database, &database);
    server.logs("its rows are not saved yet; free disk space").await;
    assert!(server.client.jobs().get_job(pb::GetJobRequest { id: job.id.clone() }).await.is_err());
    assert!(all_rescued(&disk.0).is_empty(), "a part of the rows is left");
    fs::remove_file(&ballast).unwrap();
    let (code, log) = server.end().await;
    assert_eq!(code, REPLACED);
    // Meanwhile, the process has failed to renew its row.
    assert!(!log.iter().any(|line| line.contains("calls that only read go on")), "{log:?}");
    let saved = rescued(&disk.0);
    whole(&saved).await;
    has_all(&saved, &[job.id]).await;
}

#[tokio::test]
async fn commands_beside_a_server_refuse_a_database_without_its_log() {
    let site = Site::new().await;
    let server = Server::start(&site.database, &["--workers", "0"]).await;
    fs::remove_file(beside(&site.database, "-wal")).unwrap();
    let database = format!("--database sqlite:{}", site.database.display());
    for command in ["check", "export", "doctor"] {
        let refused = run(site.folder.path(), &format!("{command} {database}")).await;
        let told = [refused.stdout, refused.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
        assert!(
            !refused.status.success() && told.contains("-wal is missing although another process"),
            "{command}: {told}"
        );
    }
    assert_eq!(server.exit_code().await, REPLACED);
}
