//! Starts the program as a server with one setup, on a copy of a database. Also connects clients that call `GetPuzzle` with
//! the token and the certificate that the setup needs.

use std::{
    fs,
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Stdio},
};

use puzzled::access::token;
use puzzled_api::v1::{GetPuzzleRequest, Kind, puzzle_service_client::PuzzleServiceClient};
use puzzled_base::clock::SystemClock;
use puzzled_store::{
    check_store::CheckStore as _,
    sqlite::{SqliteSettings, SqliteStore},
};
use tempfile::TempDir;
use tokio::{net::TcpListener, task::JoinSet};
use tonic::{
    Request, Status,
    metadata::{Ascii, MetadataValue},
    service::{Interceptor, interceptor::InterceptedService},
    transport::{Certificate, Channel, ClientTlsConfig, Endpoint},
};

use super::{
    authority::Authority,
    load::Caller,
    observer,
    setups::{Collector, Setup},
    stocked::connect,
};

/// A server in a separate process, and its clients' credentials. The process is killed when this is dropped.
pub(crate) struct Server {
    process: Child,
    endpoint: Endpoint,
    token: Option<MetadataValue<Ascii>>,
    scraper: JoinSet<()>,
    _folder: TempDir,
}

impl Server {
    /// Starts a server without workers on a copy of a database. `collector` is the address where spans are received.
    pub(crate) async fn start(setup: &Setup<'_>, database: &Path, collector: &str) -> Self {
        let folder = TempDir::new().expect("a directory");
        copy(database, &folder.path().join("stock.db")).await;
        let listen = free_address().await;
        let mut args = vec![format!("serve --listen {listen} --database sqlite:stock.db --workers 0")];
        let scheme = if setup.has_tls { "https" } else { "http" };
        let mut endpoint = Endpoint::from_shared(format!("{scheme}://{listen}")).expect("an address");
        if setup.has_tls {
            let authority = Authority::new();
            authority.issue("localhost").write(folder.path(), "server");
            let tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(authority.pem()));
            endpoint = endpoint.tls_config(tls.domain_name("localhost")).expect("a certificate");
            args.push("--tls-cert server.pem --tls-key server.key".to_owned());
        }
        let mut token = None;
        if setup.has_access {
            let (secret, file) = access();
            fs::write(folder.path().join("access.toml"), file).expect("a file");
            token = Some(format!("Bearer {secret}").parse().expect("a token"));
            args.push("--access access.toml".to_owned());
        }
        let ops = free_address().await;
        args.push(match setup.collector {
            None => "--log-calls off".to_owned(),
            Some(at) => {
                let nobody = format!("http://{}", free_address().await);
                let collector = if at == Collector::Away { &nobody } else { collector };
                format!("--ops-listen {ops} --otlp-endpoint {collector} --trace-ratio 0.01")
            }
        });
        let process = program(setup, folder.path(), &args.join(" "));
        connect(&endpoint).await;
        let mut scraper = JoinSet::new();
        if setup.collector.is_some() {
            connect(&Endpoint::from_shared(format!("http://{ops}")).expect("an address")).await;
            scraper.spawn(observer::scrape(ops));
        }
        Self { process, endpoint, token, scraper, _folder: folder }
    }

    /// The ID of the process.
    pub(crate) fn process(&self) -> String {
        self.process.id().to_string()
    }

    /// A client with a separate connection.
    pub(crate) async fn client(&self) -> Drawer {
        let bearer = Bearer(self.token.clone());
        Drawer(PuzzleServiceClient::with_interceptor(connect(&self.endpoint).await, bearer))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.scraper.abort_all();
        self.process.kill().and_then(|()| self.process.wait()).expect("a process that runs");
    }
}

fn program(setup: &Setup<'_>, folder: &Path, args: &str) -> Child {
    let program = setup.program.unwrap_or(Path::new(env!("CARGO_BIN_EXE_puzzled")));
    let mut command = Command::new(program);
    command.args(args.split_whitespace()).current_dir(folder).env_clear();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the program")
}

/// An address that is free now. If another program takes it before the server does, the bench fails.
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
pub(crate) struct Drawer(PuzzleServiceClient<InterceptedService<Channel, Bearer>>);

impl Caller for Drawer {
    async fn call(&mut self) {
        let request = GetPuzzleRequest { kind: Kind::Sudoku.into(), ..GetPuzzleRequest::default() };
        let drawn = self.0.get_puzzle(request).await.expect("a puzzle").into_inner();
        assert!(drawn.puzzle.is_some_and(|puzzle| puzzle.text.len() == 81));
    }
}
