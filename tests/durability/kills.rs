//! A job whose server is killed ten times makes the same puzzles as without kills.

use std::path::Path;

use puzzled_api::v1 as pb;
use puzzled_engine::shared::rng::Rng;

use crate::{
    Site, is_soak,
    results::{are_whole, request, set, stock},
    server::Server,
};

/// The sizes of a sample and of a full run.
const SAMPLE: Size = Size { count: 900, slice: 128 };
const FULL: Size = Size { count: 2_000, slice: 512 };

struct Size {
    count: u32,
    /// No slice has more puzzles: the limit is 512, and in a build for tests, a second makes far fewer than 128. A kill waits for progress only while three slices are left: two workers
    /// may commit one each at the same time, and the last kill comes after another commit.
    slice: u32,
}

/// The maximum of calls before a kill at a random moment. They take about a tenth of the second that a slice takes.
const CALLS_MAX: u64 = 200;

/// The shortest leases, and many attempts, because the kills may hit the same slice several times.
const ARGUMENTS: [&str; 6] = ["--workers", "2", "--lease-ms", "1000", "--max-attempts", "100"];

/// The moment at which a server is killed.
enum Death {
    /// When it halts at a point of the store for the N-th time (`POINT:N`).
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
    let (site, sizes) = (Site::new().await, if is_soak() { FULL } else { SAMPLE });
    let killed = site.folder.path().join("killed.db");
    let mut rng = Rng::from_seed(10);
    let job = {
        let server = Server::start(&killed, &["--workers", "0"]).await;
        let job = server.client.generate(request(sizes.count)).await;
        // An acknowledged job is durable, so it survives this kill.
        server.kill().await;
        job
    };
    for death in DEATHS {
        match death {
            At(point) => die_at(&killed, &job.id, point).await,
            Random => die_at_random(&killed, &job.id, &sizes, &mut rng).await,
        }
    }
    let server = Server::start(&killed, &ARGUMENTS).await;
    let ended = server.client.job_at_its_end(&job.id).await;
    assert_eq!((ended.state(), ended.made), (pb::JobState::Succeeded, sizes.count), "{ended:?}");
    assert!(ended.failed_attempts > 0, "no attempt ever failed: {ended:?}");
    let puzzles = stock(&server.client).await;
    are_whole(&puzzles, sizes.count);

    let undisturbed = Server::start(&site.folder.path().join("undisturbed.db"), &ARGUMENTS).await;
    let job = undisturbed.client.generate(request(sizes.count)).await;
    let calm = undisturbed.client.job_at_its_end(&job.id).await;
    assert_eq!((calm.state(), calm.failed_attempts), (pb::JobState::Succeeded, 0), "{calm:?}");
    assert_eq!(set(&puzzles), set(&stock(&undisturbed.client).await));
    // A try that a kill lost is repeated, and counts once.
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

/// Kills the server after some calls. If enough of the job is left, the job must make progress first.
async fn die_at_random(database: &Path, job: &str, size: &Size, rng: &mut Rng) {
    let server = Server::start(database, &ARGUMENTS).await;
    let before = server.client.job(job).await;
    if before.made + 3 * size.slice < size.count {
        server.client.job_when(job, |job| job.made > before.made).await;
    }
    for _ in 0..rng.below(CALLS_MAX) {
        server.client.job(job).await;
    }
    let now = server.client.job(job).await;
    assert!(now.end_time.is_none(), "the job ended before the last kill: {now:?}");
    server.kill().await;
}
