//! Migrations under a running server: no call fails while the database gets a newer schema, and a migration that waits
//! for a dump does not make the server unavailable.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use puzzled_store::{
    ProcessStore as _, StoreError,
    fault_points::{FaultPoints, NoFaults},
    jobs::process::{Process, Role},
    postgres::{migrating::Waits, schema::migrate_to},
    sqlite,
};
use sqlx::{ConnectOptions as _, Executor as _};
use tokio::{sync::watch, task::yield_now};

use crate::{
    databases::{
        home::Home,
        next_schema::{COMPATIBLE, on_postgres, on_sqlite},
    },
    prelude::*,
};

/// Clients at a time.
const CLIENTS: usize = 3;

/// The minimum number of rounds of calls that each client makes before the change, and again after it.
const ROUNDS: usize = 4;

/// A call of each kind that reads or changes rows, and a claim of a worker.
async fn round(server: &Server, name: &str) {
    let (mut puzzles, mut jobs) = (server.puzzles().await, server.jobs().await);
    let (mut stock, mut info) = (server.stock().await, server.info().await);
    let kind = pb::Kind::Sudoku.into();
    let wanted = pb::GenerateRequest { kind, request_id: name.to_owned(), ..Default::default() };
    let id = puzzles.generate(wanted).await.unwrap().into_inner().job.unwrap().id;
    let process = Process {
        name: name.to_owned(),
        host: "a host".to_owned(),
        pid: 7,
        role: Role::Work,
        version: "0.1.0".to_owned(),
        workers: 1,
    };
    server.store.keep_process(&process).await.unwrap();
    if let Some(slice) = server.queue.claim(name).await.unwrap() {
        // The slice may belong to the job of any client, and the client may have cancelled the job just now.
        server.queue.give_back(slice.lease).await.unwrap();
    }
    jobs.get_job(pb::GetJobRequest { id: id.clone() }).await.unwrap();
    jobs.list_jobs(pb::ListJobsRequest::default()).await.unwrap();
    jobs.get_queue(pb::GetQueueRequest::default()).await.unwrap();
    jobs.cancel_job(pb::CancelJobRequest { id: id.clone() }).await.unwrap();
    jobs.retry_job(pb::RetryJobRequest { id: id.clone() }).await.unwrap();
    jobs.cancel_job(pb::CancelJobRequest { id }).await.unwrap();
    puzzles.get_puzzle(pb::GetPuzzleRequest { kind, ..Default::default() }).await.unwrap();
    let audience = name.to_owned();
    puzzles.get_puzzle(pb::GetPuzzleRequest { kind, audience, ..Default::default() }).await.unwrap();
    puzzles.list_puzzles(pb::ListPuzzlesRequest { kind, ..Default::default() }).await.unwrap();
    stock.get_stock(pb::GetStockRequest::default()).await.unwrap();
    stock.list_stock_targets(pb::ListStockTargetsRequest::default()).await.unwrap();
    info.list_processes(pb::ListProcessesRequest::default()).await.unwrap();
}

/// Clients that make one round after the other until they are told to stop.
struct Load {
    clients: JoinSet<()>,
    rounds: watch::Sender<[usize; CLIENTS]>,
    stop: CancellationToken,
}

impl Load {
    fn begin(server: &Arc<Server>) -> Self {
        let (rounds, stop) = (watch::Sender::new([0; CLIENTS]), CancellationToken::new());
        let mut clients = JoinSet::new();
        for client in 0..CLIENTS {
            let (server, rounds, stop) = (Arc::clone(server), rounds.clone(), stop.clone());
            clients.spawn(async move {
                while !stop.is_cancelled() {
                    let number = rounds.borrow()[client];
                    round(&server, &format!("{client}-{number}")).await;
                    rounds.send_modify(|rounds| rounds[client] += 1);
                }
            });
        }
        Self { clients, rounds, stop }
    }

    /// Waits until each client has made some more rounds, or failed.
    async fn some_more(&mut self) {
        let mut rounds = self.rounds.subscribe();
        let before = *rounds.borrow();
        let made = rounds.wait_for(|now| now.iter().zip(before).all(|(now, before)| *now >= before + ROUNDS));
        tokio::select! {
            made = made => drop(made.unwrap()),
            ended = self.clients.join_next() => ended.unwrap().unwrap(),
        }
    }

