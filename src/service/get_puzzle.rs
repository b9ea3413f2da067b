//! `GetPuzzle`: one puzzle by id, by chance, or to an audience that has not had it; and what is done where none is left.

use std::time::Duration;

use tokio::{sync::broadcast::error::RecvError, time::timeout};

use super::{
    Service,
    errors::ServiceError,
    parse::{self, Fitting, Wanted},
    ratings::{self, Include},
    render, scramble,
};
use crate::{
    proto::v1 as pb,
    stock::{
        Draw,
        shortage::{self, Measured},
    },
    store::{
        delivery::DeliveryName,
        job::{Enqueued, Job, JobFilter, JobId, JobState, Labels, NewJob},
        puzzle::{Puzzle, Shelf, ShelfFilter},
    },
};
use puzzled_engine::registry;

/// Longest wait of a call that has no deadline.
const WAIT_MAX: Duration = Duration::from_mins(1);

/// Time between two looks at the counts while a call waits: other processes' commits are told of by nobody.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Open jobs that are looked at for their pace.
const JOBS_MAX: u32 = 100;

impl Service {
    /// The puzzle that a request asks for. Who waits for one does so until the call's deadline, which cuts it off, or for
    /// [`WAIT_MAX`].
    pub(super) async fn puzzle_for(
        &self,
        request: &pb::GetPuzzleRequest,
        has_deadline: bool,
    ) -> Result<pb::Puzzle, ServiceError> {
        let puzzle = match parse::get_puzzle(request)? {
            Wanted::Id(id) => {
                self.stock.store().puzzle(id).await?.ok_or_else(|| ServiceError::PuzzleNotFound(id.to_string()))?
            }
            Wanted::OneOf(fitting) => self.one_of(&fitting, has_deadline).await?,
        };
        let puzzle = match request.scramble_seed {
            Some(seed) => self.compute.run(move |cancel| scramble::view(puzzle, seed, cancel)).await??,
            None => puzzle,
        };
        let include = Include {
            solutions: request.include_solution,
            ratings: request.include_ratings,
            drawing: request.include_drawing,
            structure: request.include_structure,
        };
        let mut puzzle = ratings::shown_one(&self.stock, puzzle, include).await?;
        puzzle.scrambled = request.scramble_seed.is_some();
        Ok(puzzle)
    }

    /// A puzzle that fits.
    pub(super) async fn one_of(&self, fitting: &Fitting, has_deadline: bool) -> Result<Puzzle, ServiceError> {
        let nearest = match self.drawn(fitting).await? {
            Ok(puzzle) => return Ok(puzzle),
            Err(nearest) => nearest,
        };
        let job = if fitting.enqueue_if_short { Some(self.top_up(&fitting.shelves).await?) } else { None };
        if fitting.wait {
            let waited = timeout(if has_deadline { Duration::MAX } else { WAIT_MAX }, self.wait_for(fitting)).await;
            if let Ok(puzzle) = waited {
                return puzzle;
            }
        }
        Err(self.exhausted(fitting, nearest, job).await?)
    }

    /// A puzzle, or the nearest filled shelves.
    async fn drawn(&self, fitting: &Fitting) -> Result<Result<Puzzle, Vec<Shelf>>, ServiceError> {
        let Fitting { shelves, audience, name, .. } = fitting;
        // The puzzle of a day is remembered without an audience too: callers cannot name the one that is called "".
        let draw = if audience.is_empty() && name.is_none() {
            self.stock.draw(shelves).await?
        } else {
            self.stock.deliver(audience, name.clone(), shelves).await?
        };
        match draw {
            Draw::Puzzle(puzzle) => Ok(Ok(*puzzle)),
            Draw::Exhausted(nearest) => Ok(Err(nearest)),
            Draw::Unlucky => Err(ServiceError::DrawUnlucky),
            Draw::OtherRequest(puzzle) => {
                let request_id = match name {
                    Some(DeliveryName::Request(request)) => request.request_id.clone(),
                    _ => String::new(),
                };
                Err(ServiceError::DeliveryNamed { request_id, puzzle })
            }
        }
    }

    /// Says that nothing is left, and when asking again may help: only while an open job may make what fits.
    async fn exhausted(
        &self,
        fitting: &Fitting,
        nearest: Vec<Shelf>,
        job: Option<JobId>,
    ) -> Result<ServiceError, ServiceError> {
        let states = vec![JobState::Queued, JobState::Running];
        let filter = JobFilter { states, kind: fitting.shelves.kind.clone(), ..JobFilter::default() };
        let open: Vec<Job> = self.queue.store().jobs(&filter, None, JOBS_MAX).await?;
        let kind = fitting.shelves.kind.as_deref().and_then(registry::kind);
        let rate = match kind.map(|kind| shortage::spec(kind, &fitting.shelves)) {
            Some(spec) => self.stock.rate(&spec).await?,
            None => None,
        };
        let measured = Measured { rate: rate.as_ref(), workers: self.stock.planner().policy().workers };
        Ok(ServiceError::StockExhausted {
            wanted: render::stock::in_words(&fitting.shelves),
            audience: fitting.audience.clone(),
            nearest,
            job,
            retry: shortage::retry_after(&open, &fitting.shelves, measured, self.clock.now()),
        })
    }

    /// The job that makes up for what is missing: a new one, or the open one.
    async fn top_up(&self, shelves: &ShelfFilter) -> Result<JobId, ServiceError> {
        let kind = shelves.kind.as_deref().and_then(registry::kind);
        let kind = kind.ok_or_else(|| ServiceError::Internal("a draw without a kind".to_owned()))?;
        let spec = parse::checked(kind, shortage::spec(kind, shelves))?;
        let policy = self.queue.policy();
        let job = NewJob {
            shortfall: Some(shortage::name(&spec)),
            spec,
            wanted: shortage::TOP_UP_COUNT.min(self.limits.count_max),
            seed: self.chance.next_u64(),
            priority: shortage::TOP_UP_PRIORITY,
            tries_max: policy.tries_max,
            not_before_at: crate::clock::Millis::default(),
            labels: Labels::new(),
            no_extras: false,
            request: None,
        };
        match self.queue.enqueue(job).await? {
            Enqueued::New(job) | Enqueued::Same(job) => Ok(job.id),
            Enqueued::BacklogFull { open } => Err(ServiceError::BacklogFull { open, max: policy.open_jobs_max }),
            Enqueued::OtherRequest(job) => Err(ServiceError::Internal(format!("a top-up without a name met {job}"))),
        }
    }

    /// The next puzzle that fits, as soon as it is shelved.
    async fn wait_for(&self, fitting: &Fitting) -> Result<Puzzle, ServiceError> {
        let _place = self.waiters.take()?;
        // Listen before the look, else a commit that lands between is missed.
        let mut events = self.queue.events();
        let mut seen = None;
        loop {
            let positions = self.stock.positions(&fitting.shelves).await?;
            // The first look is at what was shelved since the draw.
            if seen.is_none_or(|seen| positions > seen)
                && let Ok(puzzle) = self.drawn(fitting).await?
            {
                return Ok(puzzle);
            }
            seen = Some(positions);
            tokio::select! {
                () = self.shutdown.cancelled() => return Err(ServiceError::ShuttingDown),
                // Whichever comes first; a time that has come is no failure.
                told = timeout(LOOK_EVERY, events.recv()) => {
                    if matches!(told, Ok(Err(RecvError::Closed))) {
                        return Err(ServiceError::ShuttingDown);
                    }
                }
            }
        }
    }
}
