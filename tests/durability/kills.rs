//! A job of 2,000 puzzles whose server is killed ten times.

use std::path::Path;

use puzzled::proto::v1 as pb;
use puzzled_engine::rng::Rng;

use crate::{
    results::{are_whole, request, set, stock},
    server::Server,
};

const COUNT: u32 = 2_000;

/// Most puzzles of a slice. A death waits for progress only while three of these are left: two workers may commit two at
/// once, and the last death comes after a commit.
const SLICE: u32 = 512;

/// Calls that a client makes at most before it kills: a tenth of a second or so of the second that a slice takes.
const CALLS_MAX: u64 = 200;

/// Leases as short as may be, and no end of attempts: the kills are meant for the same slices again and again.
const ARGUMENTS: [&str; 6] = ["--workers", "2", "--lease-ms", "1000", "--max-attempts", "100"];

/// How a server dies.
enum Death {
    /// Halted at a point of the store for the n-th time.
    At(&'static str),
    /// At a random moment.
    Random,
}

use Death::{At, Random};

const DEATHS: [Death; 10] = [
    Random,
    At("commit.begin:1"),
    Random,
    At("commit.insert_puzzle:3"),
    Random,
    At("commit.update_job:1"),
    Random,
    At("commit.commit:1"),
    Random,
    At("commit.committed:1"),
];

#[tokio::test]
async fn job_killed_ten_times_makes_the_same_puzzles() {
    let _alone = crate::alone().await;
    let directory = tempfile::tempdir().unwrap();
    let killed = directory.path().join("killed.db");
    let mut rng = Rng::from_seed(10);
    let job = {
        let server = Server::start(&killed, &["--workers", "0"]).await;
        let job = server.client.generate(request(COUNT)).await;
        // Acknowledged is durable.
        server.kill().await;
        job
    };
    for death in DEATHS {
        match death {
            At(point) => die_at(&killed, &job.id, point).await,
            Random => die_at_random(&killed, &job.id, &mut rng).await,
        }
    }
    let server = Server::start(&killed, &ARGUMENTS).await;
    let ended = server.client.job_at_its_end(&job.id).await;
    assert_eq!((ended.state(), ended.made), (pb::JobState::Succeeded, COUNT), "{ended:?}");
    assert!(ended.failed_attempts > 0, "no slice was ever taken over: {ended:?}");
    let puzzles = stock(&server.client).await;
    are_whole(&puzzles, COUNT);

    let undisturbed = Server::start(&directory.path().join("undisturbed.db"), &ARGUMENTS).await;
    let job = undisturbed.client.generate(request(COUNT)).await;
    let calm = undisturbed.client.job_at_its_end(&job.id).await;
    assert_eq!((calm.state(), calm.failed_attempts), (pb::JobState::Succeeded, 0), "{calm:?}");
    assert_eq!(set(&puzzles), set(&stock(&undisturbed.client).await));
    // Tries that were lost count once.
    assert_eq!(ended.missed, calm.missed);
    assert_eq!(ended.tries, calm.tries);
}

async fn die_at(database: &Path, job: &str, point: &str) {
    let mut server = Server::start(database, &[&ARGUMENTS[..], &["--halt-at", point]].concat()).await;
    let (name, _) = point.split_once(':').unwrap();
    server.logs(&format!("halted at {name}")).await;
    assert_eq!(server.client.job(job).await.state(), pb::JobState::Running);
    server.kill().await;
}

/// First the job has to move on, as long as enough is left of it; then some calls are answered, and then it dies.
async fn die_at_random(database: &Path, job: &str, rng: &mut Rng) {
    let server = Server::start(database, &ARGUMENTS).await;
    let before = server.client.job(job).await;
    if before.made + 3 * SLICE < COUNT {
        server.client.job_when(job, |job| job.made > before.made).await;
    }
    for _ in 0..rng.below(CALLS_MAX) {
        server.client.job(job).await;
    }
    let now = server.client.job(job).await;
    assert!(now.end_time.is_none(), "the job was done before the last kill: {now:?}");
    server.kill().await;
}