    async fn end(mut self) {
        self.stop.cancel();
        while let Some(ended) = self.clients.join_next().await {
            ended.unwrap();
        }
    }
}

/// A server with puzzles and a target, under load, and the first statuses of its health.
async fn loaded(server: Server) -> (Arc<Server>, Load) {
    server.fill(Symmetry::None, 12, 50).await;
    let target = pb::CreateStockTargetRequest { kind: pb::Kind::Sudoku.into(), target: 5, ..Default::default() };
    server.stock().await.create_stock_target(target).await.unwrap();
    let server = Arc::new(server);
    let mut load = Load::begin(&server);
    // Every statement is prepared by then, on most connections.
    load.some_more().await;
    (server, load)
}

#[tokio::test]
async fn older_server_serves_on_while_its_database_gets_a_newer_schema() {
    let (server, mut load) = loaded(Server::start().await).await;
    match &server.home {
        Home::File(directory) => {
            sqlite::schema::migrate_to(&on_sqlite(&[COMPATIBLE]), &Home::sqlite(directory)).await.unwrap()
        }
        Home::Server(database) => {
            let pause = Duration::from_millis(20);
            let waits = Waits { lock_timeout: pause, retry_pause: pause, ..Waits::default() };
            migrate_to(&on_postgres(&[COMPATIBLE]), &database.settings(), &waits, &NoFaults).await.unwrap()
        }
    };
    load.some_more().await;
    load.end().await;
}

/// Counts how often a migration rolled back because a session held a lock.
#[derive(Debug, Default)]
struct Blocked(AtomicUsize);

#[async_trait]
impl FaultPoints for Blocked {
    async fn at(&self, point: &'static str) -> Result<(), StoreError> {
        if point == "migrate.blocked" {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
        Ok(())
    }
}

/// With `PUZZLED_SOAK=1`, the dump takes twenty seconds, and the migration waits as long as in production.
#[expect(clippy::disallowed_methods, reason = "a person or a script says how much is to be run")]
fn is_soak() -> bool {
    std::env::var("PUZZLED_SOAK").is_ok_and(|soak| soak == "1")
}

#[tokio::test]
#[ignore = "needs PostgreSQL: the target `on_postgres` runs it"]
async fn migration_behind_a_dump_takes_no_server_out_of_service() {
    let (server, mut load) = loaded(Server::on_postgres().await).await;
    let Home::Server(database) = &server.home else { panic!("not on PostgreSQL") };
    let settings = database.settings();
    let mut health = server.health().await.watch(HealthCheckRequest::default()).await.unwrap().into_inner();
    let statuses = tokio::spawn(async move {
        let mut statuses = Vec::new();
        while let Ok(Some(message)) = health.message().await {
            statuses.push(message.status());
        }
        statuses
    });
    let mut dump = settings.url.options().connect().await.unwrap();
    dump.execute("begin; lock table jobs in access share mode").await.unwrap();
    let blocked = Arc::new(Blocked::default());
    let (lock_timeout, retry_pause) = (Duration::from_millis(50), Duration::from_millis(50));
    let waits = if is_soak() { Waits::default() } else { Waits { lock_timeout, retry_pause, ..Waits::default() } };
    let migration = tokio::spawn({
        let (blocked, settings) = (Arc::clone(&blocked), settings.clone());
        async move { migrate_to(&on_postgres(&[COMPATIBLE]), &settings, &waits, &*blocked).await.unwrap().ran }
    });
    if is_soak() {
        dump.execute("select pg_sleep(20)").await.unwrap();
    }
    while blocked.0.load(Ordering::SeqCst) < 2 {
        yield_now().await;
    }
    // While the dump runs and the migration waits for it.
    load.some_more().await;
    assert!(!migration.is_finished());
    dump.execute("rollback").await.unwrap();
    assert_eq!(migration.await.unwrap().len(), 1);
    load.some_more().await;
    let rounds: usize = load.rounds.borrow().iter().sum();
    load.end().await;
    server.shutdown.cancel();
    let mut statuses = statuses.await.unwrap();
    // The last status is that of the shutdown.
    assert_eq!(statuses.pop(), Some(ServingStatus::NotServing));
    assert!(statuses.iter().all(|status| *status == ServingStatus::Serving), "{statuses:?}");
    println!("{rounds} rounds of calls, {} tries of the migration gave way", blocked.0.load(Ordering::SeqCst));
}
