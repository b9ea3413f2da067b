//! The gRPC health service. It extends that of tonic by one case of the protocol: a watch of an unknown service answers
//! `SERVICE_UNKNOWN` and stays open.

use std::pin::Pin;

use futures_util::{StreamExt as _, stream};
use tokio_stream::Stream;
use tokio_util::sync::CancellationToken;
use tonic::{Code, Request, Response, Status};
use tonic_health::{
    pb::{
        HealthCheckRequest, HealthCheckResponse,
        health_check_response::ServingStatus,
        health_server::{Health, HealthServer},
    },
    server::{HealthReporter, HealthService},
};

/// Answers health checks with the statuses that `health.rs` sets in the reporter.
#[derive(Debug)]
pub(super) struct HealthWatch {
    known: HealthService,
    /// Cancelled when clients are asked to disconnect.
    drain: CancellationToken,
}

impl HealthWatch {
    pub(super) fn server(reporter: &HealthReporter, drain: CancellationToken) -> HealthServer<Self> {
        HealthServer::new(Self { known: HealthService::from_health_reporter(reporter.clone()), drain })
    }
}

type Answer = Result<HealthCheckResponse, Status>;

#[tonic::async_trait]
impl Health for HealthWatch {
    type WatchStream = Pin<Box<dyn Stream<Item = Answer> + Send>>;

    async fn check(&self, request: Request<HealthCheckRequest>) -> Result<Response<HealthCheckResponse>, Status> {
        self.known.check(request).await
    }

    async fn watch(&self, request: Request<HealthCheckRequest>) -> Result<Response<Self::WatchStream>, Status> {
        match self.known.watch(request).await {
            Ok(known) => Ok(known.map(|stream| Box::pin(stream) as Self::WatchStream)),
            Err(status) if status.code() == Code::NotFound => {
                let unknown = HealthCheckResponse { status: ServingStatus::ServiceUnknown.into() };
                let until_drain = stream::pending().take_until(self.drain.clone().cancelled_owned());
                Ok(Response::new(Box::pin(stream::iter([Ok(unknown)]).chain(until_drain))))
            }
            Err(status) => Err(status),
        }
    }
}
