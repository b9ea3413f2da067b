//! Separate PostgreSQL databases for tests: on the server that `PUZZLED_TEST_DATABASE_URL` names, or on a temporary one that
//! this process starts.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
        mpsc::{self, Sender},
    },
    thread,
};

use puzzled_store::postgres::{PostgresSettings, PostgresUrl, schema};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Executor as _, PgConnection};
use tokio::runtime;

use super::cluster::Cluster;

/// The variable with the URL of a database on the server to use. The user in it must be allowed to create databases.
const VARIABLE: &str = "PUZZLED_TEST_DATABASE_URL";

/// The migrated database that is copied for each test on a server that this process started.
const TEMPLATE: &str = "puzzled_template";

/// A new database. It is dropped when this value is dropped.
#[derive(Debug)]
pub(crate) struct Database {
    server: &'static Server,
    name: String,
}

impl Database {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let server = Server::shared();
        let name = format!("puzzled_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        match server.own {
            Some(_) => server.run(&format!("create database {name} template {TEMPLATE}")),
            // The tests do not stop a server that they did not start, so a template would remain on it.
            None => server.run(&format!("create database {name}")),
        }
        Self { server, name }
    }

    pub(crate) fn url(&self) -> String {
        on_database(&self.server.url, &self.name)
    }

    pub(crate) fn settings(&self) -> PostgresSettings {
        settings(&self.url())
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let statement = format!("drop database {} with (force)", self.name);
        match self.server.own {
            // A drop waits for a checkpoint, which nobody needs to wait for on a server that ends with the tests.
            Some(_) => drop(self.server.drops.send(Order { statement, done: mpsc::channel().0 })),
            None => self.server.run(&statement),
        }
    }
}

pub(crate) fn settings(url: &str) -> PostgresSettings {
    PostgresSettings::of(url.parse::<PostgresUrl>().unwrap())
}

/// The server of this process's tests.
#[derive(Debug)]
struct Server {
    /// `None` if an external server is used.
    own: Option<Cluster>,
    url: String,
    orders: Sender<Order>,
    /// Statements for which no caller waits.
    drops: Sender<Order>,
}

#[derive(Debug)]
struct Order {
    statement: String,
    done: Sender<Result<(), sqlx::Error>>,
}

impl Server {
    /// The server that all tests of this process share, started when first needed.
    fn shared() -> &'static Self {
        static SERVER: OnceLock<Server> = OnceLock::new();
        SERVER.get_or_init(Self::start)
    }

    #[expect(clippy::disallowed_methods, reason = "a person or a script names the server")]
    fn start() -> Self {
        if let Ok(url) = std::env::var(VARIABLE) {
            return Self { own: None, orders: takes_orders(&url), drops: takes_orders(&url), url };
        }
        let cluster = Cluster::start(false);
        let url = cluster.url("postgres");
        let server = Self { orders: takes_orders(&url), drops: takes_orders(&url), url, own: Some(cluster) };
        server.run(&format!("create database {TEMPLATE}"));
        let template = settings(&on_database(&server.url, TEMPLATE));
        on_a_thread(async move { schema::migrate(&template).await.unwrap() });
        server
    }

    fn run(&self, statement: &str) {
        let (done, ended) = mpsc::channel();
        self.orders.send(Order { statement: statement.to_owned(), done }).unwrap();
        ended.recv().unwrap().unwrap_or_else(|error| panic!("{statement}: {error}"));
    }
}

/// Runs a future to its end where code cannot await: at the start, and in a drop.
fn on_a_thread<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    let run = move || runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work);
    thread::spawn(run).join().unwrap()
}

/// A thread that creates and drops databases in turn, on its own connection.
fn takes_orders(url: &str) -> Sender<Order> {
    let (orders, inbox) = mpsc::channel::<Order>();
    let options = settings(url).url.options();
    thread::spawn(move || {
        let runtime = runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let mut db: Option<PgConnection> = None;
        for Order { statement, done } in inbox {
            let ended = runtime.block_on(async {
                if db.is_none() {
                    db = Some(options.connect().await?);
                }
                db.as_mut().unwrap().execute(AssertSqlSafe(statement)).await.map(drop)
            });
            // The caller that ordered it may have gone.
            let _ = done.send(ended);
        }
    });
    orders
}

/// A URL with another database's name.
fn on_database(url: &str, name: &str) -> String {
    let (before, query) =
        url.split_once('?').map_or((url, String::new()), |(before, query)| (before, format!("?{query}")));
    let (scheme, rest) = before.split_once("://").expect("a URL");
    let host = rest.split_once('/').map_or(rest, |(host, _)| host);
    format!("{scheme}://{host}/{name}{query}")
}

#[test]
fn url_can_name_another_database_of_the_server() {
    let cases = [
        ("postgres://a:b@host:1/c?x=y", "postgres://a:b@host:1/new?x=y"),
        ("postgres://host", "postgres://host/new"),
        ("postgres:///c?host=/run/x", "postgres:///new?host=/run/x"),
    ];
    for (url, expected) in cases {
        assert_eq!(on_database(url, "new"), expected);
    }
}
