//! A server with an access file, on a clock that a test moves. Also a client that calls any method by its descriptor.

use std::{fmt::Write as _, net::SocketAddr, num::NonZeroU32, str::FromStr as _, sync::Arc};

use prost_reflect::{DynamicMessage, MessageDescriptor, MethodDescriptor};
use puzzled::{
    access::{Directory, Gate, token},
    calls::Parts,
    door,
    settings::CurrentSettings,
    telemetry::Telemetry,
    work::Workers,
};
use puzzled_base::{
    chance::Chance,
    clock::{Clock, ManualClock, SystemClock},
};
use puzzled_store::{
    Store,
    fault_points::NoFaults,
    jobs::queue::Queue,
    sqlite::{SqliteSettings, SqliteStore},
    stock::draws::Stock,
};
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::{
    Request, Status,
    metadata::{Ascii, MetadataValue},
    transport::{Channel, Endpoint},
};

use crate::{
    contract::{json, methods},
    dynamic,
};

/// A principal with one token.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) role: &'static str,
    pub(crate) solutions: bool,
    /// Further lines of the principal.
    pub(crate) more: &'static str,
}

/// A principal that sees solutions and has no quota.
pub(crate) const fn entry(name: &'static str, role: &'static str) -> Entry {
    Entry { name, role, solutions: true, more: "" }
}

/// The token of a principal, whose ID is its name.
pub(crate) fn token_of(name: &str) -> String {
    token::text(name, &[name.len().try_into().unwrap(); 32])
}

/// The access file of these principals. The first `tokens` of them have a token.
pub(crate) fn access_file(entries: &[Entry], tokens: usize) -> String {
    let mut text = String::new();
    for Entry { name, role, solutions, more } in entries {
        writeln!(text, "[[principal]]\nname = '{name}'\nrole = '{role}'\nsolutions = {solutions}\n{more}").unwrap();
    }
    for Entry { name, .. } in &entries[..tokens] {
        let digest = token::hex(&token::digest(&token_of(name)));
        writeln!(text, "[[token]]\nid = '{name}'\nsha256 = '{digest}'\nprincipal = '{name}'").unwrap();
    }
    text
}

pub(crate) fn directory(text: &str) -> Directory {
    Directory::parse(text).unwrap()
}

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) gate: Arc<Gate>,
    pub(crate) clock: Arc<ManualClock>,
    stop: CancellationToken,
    queue: Arc<Queue>,
    /// Removed with the server.
    _folder: TempDir,
}

impl Server {
    /// A server with the access file of these principals, each with a token.
    pub(crate) async fn start(entries: &[Entry]) -> Self {
        Self::with_file(&access_file(entries, entries.len())).await
    }

    pub(crate) async fn with_file(text: &str) -> Self {
        let clock = ManualClock::at(SystemClock::shared().now());
        let shared: Arc<dyn Clock> = Arc::clone(&clock) as _;
        let folder = tempfile::tempdir().unwrap();
        let settings = SqliteSettings { readers: 1, ..SqliteSettings::of(folder.path().join("stock.db")) };
        let store = SqliteStore::open(settings, Arc::clone(&shared), Arc::new(NoFaults)).await.unwrap();
        let store: Arc<dyn Store> = Arc::new(store);
        let chance = Arc::new(Chance::from_seed(1));
        let settings = Arc::<CurrentSettings>::default();
        let queue = Arc::new(Queue::new(Arc::clone(&store), Arc::clone(&chance), Arc::clone(&settings)));
        let stock =
            Arc::new(Stock::new(Arc::clone(&store), Arc::clone(&chance), Arc::clone(&shared), Arc::clone(&settings)));
        let telemetry = Telemetry::new(&*shared);
        let gate = Gate::new(directory(text), Arc::clone(&shared));
        let parts = Parts {
            queue: Arc::clone(&queue),
            stock,
            store,
            clock: shared,
            chance,
            telemetry,
            gate: Arc::clone(&gate),
            tls: None,
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        tokio::spawn(door::serve(parts, settings, listener, stop.clone()));
        Self { address, gate, clock, stop, queue, _folder: folder }
    }

    /// Starts a worker, on the machine's clock.
    pub(crate) fn work(&self) {
        let clock = SystemClock::shared();
        let workers =
            Workers::start(NonZeroU32::MIN, "tester", &self.queue, &clock, &Telemetry::new(&*clock), &self.stop)
                .unwrap();
        tokio::spawn(workers.stopped());
    }

    /// A client without a token.
    pub(crate) async fn stranger(&self) -> Client {
        let endpoint = Endpoint::from_shared(format!("http://{}", self.address)).unwrap();
        Client::over(endpoint.connect().await.unwrap())
    }

    /// A client with the token of a principal.
    pub(crate) async fn client(&self, name: &str) -> Client {
        self.stranger().await.with(&format!("Bearer {}", token_of(name)))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// The method with a name, which is unique in the API.
pub(crate) fn method(name: &str) -> MethodDescriptor {
    methods().into_iter().find(|method| method.name() == name).unwrap()
}

/// Calls methods by their names, with messages as JSON.
#[derive(Clone)]
pub(crate) struct Client {
    channel: Channel,
    headers: Vec<MetadataValue<Ascii>>,
}

impl Client {
    /// A client without a token over a connection.
    pub(crate) fn over(channel: Channel) -> Self {
        Self { channel, headers: Vec::new() }
    }

    /// The same with one more `authorization` header.
    pub(crate) fn with(mut self, header: &str) -> Self {
        self.headers.push(MetadataValue::from_str(header).unwrap());
        self
    }

    pub(crate) fn channel(&self) -> Channel {
        self.channel.clone()
    }

    /// Calls the method with a path, whatever it is, with an empty message.
    pub(crate) async fn call_path(&self, path: &'static str) -> Result<(), Status> {
        let empty = method("GetServerInfo").input();
        self.send(path, DynamicMessage::new(empty.clone()), empty).await.map(drop)
    }

    /// Opens a stream. The one message of a method without a stream comes as a stream too.
    pub(crate) async fn open(&self, name: &str, request: Value) -> Result<tonic::Streaming<DynamicMessage>, Status> {
        let method = method(name);
        let message = DynamicMessage::deserialize(method.input(), request).unwrap();
        let path = format!("/{}/{}", method.parent_service().full_name(), method.name());
        self.send(&path, message, method.output()).await
    }

    async fn send(
        &self,
        path: &str,
        message: DynamicMessage,
        answer: MessageDescriptor,
    ) -> Result<tonic::Streaming<DynamicMessage>, Status> {
        let mut request = Request::new(message);
        for header in &self.headers {
            request.metadata_mut().append("authorization", header.clone());
        }
        dynamic::open(self.channel.clone(), path, request, answer).await
    }

    /// The first message of the answer; none of a stream without messages.
    pub(crate) async fn call(&self, name: &str, request: Value) -> Result<Option<Value>, Status> {
        let first = self.open(name, request).await?.message().await?;
        Ok(first.map(|message| json(&message)))
    }
}
