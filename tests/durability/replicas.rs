//! Four worker processes and two servers on one PostgreSQL server, through random kills, restarts, and lost
//! connections.
//!
//! `PUZZLED_SOAK=1` runs a job of 20,000 puzzles and cuts the connection for ten seconds.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use puzzled_api::v1 as pb;
use puzzled_engine::{registry, shared::rng::Rng};
use tokio::time::{interval, timeout};
use tonic::{Code, Status};

use crate::{
    databases::cluster::Cluster,
    is_soak,
    member::{Member, Role},
    proxy::{Line, Proxy},
    results::{are_whole, request, stock},
    server::{Client, PATIENCE},
};

const ROLES: [Role; 6] = [Role::Serves, Role::Serves, Role::Works, Role::Works, Role::Works, Role::Works];

/// The limit of small jobs that are queued during the large one.
const SMALL_JOBS_MAX: usize = 40;

struct Replicas {
    members: Vec<Member>,
    rng: Rng,
}

impl Replicas {
    async fn start(databases: [&str; ROLES.len()]) -> Self {
        let mut members = Vec::new();
        for (role, database) in ROLES.into_iter().zip(databases) {
            members.push(Member::start(role, database).await);
        }
        Self { members, rng: Rng::from_seed(2_026) }
    }

    /// Kills two processes, and starts them again.
    async fn kill_two(&mut self, database: &str) {
        let one = self.rng.index(ROLES.len());
        let other = (one + 1 + self.rng.index(ROLES.len() - 1)) % ROLES.len();
        for member in [one, other] {
            self.members[member].kill().await;
        }
        for member in [one, other] {
            self.members[member] = Member::start(ROLES[member], database).await;
        }
    }

    /// Asks one server after the other until one answers, like a client that retries on UNAVAILABLE.
    async fn asked<T>(&mut self, call: impl AsyncFn(Client) -> Result<T, Status>) -> T {
        let serving: Vec<_> = self.members.iter().filter_map(Member::address).map(str::to_owned).collect();
        let answered = async {
            loop {
                let address = &serving[self.rng.index(serving.len())];
                let Ok(client) = Client::connect(address).await else { continue };
                match call(client).await {
                    Ok(answer) => return answer,
                    Err(status) => assert_eq!(status.code(), Code::Unavailable, "{status:?}"),
                }
            }
        };
        timeout(PATIENCE, answered).await.expect("no server answers")
    }

    /// Queues a job, and repeats the call until a server answers. The request ID makes the repeats safe.
    async fn queued(&mut self, request: pb::GenerateRequest) -> String {
        assert!(!request.request_id.is_empty());
        let queue = async |client: Client| client.puzzles().generate(request.clone()).await;
        self.asked(queue).await.into_inner().job.unwrap().id
    }

    async fn job(&mut self, id: &str) -> pb::Job {
        let read = async |client: Client| client.jobs().get_job(pb::GetJobRequest { id: id.to_owned() }).await;
        self.asked(read).await.into_inner().job.unwrap()
    }

    async fn client(&self) -> Client {
        Client::connect(self.members[0].address().unwrap()).await.unwrap()
    }
}

fn named(name: &str, request: pb::GenerateRequest) -> pb::GenerateRequest {
    pb::GenerateRequest { request_id: name.to_owned(), ..request }
}

fn small(number: usize) -> pb::GenerateRequest {
    pb::GenerateRequest {
        kind: pb::Kind::Sudoku.into(),
        level: pb::Level::Easy.into(),
        count: Some(5),
        seed: Some(number as u64),
        priority: 1,
        request_id: format!("small {number}"),
        ..Default::default()
    }
}

/// Checks that the job made every index once, and that no two puzzles in stock are isomorphs.
async fn all_is_whole(client: &Client, id: &str, count: u32) {
    let all = stock(client).await;
    let own: Vec<_> = all.iter().filter(|puzzle| puzzle.job_id == id).cloned().collect();
    are_whole(&own, count);
    let sudoku = registry::kind("sudoku").unwrap();
    let forms: BTreeSet<_> = all.iter().map(|puzzle| sudoku.canonical("9x9", &puzzle.text).unwrap()).collect();
    assert_eq!(forms.len(), all.len(), "two puzzles in stock are isomorphic");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL: the target `on_postgres` runs it"]
async fn replicas_killed_at_random_make_every_index_once_and_lose_no_job() {
    let cluster = Arc::new(Cluster::start(true));
    let _alone = crate::alone().await;
    let count = if is_soak() { 20_000 } else { 500 };
    let database = cluster.url("postgres");
    let mut replicas = Replicas::start([&database; ROLES.len()]).await;
    let id = replicas.queued(named("large", request(count))).await;
    let mut small_jobs = Vec::new();
    let (mut kills, mut restarts) = (0, 0);
    let mut second = interval(Duration::from_secs(1));
    let job = loop {
        second.tick().await;
        replicas.kill_two(&database).await;
        kills += 2;
        if small_jobs.len() < SMALL_JOBS_MAX {
            small_jobs.push(replicas.queued(small(small_jobs.len())).await);
        }
        let job = replicas.job(&id).await;
        if restarts < 2 && job.made >= count * (restarts + 1) / 3 {
            let server = Arc::clone(&cluster);
            tokio::task::spawn_blocking(move || server.restart()).await.unwrap();
            restarts += 1;
        }
        if job.end_time.is_some() {
            break job;
        }
    };
    assert_eq!((job.state(), job.made), (pb::JobState::Succeeded, count), "{job:?}");
    let client = replicas.client().await;
    for small in &small_jobs {
        let job = client.job_at_its_end(small).await;
        assert_eq!((job.state(), job.made), (pb::JobState::Succeeded, 5), "{job:?}");
    }
    all_is_whole(&client, &id, count).await;
    println!(
        "{count} puzzles in {} tries, {kills} kills, {restarts} restarts of the database, {} failed attempts, {} small jobs",
        job.tries,
        job.failed_attempts,
        small_jobs.len()
    );
}

/// Workers that cannot reach the database keep their results until they can, or until their leases expire.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL: the target `on_postgres` runs it"]
async fn workers_that_lose_the_network_for_a_while_lose_no_results() {
    let cluster = Cluster::start(true);
    let _alone = crate::alone().await;
    let (count, cut) = if is_soak() { (5_000, Duration::from_secs(10)) } else { (300, Duration::from_secs(2)) };
    for broken in [Line::Cut, Line::Silent] {
        let database = cluster.url("postgres");
        let proxy = Proxy::start(cluster.folder().join(".s.PGSQL.5432")).await;
        let far = proxy.url();
        let mut replicas = Replicas::start([&database, &database, &far, &far, &far, &far]).await;
        let id = replicas
            .queued(named(&format!("{broken:?}"), pb::GenerateRequest { seed: Some(broken as u64), ..request(count) }));
        let id = id.await;
        let client = replicas.client().await;
        client.job_when(&id, |job| job.made > 0).await;
        proxy.set(broken);
        // No event ends this wait: without a connection, nothing can be committed.
        tokio::time::sleep(cut).await;
        proxy.set(Line::Open);
        let job = client.job_at_its_end(&id).await;
        assert_eq!((job.state(), job.made), (pb::JobState::Succeeded, count), "{job:?}");
        all_is_whole(&client, &id, count).await;
        println!("{broken:?} for {cut:?}: {} failed attempts", job.failed_attempts);
    }
}
