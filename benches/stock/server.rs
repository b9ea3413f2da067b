//! Starts the servers of the bench `stock`: `puzzled serve` on a database, or a server of the empty call. Each is a
//! separate process, so that its processor time can be measured without that of its clients.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
};

use puzzled_api::v1::{puzzle_service_client::PuzzleServiceClient, stock_service_client::StockServiceClient};
use tonic::transport::Channel;

use super::{
    calls::{Draw, Drawer, StockReader},
    empty_call,
};

/// The option that makes this program a server of the empty call.
pub(crate) const SERVE_EMPTY: &str = "--serve-empty";

/// A server that is killed when it is dropped.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    /// The process ID.
    pub(crate) process: String,
    /// The address where the server listens.
    pub(crate) socket: empty_call::Address,
    /// The database file; `None` for a server of the empty call.
    file: Option<PathBuf>,
}

impl Server {
    /// Starts `puzzled serve` of a build on a database, without workers.
    pub(crate) async fn start(program: &Path, file: &Path) -> Self {
        let mut command = Command::new(program);
        command.args(["serve", "--workers", "0", "--listen", "127.0.0.1:0", "--database"]);
        command.arg(format!("sqlite:{}", file.display())).env_clear().stderr(Stdio::piped());
        let mut child = command.spawn().expect("a server");
        let log = child.stderr.take().expect("a log");
        let address = address(BufReader::new(log).lines().map(|line| line.expect("a log")));
        let (process, socket) = (child.id().to_string(), address.parse().expect("an address"));
        let server = Self { child, process, socket, file: Some(file.to_owned()) };
        // Waits until the server accepts connections.
        server.channel().await;
        server
    }

    /// Starts this program as a server of the empty call.
    pub(crate) fn start_empty() -> Self {
        let program = std::env::current_exe().expect("this program");
        let mut child = Command::new(program).arg(SERVE_EMPTY).stdout(Stdio::piped()).spawn().expect("a server");
        let said = child.stdout.take().expect("its output");
        let address = address(BufReader::new(said).lines().map(|line| line.expect("an address")));
        Self { process: child.id().to_string(), child, socket: address.parse().expect("an address"), file: None }
    }

    /// Makes the operating system read the database into memory. Some systems drop pages that were not read for a while, and a
    /// bench that visits each page once a minute would measure the disk.
    pub(crate) fn warm(&self) {
        if let Some(file) = &self.file {
            io::copy(&mut File::open(file).expect("the database"), &mut io::sink()).expect("a read");
        }
    }

    /// A client that draws puzzles on a separate connection.
    pub(crate) async fn drawer(&self, draw: Draw) -> Drawer {
        Drawer::new(PuzzleServiceClient::new(self.channel().await), draw)
    }

    /// A client that calls `GetStock` on a separate connection.
    pub(crate) async fn stock(&self) -> StockReader {
        StockReader(StockServiceClient::new(self.channel().await))
    }

    async fn channel(&self) -> Channel {
        let endpoint = Channel::from_shared(format!("http://{}", self.socket)).expect("an address");
        endpoint.connect().await.expect("a server")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // An error means that the process has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Serves the empty call until it is killed.
pub(crate) async fn serve_empty() {
    println!(" listens on {},", empty_call::start().await);
    std::future::pending::<()>().await;
}

/// Finds the server's address in these lines. A thread reads and discards the other lines, so that the server never waits.
fn address(mut lines: impl Iterator<Item = String> + Send + 'static) -> String {
    let line = lines.find(|line| line.contains(" listens on ")).expect("a line with the address");
    thread::spawn(move || lines.for_each(drop));
    let (_, address) = line.split_once(" listens on ").expect("an address");
    address.split(',').next().expect("an address").to_owned()
}
