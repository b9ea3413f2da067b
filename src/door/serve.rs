//! Assembles the server from its layers and services, runs it on one listener, and ends it at a shutdown: first the drain delay, then
//! the drain.

use std::{
    convert::Infallible,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use http::{Request, Response};
use prost_types::FileDescriptorSet;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::{
    body::Body,
    server::NamedService,
    service::{Routes, RoutesBuilder},
    transport::Server,
};
use tonic_health::{ServingStatus, server::HealthReporter};
use tower::Layer as _;

use super::{
    accept::accept,
    connect::{ConnectLayer, Hosts, Methods},
    ending::Ending,
    health,
    health_watch::HealthWatch,
};
use crate::{
    calls::{AroundLayer, Authorize, CallLog, CallRecord, Calls, Edge, Ends, Guard, Parts, Service},
    settings::{CurrentSettings, Limits, Settings},
};
use puzzled_api::{
    DESCRIPTORS,
    v1::{
        job_service_server::JobServiceServer, puzzle_service_server::PuzzleServiceServer,
        series_service_server::SeriesServiceServer, server_service_server::ServerServiceServer,
        stock_service_server::StockServiceServer,
    },
};

/// Why the server ended early, or did not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The descriptors of the API cannot be read.
    #[error("reflection cannot be set up: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// The descriptors of the API contradict those of a dependency.
    #[error("the descriptors of the API cannot be read: {0}")]
    Descriptors(#[from] prost_reflect::DescriptorError),
    /// The server failed.
    #[error("the server failed: {0}")]
    Transport(#[from] tonic::transport::Error),
}

/// Serves until `shutdown` is cancelled. Then health becomes `NOT_SERVING`. After the drain delay, the listener closes,
/// clients get GOAWAY, streams end with UNAVAILABLE, and calls in flight finish. Connections that remain after the
/// grace time are closed.
///
/// # Errors
/// [`ServeError`]. A shutdown is not an error.
pub async fn serve(
    parts: Parts,
    current: Arc<CurrentSettings>,
    listener: TcpListener,
    shutdown: CancellationToken,
) -> Result<(), ServeError> {
    // Cancelled when the drain starts. By then, health is `NOT_SERVING`, so that a client whose stream ends does not reconnect to
    // this server.
    let drain = CancellationToken::new();
    let Parts { store, clock, chance, gate, telemetry, tls, .. } = parts.clone();
    let log = CallLog::new(Arc::clone(&current));
    let record = Arc::new(CallRecord { telemetry: Arc::clone(&telemetry), clock, log });
    let hosts = Hosts::new(Arc::clone(&gate), Arc::clone(&current), Arc::clone(&telemetry));
    let connect = ConnectLayer::new(Methods::load()?, hosts, tls.is_some(), Arc::clone(&current), shutdown.clone());
    let service = Arc::new(Service::new(parts, Arc::clone(&current), drain.clone()));
    let authorize = Authorize::new(Arc::clone(&gate), Arc::clone(&service.denials));
    let ends = Ends { gate: Arc::clone(&gate), shutdown: drain.clone() };
    let reporter = HealthReporter::new();
    let server = builder(&current.get())
        // Outermost first.
        .layer(connect)
        .layer(AroundLayer(Calls::new(chance, Arc::clone(&record))))
        .layer(AroundLayer(authorize))
        .layer(AroundLayer(Edge::new(Arc::clone(&current))))
        .add_routes(routes(&Guard::new(service, gate), &ends, &current, &reporter)?);
    // A new reporter says SERVING, but no ping has succeeded yet.
    health::report(&reporter, ServingStatus::NotServing).await;
    let ending = Ending::new(drain.clone());
    let clients = accept(listener, tls, Arc::clone(&current), ending.clone());
    let health = health::follow_database(Some(reporter.clone()), telemetry, store, Arc::clone(&current), shutdown);
    let running = server.serve_with_incoming_shutdown(clients, async {
        health.await;
        delay(current.get().server.drain_delay_seconds).await;
        tracing::info!("drain started");
        drain.cancel();
        // The server ends when `clients` ends, not when this future does.
        std::future::pending::<()>().await;
    });
    let late = async {
        drain.cancelled().await;
        health::end_watches(reporter).await;
        end_late(&ending, current.get().process.grace_seconds).await;
        std::future::pending().await
    };
    let ended = tokio::select! {
        ended = running => ended,
        never = late => never,
        never = record.log.tell_left_out() => never,
    };
    record.log.end_second();
    Ok(ended?)
}

/// Waits while load balancers notice the status and send their calls to other servers.
async fn delay(drain_delay: Duration) {
    if !drain_delay.is_zero() {
        tracing::info!(?drain_delay, "drain delayed");
        tokio::time::sleep(drain_delay).await;
    }
}

/// Closes the remaining connections after the grace time.
async fn end_late(ending: &Ending, grace: Duration) {
    tokio::time::sleep(grace).await;
    // Connections without a call are closed too, but not counted, because their clients lose no answer.
    let calls = ending.calls();
    if calls > 0 {
        tracing::warn!(calls, ?grace, "calls cut after the grace time");
    }
    ending.cut();
}

fn builder(settings: &Settings) -> Server {
    Server::builder()
        .accept_http1(true)
        .max_concurrent_streams(settings.limits.max_streams)
        // No grace time is set here. With one, tonic 0.14 closes a connection without first asking its client to leave.
        // `Connection` closes it instead.
        .max_connection_age(settings.connections.connection_age_seconds)
        .http2_keepalive_interval(Some(settings.connections.keepalive_seconds))
        .http2_keepalive_timeout(Some(settings.connections.keepalive_timeout_seconds))
}

fn routes(
    service: &Arc<Guard>,
    ends: &Ends,
    current: &Arc<CurrentSettings>,
    reporter: &HealthReporter,
) -> Result<Routes, ServeError> {
    macro_rules! limited {
        ($server:ident) => {
            Bounded::new($server::from_arc(Arc::clone(service)), current, |server, limits| {
                server
                    .max_decoding_message_size(limits.max_request_bytes as usize)
                    .max_encoding_message_size(limits.max_response_bytes as usize)
            })
        };
    }
    let mut routes = RoutesBuilder::default();
    routes
        .add_service(limited!(PuzzleServiceServer))
        .add_service(limited!(JobServiceServer))
        .add_service(limited!(StockServiceServer))
        .add_service(limited!(SeriesServiceServer))
        .add_service(limited!(ServerServiceServer))
        .add_service(HealthWatch::server(reporter, ends.shutdown.clone()));
    if current.get().server.reflection {
        let ends = AroundLayer(ends.clone());
        routes
            .add_service(ends.layer(reflection()?.build_v1()?))
            .add_service(ends.layer(reflection()?.build_v1alpha()?));
    }
    Ok(routes.routes())
}

fn reflection() -> Result<tonic_reflection::server::Builder<'static>, ServeError> {
    Ok(tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(DESCRIPTORS)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        // Clients print error details as raw bytes unless reflection describes them.
        .register_file_descriptor_set(FileDescriptorSet { file: puzzled_api::error_details()? }))
}

/// A tonic server with the current limits on message sizes. tonic sets the limits when a server is built. To apply changed limits without a
/// restart, a copy of the server with the current limits answers each call. A copy costs as much as a pointer.
#[derive(Debug)]
struct Bounded<S> {
    server: S,
    current: Arc<CurrentSettings>,
    /// Sets the limits.
    size: fn(S, &Limits) -> S,
}

impl<S> Bounded<S> {
    fn new(server: S, current: &Arc<CurrentSettings>, size: fn(S, &Limits) -> S) -> Self {
        Self { server, current: Arc::clone(current), size }
    }
}

impl<S: Clone> Clone for Bounded<S> {
    fn clone(&self) -> Self {
        Self { server: self.server.clone(), current: Arc::clone(&self.current), size: self.size }
    }
}

impl<S: NamedService> NamedService for Bounded<S> {
    const NAME: &'static str = S::NAME;
}

impl<S> tower::Service<Request<Body>> for Bounded<S>
where
    S: tower::Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = S::Future;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.server.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> S::Future {
        (self.size)(self.server.clone(), &self.current.get().limits).call(request)
    }
}
