//! A rolling restart of two servers on one database, SQLite or PostgreSQL, under load. A client that follows the retry policy of
//! `proto/service_config.json` sees no failed call, and no repeated request queues a second job.

use std::{collections::BTreeSet, time::Duration};

use puzzled_api::v1::{
    GenerateRequest, Kind, ListJobsRequest, WatchJobRequest, job_service_client::JobServiceClient,
    puzzle_service_client::PuzzleServiceClient,
};
use puzzled_base::clock::SystemClock;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::{
    client::Client,
    databases::cluster::Cluster,
    load::Load,
    process::{Machine, PATIENCE, free_address},
};

/// How long the load lasts before the first restart, and during restarts.
const CALM: Duration = Duration::from_secs(3);
const RESTARTS: Duration = Duration::from_secs(15);

/// A server answers calls for a second after the signal, as it does behind a load balancer.
const SERVER: &str = "--workers 1 --drain-delay-seconds 1";

/// Puzzles in stock: more than an audience gets.
const STOCK: u32 = 60;

/// Runs the load, first without restarts, then while the servers are restarted in turn.
async fn roll(machine: &Machine) {
    let addresses = [free_address(), free_address()];
    let mut servers = Vec::new();
    for address in &addresses {
        servers.push(machine.serve(address, SERVER).await);
    }
    let client = Client::of(&addresses);
    fill(&client).await;
    let clock = SystemClock::shared();

    let stop = CancellationToken::new();
    let calm = Load::run(&client, &*clock, "calm", &stop);
    let end = async {
        tokio::time::sleep(CALM).await;
        stop.cancel();
    };
    let (calm, ()) = tokio::join!(calm, end);

    let stop = CancellationToken::new();
    let load = Load::run(&client, &*clock, "rolling", &stop);
    let restarts = async {
        let began = clock.elapsed();
        let mut restarts = 0_u32;
        while clock.elapsed().saturating_sub(began) < RESTARTS {
            let server = servers.remove(0);
            let address = server.address.clone();
            server.stop().await;
            servers.push(machine.serve(&address, SERVER).await);
            restarts += 1;
        }
        stop.cancel();
        restarts
    };
    let (load, restarts) = tokio::join!(load, restarts);
    println!("without restarts: {}", calm.summary());
    println!("with {restarts} restarts: {}; {} attempts retried", load.summary(), client.retries());
    assert!(restarts >= 2);
    for load in [&calm, &load] {
        let failed = load.failed.lock().unwrap();
        assert!(failed.is_empty(), "{:#?}", &failed[..failed.len().min(5)]);
    }
    // No request that was repeated after a stop of its server queued a second job; the one extra job is `fill`.
    let acknowledged = [calm, load].map(|load| load.jobs.into_inner().unwrap().len()).iter().sum::<usize>();
    assert_eq!(jobs(&client).await.len(), acknowledged + 1);
    for server in servers {
        server.stop().await;
    }
    machine.puzzled("check").await;
}

async fn fill(client: &Client) {
    let request = GenerateRequest {
        kind: Kind::Sudoku.into(),
        count: Some(STOCK),
        request_id: "fill".to_owned(),
        ..Default::default()
    };
    let queued = client.call("PuzzleService/Generate", async |channel| {
        let mut puzzles = PuzzleServiceClient::new(channel.clone());
        let job = puzzles.generate(request.clone()).await?.into_inner().job.unwrap();
        let watch = WatchJobRequest { id: job.id };
        let mut watch = JobServiceClient::new(channel).watch_job(watch).await?.into_inner();
        while watch.message().await?.is_some() {}
        Ok(())
    });
    timeout(PATIENCE, queued).await.unwrap().unwrap();
}

/// The IDs of all jobs.
async fn jobs(client: &Client) -> BTreeSet<String> {
    let (mut ids, mut page_token) = (BTreeSet::new(), String::new());
    loop {
        let request = ListJobsRequest { page_size: 200, page_token, ..Default::default() };
        let page = client.call("JobService/ListJobs", async |channel| {
            JobServiceClient::new(channel).list_jobs(request.clone()).await
        });
        let page = page.await.unwrap().into_inner();
        ids.extend(page.jobs.into_iter().map(|job| job.id));
        page_token = page.next_page_token;
        if page_token.is_empty() {
            return ids;
        }
    }
}

#[tokio::test]
async fn rolling_restart_of_two_servers_fails_no_call() {
    roll(&Machine::with_file()).await;
}

#[tokio::test]
#[ignore = "needs PostgreSQL: the target `on_postgres` runs it"]
async fn rolling_restart_on_postgres_fails_no_call() {
    let cluster = Cluster::start(false);
    roll(&Machine::on(&cluster.url("postgres"))).await;
}
