//! What a call does if no puzzle fits: queues a job for the missing ones, and builds the error.

use std::sync::Arc;

use super::draw::{DrawRequest, Fitting};
use crate::{
    calls::{Exhausted, Service, ServiceError, Tries},
    wire::Parser,
};
use puzzled_api::words::timestamp;
use puzzled_base::{clock::Millis, ids::JobId};
use puzzled_engine::{registry, shared::spec::Difficulty};
use puzzled_store::{
    jobs::{
        admission::{Enqueued, Refusal},
        job::{Labels, NewJob},
        queue_state::Stops,
    },
    stock::draws::Lack,
    targets::{
        need::is_unreachable,
        shortage::{self, Measured},
        top_up::{self, TopUp},
    },
};

impl Service {
    /// Queues a job for the missing puzzles, or finds the open one. `None` if the stock is full. For an exclusive draw, the job
    /// makes as many puzzles as the call lacks, for the audience.
    pub(super) async fn top_up(
        &self,
        fitting: &Fitting<'_>,
        draw: &DrawRequest,
    ) -> Result<Option<JobId>, ServiceError> {
        let shelves = &fitting.shelves;
        let kind = shelves.kind.as_deref().and_then(registry::kind);
        let kind = kind.ok_or_else(|| ServiceError::Internal("a draw without a kind".to_owned()))?;
        let mut parser = Parser::default();
        let spec = shortage::made_spec(kind, shelves).map_err(|fault| parser.refuse_criteria(vec![fault])).ok();
        let spec = parser.done_with(spec)?;
        if let Some(rate) = self.stock.rate(&spec).await?.filter(|rate| is_unreachable(Some(rate))) {
            return Err(ServiceError::Unreachable { tries: rate.tries, work_ms: rate.work_ms });
        }
        let settings = self.settings();
        let holder = fitting.holder();
        let TopUp { count, work_ms_max } = match holder {
            Some(_) => settings.limits.top_up().of_lacking(draw.lacking),
            None => settings.limits.top_up(),
        };
        let job = NewJob {
            needed_version: registry::needed_version(&spec),
            shortfall: Some(shortage::name(&spec, holder.as_ref())),
            spec,
            wanted: count.min(settings.queue.max_count),
            seed: self.chance.next_u64(),
            priority: top_up::PRIORITY,
            tries_max: settings.queue.max_tries,
            not_before_at: Millis::default(),
            labels: Labels::new(),
            work_ms_max: Some(work_ms_max),
            request: None,
            by: Some(Arc::new(draw.actor())),
            holder,
        };
        match self.queue.enqueue(job).await? {
            Enqueued::New(job) | Enqueued::Same(job) => Ok(Some(job.id)),
            Enqueued::Refused(Refusal::StockFull(_)) => Ok(None),
            // A top-up has no request ID, so no request can have the same one.
            Enqueued::Refused(why) => Err(self.job_refused(why, String::new())),
        }
    }

    /// The error for an exhausted stock. It suggests a retry only if an open job may make a puzzle that fits.
    pub(super) async fn exhausted(
        &self,
        fitting: &Fitting<'_>,
        lack: Lack,
        job: Option<JobId>,
    ) -> Result<ServiceError, ServiceError> {
        let level = match fitting.shelves.difficulty {
            Difficulty::Level(level) => Some(level),
            Difficulty::Any | Difficulty::Range { .. } => None,
        };
        self.telemetry.exhausted.one(fitting.shelves.kind.as_deref().unwrap_or_default(), level);
        let open = self.open_jobs(fitting).await?;
        let kind = fitting.shelves.kind.as_deref().and_then(registry::kind);
        // A spec that is not made has no rate.
        let spec = kind.map(|kind| shortage::made_spec(kind, &fitting.shelves)).transpose();
        let rate = match &spec {
            Ok(Some(spec)) => self.stock.rate(spec).await?,
            Ok(None) | Err(_) => None,
        };
        let Stops { pause, full } = self.queue.store().stops().await?;
        let measured = Measured { rate: rate.as_ref(), workers: self.settings().process.workers };
        let retry = shortage::retry(&open, &fitting.shelves, measured, self.clock.now());
        let tries = rate.map_or(Tries::default(), |rate| Tries { tries: rate.tries, hits: rate.hits });
        Ok(ServiceError::StockExhausted(Box::new(Exhausted {
            wanted: fitting.fields(),
            audience: fitting.audience.to_owned(),
            exclusive: fitting.exclusive,
            lack,
            job,
            tries,
            paused_since: pause.map(|pause| timestamp(pause.at)),
            full,
            retry,
            unmade: spec.err(),
        })))
    }
}
