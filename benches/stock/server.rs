//! Starts servers as separate processes, so that their processor time can be told from that of their clients.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
};

use puzzled::proto::v1::{puzzle_service_client::PuzzleServiceClient, stock_service_client::StockServiceClient};
use tonic::transport::Channel;

use super::{
    calls::{Draw, Drawer, StockReader},
    empty_call,
};

/// What makes this program a server of the empty call.
pub(crate) const SERVE_EMPTY: &str = "--serve-empty";

/// A server that is killed when it is dropped.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    /// Its id.
    pub(crate) process: String,
    /// Where it listens.
    pub(crate) socket: empty_call::Address,
    /// Its database, if it has one.
    file: Option<PathBuf>,
}

impl Server {
    /// A build's `puzzled serve` on a database, without workers.
    pub(crate) async fn start(program: &Path, file: &Path) -> Self {
        let mut command = Command::new(program);
        command.args(["serve", "--workers", "0", "--listen", "127.0.0.1:0", "--database"]);
        command.arg(format!("sqlite:{}", file.display())).env_clear().stderr(Stdio::piped());
        let mut child = command.spawn().expect("a server");
        let log = child.stderr.take().expect("a log");
        let address = address(BufReader::new(log).lines().map(|line| line.expect("a log")));
        let (process, socket) = (child.id().to_string(), address.parse().expect("an address"));
        let server = Self { child, process, socket, file: Some(file.to_owned()) };
        // It is ready once it answers.
        server.channel().await;
        server
    }

    /// This program as a server of the empty call.
    pub(crate) fn start_empty() -> Self {
        let program = std::env::current_exe().expect("this program");
        let mut child = Command::new(program).arg(SERVE_EMPTY).stdout(Stdio::piped()).spawn().expect("a server");
        let said = child.stdout.take().expect("its output");
        let address = address(BufReader::new(said).lines().map(|line| line.expect("an address")));
        Self { process: child.id().to_string(), child, socket: address.parse().expect("an address"), file: None }
    }

    /// Has the kernel read the database into memory. Some drop what nobody read for a while, and a bench that visits each page
    /// once in a minute would measure the disk.
    pub(crate) fn warm(&self) {
        if let Some(file) = &self.file {
            io::copy(&mut File::open(file).expect("the database"), &mut io::sink()).expect("a read");
        }
    }

    /// Draws on a connection of its own.
    pub(crate) async fn drawer(&self, draw: Draw) -> Drawer {
        Drawer::new(PuzzleServiceClient::new(self.channel().await), draw)
    }

    /// Asks for the stock on a connection of its own.
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
        // It may have ended already, which is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Serves the empty call until it is killed.
pub(crate) async fn serve_empty() {
    println!(" listens on {},", empty_call::start().await);
    std::future::pending::<()>().await;
}

/// The address that one of these lines tells; the others are read and thrown away, as nobody must wait for them.
fn address(mut lines: impl Iterator<Item = String> + Send + 'static) -> String {
    let line = lines.find(|line| line.contains(" listens on ")).expect("a line with the address");
    thread::spawn(move || lines.for_each(drop));
    let (_, address) = line.split_once(" listens on ").expect("an address");
    address.split(',').next().expect("an address").to_owned()
}
