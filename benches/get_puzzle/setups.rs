//! Measures what access, TLS, and observability cost: compares the rate of `GetPuzzle` on servers with these to that on a
//! bare server. Each server has a copy of the same stock, and their measurements alternate, so that other load on the
//! machine affects all of them. Every server counts its calls; an observed one is scraped too, and its collector is in
//! this process.

use std::{fs, net::SocketAddr, path::Path};

use puzzled::{
    access::token,
    app::{self, Reloads},
    clock::SystemClock,
    config::{Config, Database},
    proto::v1::{GetPuzzleRequest, Kind, puzzle_service_client::PuzzleServiceClient},
    service::{LoggedCalls, ServerSettings},
    store::{
        check::CheckStore as _,
        sqlite::{SqliteSettings, SqliteStore},
    },
    telemetry::traces::{Collector, TraceSettings},
    tls::TlsFiles,
};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::{
    Request, Status,
    metadata::{Ascii, MetadataValue},
    service::{Interceptor, interceptor::InterceptedService},
    transport::{Certificate, Channel, ClientTlsConfig, Endpoint},
};

use super::{
    authority::Authority,
    load::{Caller, Load},
    observer,
    stocked::connect,
};

/// What a server does for each call besides the call itself.
#[derive(Debug)]
struct Setup {
    name: &'static str,
    has_tls: bool,
    /// Whether callers have a token, and quotas that they stay within.
    has_access: bool,
    /// Whether it has the call log at its default, sends 1 % of its traces to a collector, and is scraped every second.
    is_observed: bool,
    /// Lowest wanted rate at the most calls in flight, relative to the bare server.
    wanted: Option<f64>,
}

/// The rows, the bare server first. A second bare server shows how much two equal servers differ.
const SETUPS: [Setup; 7] = [
    BARE,
    Setup { name: "token + quotas", has_access: true, wanted: Some(0.97), ..BARE },
    Setup { name: "TLS + token + quotas", has_tls: true, has_access: true, wanted: Some(0.93), ..BARE },
    Setup { name: "metrics + call log + 1 % traces", is_observed: true, wanted: Some(0.95), ..BARE },
    Setup { name: "everything without TLS", has_access: true, is_observed: true, wanted: Some(0.92), ..BARE },
    Setup { name: "everything", has_tls: true, has_access: true, is_observed: true, wanted: Some(0.88) },
    Setup { name: "bare, again", ..BARE },
];

const BARE: Setup = Setup { name: "bare", has_tls: false, has_access: false, is_observed: false, wanted: None };

