//! Handlers of `StockService`: get and watch the stock; create, update, list, delete, and refill stock targets.

use std::sync::Arc;

use tonic::Request;

use super::{Reply, watch};
use crate::{
    calls::{
        errors::{ServiceError, fields::Invalid},
        limits::streams::Stream,
        open::actor_of,
        service::Service,
    },
    service::{parse, render},
};
use puzzled_api::v1 as pb;
use puzzled_store::{
    access::actor::Actor,
    ids::TargetId,
    jobs::job::Job,
    stock::filter::ShelfFilter,
    targets::target::{Refilled, TargetCreated, TargetUpdated, UpdateRefusal},
};

impl Service {
    pub(crate) async fn get_stock(&self, request: &Request<pb::GetStockRequest>) -> Reply<pb::GetStockResponse> {
        let pb::GetStockRequest { kind, variant, symmetry, level } = request.get_ref().clone();
        let filter = parse::part(&pb::JobSpec { kind, variant, symmetry, level, ..pb::JobSpec::default() })?;
        let shelves = self.stock.shelves(&filter).await?;
        let outlooks = self.stock.planner().outlooks().await?;
        let outlooks = outlooks.into_iter().filter(|outlook| ShelfFilter::of(&outlook.target.wish.spec).meets(&filter));
        let held = self.stock.store().count_held(None, &filter).await?;
        Ok(render::stock_and_targets::stock(shelves, held, outlooks))
    }

    #[expect(clippy::unused_async, reason = "all methods are awaited")]
    pub(crate) async fn watch_stock(
        &self,
        request: &Request<pb::WatchStockRequest>,
    ) -> Reply<Stream<pb::WatchStockResponse>> {
        let opened = self.watch(request)?;
        let pb::WatchStockRequest { kind, variant, symmetry, level } = request.get_ref().clone();
        let part = parse::part(&pb::JobSpec { kind, variant, symmetry, level, ..pb::JobSpec::default() })?;
        Ok(watch::stock(opened, Arc::clone(&self.stock), part))
    }

    pub(crate) async fn create_stock_target(
        &self,
        request: &Request<pb::CreateStockTargetRequest>,
    ) -> Reply<pb::CreateStockTargetResponse> {
        let by = actor_of(request, "CreateStockTarget")?;
        let wish = parse::wish(&request.get_ref().clone(), self.clock.now())?;
        let target = match self.stock.planner().create(&wish, &by).await? {
            TargetCreated::Created(target) => {
                tracing::info!(stock_target = %target.id, spec = wish.spec.words(), count = wish.count, "stock target created");
                render::stock_and_targets::target(target)
            }
            TargetCreated::Exists(target) => {
                return Err(ServiceError::TargetExists { puzzles: wish.to_string(), target });
            }
            TargetCreated::TooMany { targets } => {
                let max = self.settings().limits.max_targets;
                return Err(ServiceError::TargetsFull { targets, max });
            }
        };
        Ok(pb::CreateStockTargetResponse { target: Some(target) })
    }

    pub(crate) async fn update_stock_target(
        &self,
        request: &Request<pb::UpdateStockTargetRequest>,
    ) -> Reply<pb::UpdateStockTargetResponse> {
        let by = actor_of(request, "UpdateStockTarget")?;
        let request = request.get_ref();
        let change = parse::change(request)?;
        let target = parse::target_id(&request.id)?;
        let target = match self.stock.store().update_target(target, &change, &by).await? {
            TargetUpdated::Updated(target) => {
                let (spec, count) = (target.wish.spec.words(), target.wish.count);
                tracing::info!(stock_target = %target.id, spec, count, "stock target updated");
                render::stock_and_targets::target(target)
            }
            TargetUpdated::Refused(UpdateRefusal::Declared(by)) => {
                return Err(ServiceError::TargetDeclared { target, by });
            }
            TargetUpdated::Refused(UpdateRefusal::Invalid(faults)) => return Err(Invalid::of_target(faults)),
            TargetUpdated::NoTarget => return Err(ServiceError::TargetNotFound(request.id.clone())),
        };
        Ok(pb::UpdateStockTargetResponse { target: Some(target) })
    }

    pub(crate) async fn list_stock_targets(
        &self,
        request: &Request<pb::ListStockTargetsRequest>,
    ) -> Reply<pb::ListStockTargetsResponse> {
        let page = parse::targets(request.get_ref(), &self.settings().limits)?;
        let read = self.stock.store().target_page(page.after.map(TargetId), page.reads());
        let (targets, next_page_token) = page.cut(read.await?, |target| target.id.0);
        let targets = targets.into_iter().map(render::stock_and_targets::target).collect();
        Ok(pb::ListStockTargetsResponse { targets, next_page_token })
    }

    pub(crate) async fn delete_stock_target(
        &self,
        request: &Request<pb::DeleteStockTargetRequest>,
    ) -> Reply<pb::DeleteStockTargetResponse> {
        let by = actor_of(request, "DeleteStockTarget")?;
        let pb::DeleteStockTargetRequest { id, allow_missing } = request.get_ref().clone();
        let target = match parse::target_id(&id) {
            Ok(id) => self.stock.store().delete_target(id, &by).await?,
            Err(ServiceError::TargetNotFound(_)) => None,
            Err(error) => return Err(error),
        };
        if let Some(target) = &target {
            tracing::info!(stock_target = %target.id, spec = target.wish.spec.words(), "stock target deleted");
        }
        if target.is_none() && !allow_missing {
            return Err(ServiceError::TargetNotFound(id));
        }
        Ok(pb::DeleteStockTargetResponse { target: target.map(render::stock_and_targets::target) })
    }

    pub(crate) async fn refill(&self, request: &Request<pb::RefillRequest>) -> Reply<pb::RefillResponse> {
        let by = actor_of(request, "Refill")?;
        let job = self.refill_now(request.get_ref().clone(), by).await?;
        Ok(pb::RefillResponse { job: job.map(render::job::job) })
    }
}

impl Service {
    /// The job that fills a target; `None` if the target is full.
    async fn refill_now(&self, request: pb::RefillRequest, by: Actor) -> Result<Option<Job>, ServiceError> {
        let pb::RefillRequest { id } = request;
        let planner = self.stock.planner();
        let settings = self.settings();
        match planner.refill(parse::target_id(&id)?, Arc::new(by)).await? {
            Refilled::Queued(job) => {
                let stock_target = job.target_id.map(tracing::field::display);
                tracing::info!(stock_target, job = %job.id, spec = job.spec.words(), count = job.wanted, "refill queued");
                self.queue.announce(&job);
                Ok(Some(job))
            }
            Refilled::Open(job) => Ok(Some(job)),
            Refilled::Enough { .. } => Ok(None),
            Refilled::RefillsFull { open } => Err(ServiceError::RefillsFull { open, max: settings.stock.max_refills }),
            Refilled::BacklogFull { open } => Err(ServiceError::backlog_full(open, settings.queue.max_open_jobs)),
            Refilled::StockFull(full) => Err(ServiceError::StockFull(full)),
            Refilled::OverQuota(over) => Err(ServiceError::OverQuota(over)),
            Refilled::NoTarget => Err(ServiceError::TargetNotFound(id)),
            Refilled::Overtaken | Refilled::Paused => {
                Err(ServiceError::Internal("a refill by hand was taken for a planned one".to_owned()))
            }
        }
    }
}
