//! The planner: queues and ends the refills of stock targets, computes the outlooks of the targets, and creates targets.
//! [`need`](crate::targets::need) decides what a target needs. When the store queues a refill, it checks that again. Therefore any number of
//! processes may plan at the same time.

use std::{collections::HashMap, sync::Arc};

use crate::{
    Store, StoreError,
    access::actor::Actor,
    bounds::{Bounds, CurrentBounds},
    deliveries::choose,
    jobs::job::Job,
    stock::filter::ShelfFilter,
    targets::{
        need::{Need, Outlook, Sight, outlook},
        target::{Asked, Refill, Refilled, StockTarget, Stop, TargetCreated, Wish},
    },
};
use puzzled_base::{
    chance::Chance,
    ids::{JobId, TargetId},
};
use puzzled_engine::registry;

/// The planner of one process.
#[derive(Debug)]
pub struct Planner {
    store: Arc<dyn Store>,
    chance: Arc<Chance>,
    bounds: Arc<dyn CurrentBounds>,
}

impl Planner {
    /// Creates a planner on a store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, chance: Arc<Chance>, bounds: Arc<impl CurrentBounds + 'static>) -> Self {
        Self { store, chance, bounds }
    }

    /// The bounds in force.
    pub(crate) fn bounds(&self) -> Bounds {
        self.bounds.bounds()
    }

    /// Queues a job for each target that needs one, highest priority first. Ends refills that are no longer needed or
    /// too late. Returns the jobs that it queued or ended.
    ///
    /// # Errors
    /// [`StoreError`]. Jobs that were queued or ended before the error stay so.
    pub async fn plan(&self) -> Result<Vec<Job>, StoreError> {
        self.act(self.outlooks().await?, |_| None).await
    }

    /// Queues and ends refills by outlooks. The outlooks may be old, because the store checks each target again.
    /// `span_of` begins a span for the refill of a target, and returns its `traceparent`; the refill is then queued or
    /// refused.
    ///
    /// # Errors
    /// [`StoreError`]. Jobs that were queued or ended before the error stay so.
    pub async fn act(
        &self,
        mut outlooks: Vec<Outlook>,
        mut span_of: impl FnMut(&StockTarget) -> Option<String> + Send,
    ) -> Result<Vec<Job>, StoreError> {
        // Of targets with equal priority, the one with the fewest puzzles comes first.
        outlooks.sort_by_key(|outlook| (-outlook.target.wish.priority, outlook.have, outlook.target.id));
        let mut changed = Vec::new();
        // Whether the store would refuse any further job.
        let mut is_full = false;
        for Outlook { target, need, last, .. } in outlooks {
            let last = last.map(|job| job.id);
            match need {
                Need::Job { not_after_at } if !is_full => {
                    let traceparent = span_of(&target);
                    let refilled = self.ask(&target, Asked::Planned { last, not_after_at }, traceparent).await?;
                    is_full = matches!(
                        refilled,
                        Refilled::RefillsFull { .. }
                            | Refilled::BacklogFull { .. }
                            | Refilled::StockFull(_)
                            | Refilled::Paused
                    );
                    if let Refilled::Queued(job) = refilled {
                        changed.push(job);
                    }
                }
                Need::EnoughWithoutJob => changed.extend(self.end(last, Stop::Full).await?),
                Need::TooLateForJob => changed.extend(self.end(last, Stop::TooLate).await?),
                _ => {}
            }
        }
        Ok(changed)
    }

    async fn end(&self, job: Option<JobId>, stop: Stop) -> Result<Option<Job>, StoreError> {
        match job {
            Some(id) => self.store.stop_refill(id, stop).await,
            None => Ok(None),
        }
    }

    /// Queues a job for a target that is not full, at any time and after any result of its last job.
    ///
    /// # Errors
    /// [`StoreError`] if the write fails.
    pub async fn refill(&self, id: TargetId, by: Arc<Actor>) -> Result<Refilled, StoreError> {
        let targets = self.store.targets().await?;
        match targets.iter().find(|target| target.id == id) {
            Some(target) => self.ask(target, Asked::Manual(by), None).await,
            None => Ok(Refilled::NoTarget),
        }
    }

    async fn ask(
        &self,
        target: &StockTarget,
        asked: Asked,
        traceparent: Option<String>,
    ) -> Result<Refilled, StoreError> {
        let bounds = self.bounds();
        let refill = Refill {
            target_id: target.id,
            shelves: ShelfFilter::of(&target.wish.spec),
            asked,
            seed: self.chance.next_u64(),
            tries_max: bounds.max_tries,
            count_max: bounds.max_count,
            refills_max: bounds.max_refills,
            open_jobs_max: bounds.max_open_jobs,
            traceparent,
        };
        self.store.refill(refill).await
    }

    /// Returns the outlooks of all targets, by id.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be read.
    pub async fn outlooks(&self) -> Result<Vec<Outlook>, StoreError> {
        let targets = self.store.targets().await?;
        if targets.is_empty() {
            return Ok(Vec::new());
        }
        let specs: Vec<_> = targets.iter().map(|target| target.wish.spec.words()).collect();
        let rates: HashMap<_, _> =
            self.store.rates(&specs).await?.into_iter().map(|rate| (rate.spec.clone(), rate)).collect();
        let refills = self.store.refills().await?;
        // Read the shelves after the jobs. Then the puzzles that a job stored before it finished are counted, and are not
        // made a second time.
        let stock = self.store.shelves().await?;
        let now = self.store.now().await?;
        let workers = self.bounds().workers;
        let outlooks = targets.iter().zip(specs).map(|(target, spec)| {
            let refusal = registry::refusal(&target.wish.spec);
            let sight = Sight {
                wish: &target.wish,
                have: choose::total(&stock, &ShelfFilter::of(&target.wish.spec)),
                last: refills.iter().rfind(|job| job.target_id == Some(target.id)),
                rate: rates.get(&spec),
                refusal: refusal.as_deref(),
                now,
            };
            outlook(target, sight, workers)
        });
        Ok(outlooks.collect())
    }

    /// Creates the target of a spec that has none.
    ///
    /// # Errors
    /// [`StoreError`] if the write fails.
    pub async fn create(&self, wish: &Wish, by: &Actor) -> Result<TargetCreated, StoreError> {
        self.store.create_target(wish, self.bounds().max_targets, by).await
    }
}