/// Measures each setup `rounds` times with each number of `streams`, and prints the medians of the rates,
/// and of the processor time per call of the server, its client, and the collector together.
pub(crate) async fn compare(load: &Load, database: &Path, rounds: usize, streams: &[usize]) {
    let mut servers = Vec::new();
    let collector = observer::collector().await;
    for setup in SETUPS {
        servers.push(Server::start(setup, database, &collector).await);
    }
    let most = streams.iter().max();
    println!("setups, median of {rounds}");
    println!("| setup | streams | calls/s | rate / bare | wanted | CPU µs a call |");
    println!("|---|---|---|---|---|---|");
    for &streams in streams {
        let mut measured = vec![(Vec::new(), Vec::new()); servers.len()];
        for round in 0..rounds {
            // Each round begins with another server, so that none always follows the same one.
            for at in (0..servers.len()).map(|turn| (turn + round) % servers.len()) {
                let one = load.measure(streams, || servers[at].client()).await;
                measured[at].0.push(one.per_second());
                measured[at].1.push(one.cpu_us());
            }
        }
        let medians: Vec<_> = measured.into_iter().map(|(rates, cpu)| (median(rates), median(cpu))).collect();
        for (server, (rate, cpu)) in servers.iter().zip(&medians) {
            let wanted = server.setup.wanted.filter(|_| Some(&streams) == most);
            let wanted = wanted.map_or_else(String::new, |wanted| format!(">= {wanted}"));
            let (name, share) = (server.setup.name, rate / medians[0].0);
            println!("| {name} | {streams} | {rate:.0} | {share:.3} | {wanted} | {cpu:.1} |");
        }
    }
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

/// A server with one setup, and its clients' files.
struct Server {
    setup: Setup,
    endpoint: Endpoint,
    token: Option<MetadataValue<Ascii>>,
    _folder: TempDir,
}

impl Server {
    /// Starts a server without workers on a copy of a database.
    async fn start(setup: Setup, database: &Path, collector: &Collector) -> Self {
        let folder = TempDir::new().expect("a directory");
        let path = |name: &str| folder.path().join(name);
        copy(database, &path("stock.db")).await;
        let authority = Authority::new();
        authority.issue("localhost").write(folder.path(), "server");
        let (secret, file) = access();
        fs::write(path("access.toml"), file).expect("a file");
        let (listen, ops_listen) = (free_address().await, free_address().await);
        let logged_calls = if setup.is_observed { LoggedCalls::Slow } else { LoggedCalls::Off };
        let config = Config {
            listen,
            database: Database::Sqlite(path("stock.db")),
            workers: 0,
            tls: if setup.has_tls {
                TlsFiles { cert: Some(path("server.pem")), key: Some(path("server.key")), ..TlsFiles::default() }
            } else {
                TlsFiles::default()
            },
            access: setup.has_access.then(|| path("access.toml")),
            ops_listen: setup.is_observed.then_some(ops_listen),
            server: ServerSettings { logged_calls, ..ServerSettings::default() },
            traces: TraceSettings { collector: setup.is_observed.then(|| collector.clone()), ratio: 0.01 },
            ..Config::default()
        };
        tokio::spawn(app::serve(config, SystemClock::shared(), CancellationToken::new(), Reloads::none()));
        let scheme = if setup.has_tls { "https" } else { "http" };
        let mut endpoint = Endpoint::from_shared(format!("{scheme}://{listen}")).expect("an address");
        if setup.has_tls {
            let ca = Certificate::from_pem(authority.pem());
            let tls = ClientTlsConfig::new().ca_certificate(ca).domain_name("localhost");
            endpoint = endpoint.tls_config(tls).expect("a certificate");
        }
        let token = setup.has_access.then(|| format!("Bearer {secret}").parse().expect("a token"));
        connect(&endpoint).await;
        if setup.is_observed {
            tokio::spawn(observer::scrape(ops_listen));
        }
        Self { setup, endpoint, token, _folder: folder }
    }

    /// A client with a separate connection.
    async fn client(&self) -> Drawer {
        let bearer = Bearer(self.token.clone());
        Drawer(PuzzleServiceClient::with_interceptor(connect(&self.endpoint).await, bearer))
    }
}

/// The port is free now, and no other program on this machine takes it.
async fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").await.expect("a port").local_addr().expect("an address")
}

async fn copy(from: &Path, to: &Path) {
    let settings = SqliteSettings::of(from.to_owned());
    let store = SqliteStore::open_to_read(&settings, SystemClock::shared()).await.expect("a database");
    store.copy_to(to).await.expect("a copy");
    store.close_read().await;
}

/// A token, and the access file of its principal, whose quotas are never reached.
fn access() -> (String, String) {
    let secret = token::text("bench", &[7; token::SECRET_BYTES]);
    let digest = token::hex(&token::digest(&secret));
    let file = format!(
        "[[principal]]\nname = 'bench'\nrole = 'reader'\ncalls_per_second = 1000000\n\
         compute_seconds_per_minute = 1000000\nopen_jobs = 1000\nopen_puzzles = 1000000\n\
         [[token]]\nid = 'bench'\nsha256 = '{digest}'\nprincipal = 'bench'\n"
    );
    (secret, file)
}

/// Puts the token on each call, if there is one.
#[derive(Debug, Clone)]
struct Bearer(Option<MetadataValue<Ascii>>);

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(token) = &self.0 {
            request.metadata_mut().insert("authorization", token.clone());
        }
        Ok(request)
    }
}

/// A client that draws puzzles of any level.
#[derive(Debug, Clone)]
struct Drawer(PuzzleServiceClient<InterceptedService<Channel, Bearer>>);

impl Caller for Drawer {
    async fn call(&mut self) {
        let request = GetPuzzleRequest { kind: Kind::Sudoku.into(), ..GetPuzzleRequest::default() };
        let drawn = self.0.get_puzzle(request).await.expect("a puzzle").into_inner();
        assert!(drawn.puzzle.is_some_and(|puzzle| puzzle.text.len() == 81));
    }
}
