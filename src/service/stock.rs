//! Handlers of `StockService`.

use std::sync::Arc;

use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};

use super::{
    Service,
    errors::ServiceError,
    parse::{self, Criteria},
    render, watch,
};
use crate::{
    proto::v1::{self as pb, stock_service_server::StockService},
    stock::targets::{self, TARGETS_MAX},
    store::{
        job::Job,
        target::{Refilled, TargetSet},
    },
};

#[tonic::async_trait]
impl StockService for Service {
    type WatchStockStream = ReceiverStream<Result<pb::WatchStockResponse, Status>>;

    async fn get_stock(&self, request: Request<pb::GetStockRequest>) -> Result<Response<pb::GetStockResponse>, Status> {
        let pb::GetStockRequest { kind, variant, symmetry, level } = request.into_inner();
        let filter = parse::part(Criteria { kind, variant: &variant, symmetry, level, ..Criteria::default() })?;
        let shelves = self.stock.shelves(&filter).await.map_err(ServiceError::Store)?;
        let outlooks = self.stock.planner().outlooks().await.map_err(ServiceError::Store)?;
        let outlooks = outlooks.into_iter().filter(|outlook| targets::is_within(&outlook.target, &filter));
        Ok(Response::new(render::stock::stock(shelves, outlooks)))
    }

    async fn watch_stock(
        &self,
        request: Request<pb::WatchStockRequest>,
    ) -> Result<Response<Self::WatchStockStream>, Status> {
        let opened = self.watchers.open(&request, &self.shutdown)?;
        let pb::WatchStockRequest { kind, variant, symmetry, level } = request.into_inner();
        let part = parse::part(Criteria { kind, variant: &variant, symmetry, level, ..Criteria::default() })?;
        Ok(Response::new(watch::stock(opened, Arc::clone(&self.stock), part)))
    }

    async fn set_stock_target(
        &self,
        request: Request<pb::SetStockTargetRequest>,
    ) -> Result<Response<pb::SetStockTargetResponse>, Status> {
        let wish = parse::wish(&request.into_inner(), self.clock.now())?;
        match self.stock.planner().set(wish).await.map_err(ServiceError::Store)? {
            TargetSet::Set(target) => {
                Ok(Response::new(pb::SetStockTargetResponse { target: Some(render::target::target(target)) }))
            }
            TargetSet::TooMany { targets } => Err(ServiceError::TargetsFull { targets, max: TARGETS_MAX }.into()),
        }
    }

    async fn list_stock_targets(
        &self,
        _request: Request<pb::ListStockTargetsRequest>,
    ) -> Result<Response<pb::ListStockTargetsResponse>, Status> {
        let targets = self.stock.planner().targets().await.map_err(ServiceError::Store)?;
        let targets = targets.into_iter().map(render::target::target).collect();
        Ok(Response::new(pb::ListStockTargetsResponse { targets }))
    }

    async fn delete_stock_target(
        &self,
        request: Request<pb::DeleteStockTargetRequest>,
    ) -> Result<Response<pb::DeleteStockTargetResponse>, Status> {
        let id = request.into_inner().id;
        let target = self.stock.planner().delete(parse::target_id(&id)?).await.map_err(ServiceError::Store)?;
        let target = target.map(render::target::target).ok_or(ServiceError::TargetNotFound(id))?;
        Ok(Response::new(pb::DeleteStockTargetResponse { target: Some(target) }))
    }

    async fn refill(&self, request: Request<pb::RefillRequest>) -> Result<Response<pb::RefillResponse>, Status> {
        let job = self.refill_now(request.into_inner()).await?;
        Ok(Response::new(pb::RefillResponse { job: job.map(render::job::job) }))
    }
}

impl Service {
    /// The job that fills a target; none if it is full.
    async fn refill_now(&self, request: pb::RefillRequest) -> Result<Option<Job>, ServiceError> {
        let pb::RefillRequest { id, no_extras } = request;
        let planner = self.stock.planner();
        let policy = planner.policy();
        match planner.refill(parse::target_id(&id)?, no_extras).await? {
            Refilled::Queued(job) => {
                self.queue.announce(&job);
                Ok(Some(job))
            }
            Refilled::Open(job) => Ok(Some(job)),
            Refilled::Enough { .. } => Ok(None),
            Refilled::RefillsFull { open } => Err(ServiceError::RefillsFull { open, max: policy.refills_max }),
            Refilled::BacklogFull { open } => Err(ServiceError::BacklogFull { open, max: policy.open_jobs_max }),
            Refilled::NoTarget => Err(ServiceError::TargetNotFound(id)),
            Refilled::Overtaken | Refilled::Paused => {
                Err(ServiceError::Internal("a refill by hand was taken for a planned one".to_owned()))
            }
        }
    }
}
