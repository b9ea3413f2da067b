//! Converts rows of either database to the types of the program. If a value breaks an invariant, the error names its
//! table, column, and row.

use std::{collections::HashMap, ops::Range};

use crate::{
    StoreError,
    access::{audit_entry::AuditEntry, principal::Role},
    deliveries::delivery::{Delivery, DeliveryId},
    jobs::{
        growth::{Gauge, GrowthState},
        job::{Job, JobError, JobState},
        open_quotas::OpenWork,
        queue_state::{Pause, QueueState, Stops},
        repeat::Fields,
        slice::{Lease, Slice},
    },
    sql::{
        database::{Columns, Reading},
        record::RecordColumn,
        spec_columns,
    },
    stock::{
        origins::origin,
        puzzle::{Puzzle, Shelf, ShelfId, ShelfKey, Withdrawn},
        rating::{Outcome, Rating},
    },
    targets::target::{MakingRate, Schedule, StockTarget, Wish},
};
use puzzled_base::{
    clock::Millis,
    ids::{JobId, PuzzleId, TargetId},
    repeat_hash::RepeatHash,
};
use puzzled_engine::shared::{level::Tenths, record::StoredRecord, tries::Tally};

/// Reads a row of `jobs`.
pub(crate) fn job(row: &impl Columns) -> Result<Job, StoreError> {
    let row = Reading::new(row, "jobs")?;
    Ok(Job {
        id: JobId(row.id()),
        state: row.one_of("state", JobState::ALL, JobState::name)?,
        spec: spec_columns::read(&row)?,
        wanted: row.number("wanted")?,
        made: row.number("made")?,
        next_index: row.number("next_index")?,
        seed: row.seed()?,
        priority: row.number("priority")?,
        tries_max: row.number("tries_max")?,
        tally: tally(&row)?,
        work_ms: row.get("work_ms")?,
        work_ms_max: row.get("work_ms_max")?,
        failed_attempts: row.number("failed_attempts")?,
        reclaimed_slices: row.number("reclaimed_slices")?,
        error: row.get("error")?,
        error_reason: row.optional_one_of("error_reason", JobError::ALL, JobError::name)?,
        request_id: row.get("request_id")?,
        principal: row.get("principal")?,
        holder: row.optional_word("holder")?,
        traceparent: row.get("traceparent")?,
        labels: row.json("labels")?,
        needed_version: row.number("needed_version")?,
        not_before_at: row.instant("not_before_at")?,
        target_id: row.get::<Option<i64>>("target_id")?.map(TargetId),
        not_after_at: row.optional_instant("not_after_at")?,
        created_at: row.instant("created_at")?,
        started_at: row.optional_instant("started_at")?,
        ended_at: row.optional_instant("ended_at")?,
        pruned_at: row.optional_instant("pruned_at")?,
    })
}

/// Reads a row of `jobs` with the request that queued it: the request ID, the request's fields, and the job.
pub(crate) fn named_job(row: &impl Columns) -> Result<(String, (Fields, Job)), StoreError> {
    let fields = fields(&Reading::new(row, "jobs")?)?;
    let job = job(row)?;
    let name =
        job.request_id.clone().ok_or(StoreError::Corrupt { table: "jobs", column: "request_id", id: job.id.0 })?;
    Ok((name, (fields, job)))
}

/// Reads the fields of a request, stored as JSON text.
pub(crate) fn fields(row: &Reading<'_, impl Columns>) -> Result<Fields, StoreError> {
    serde_json::from_str(row.get("fields")?).map_err(|_| row.corrupt("fields"))
}

/// Reads a row of `jobs` with its shortfall: the shortfall, and the job.
pub(crate) fn job_for_shortfall(row: &impl Columns) -> Result<(String, Job), StoreError> {
    Ok((Reading::new(row, "jobs")?.get("shortfall")?, job(row)?))
}

fn tally(row: &Reading<'_, impl Columns>) -> Result<Tally, StoreError> {
    let distance: Option<u32> = row.optional_number("nearest_distance")?;
    let nearest: Option<String> = row.get("nearest")?;
    Ok(Tally {
        tries: row.number("tries")?,
        repeats: row.number("repeats")?,
        unrated: row.number("unrated")?,
        off_target: row.number("off_target")?,
        givens: row.number("givens_missed")?,
        unproven: row.number("unproven")?,
        solvers_disagreed: row.number("solvers_disagreed")?,
        nearest: distance.zip(nearest),
    })
}

/// Reads a row of `shelves`.
pub(crate) fn shelf(row: &impl Columns) -> Result<Shelf, StoreError> {
    let row = Reading::new(row, "shelves")?;
    Ok(Shelf {
        id: ShelfId(row.id()),
        key: shelf_key(&row, "technique", "givens")?,
        positions: row.get("positions")?,
        empty: row.get("empty")?,
    })
}

fn shelf_key(
    row: &Reading<'_, impl Columns>,
    technique: &'static str,
    givens: &'static str,
) -> Result<ShelfKey, StoreError> {
    Ok(ShelfKey {
        kind: row.get("kind")?,
        variant: row.get("variant")?,
        base: row.get("base")?,
        symmetry: row.word("symmetry")?,
        rating: Tenths(row.number("rating")?),
        technique: row.get(technique)?,
        givens: row.number(givens)?,
    })
}

/// Reads a row of `puzzles`, joined with its shelf, without its record.
pub(crate) fn puzzle(row: &impl Columns) -> Result<Puzzle, StoreError> {
    let row = Reading::new(row, "puzzles")?;
    let shelf = row.joined("shelves", "shelf_id")?;
    let withdrawn = row.optional_instant("withdrawn_at")?.zip(row.get("withdrawn_reason")?);
    Ok(Puzzle {
        id: PuzzleId(row.id()),
        shelf: shelf_key(&shelf, "shelf_technique", "shelf_givens")?,
        position: row.get("position")?,
        holder: row.optional_word("holder")?,
        text: row.get("text")?,
        solution: row.get("solution")?,
        canonical: row.get("canonical")?,
        repeat_hash: repeat_hash(&row)?,
        givens: row.number("givens")?,
        technique: row.get("technique")?,
        predicted_seconds: row.optional_number("predicted_seconds")?,
        record: None,
        origin: origin(&row)?,
        engine_version: row.number("engine_version")?,
        created_at: row.instant("created_at")?,
        withdrawn: withdrawn.map(|(at, reason)| Withdrawn { at, reason }),
    })
}

fn repeat_hash(row: &Reading<'_, impl Columns>) -> Result<RepeatHash, StoreError> {
    let bytes: &[u8] = row.get("repeat_hash")?;
    bytes.try_into().map(RepeatHash).map_err(|_| row.corrupt("repeat_hash"))
}

/// Reads a row of `puzzles`, joined with its shelf, with its record.
pub(crate) fn puzzle_with_record(row: &impl Columns) -> Result<Puzzle, StoreError> {
    Ok(Puzzle { record: Some(record(row)?), ..puzzle(row)? })
}

/// Reads the record of a row of `puzzles`.
fn record(row: &impl Columns) -> Result<StoredRecord, StoreError> {
    let row = Reading::new(row, "puzzles")?;
    Ok(row.json::<RecordColumn>("record")?.stored(row.get("rater")?, row.number("rater_version")?))
}

/// Reads a row of `ratings`, whose `id` is the puzzle's.
pub(crate) fn rating(row: &impl Columns) -> Result<Rating, StoreError> {
    let row = Reading::new(row, "ratings")?;
    let (rater, rater_version): (String, u32) = (row.get("rater")?, row.number("rater_version")?);
    let outcome = match row.get("outcome")? {
        "rated" => Outcome::Rated {
            rating: Tenths(row.number("rating")?),
            record: row.json::<RecordColumn>("record")?.stored(rater.clone(), rater_version),
        },
        "at_least" => Outcome::AtLeast(Tenths(row.number("rating")?)),
        "stuck" => Outcome::Stuck,
        _ => return Err(row.corrupt("outcome")),
    };
    Ok(Rating { puzzle_id: PuzzleId(row.id()), rater, rater_version, outcome, created_at: row.instant("created_at")? })
}

/// The place of a puzzle.
pub(crate) struct Placed {
    pub(crate) shelf_id: i64,
    /// `None` for a held puzzle.
    pub(crate) position: Option<i64>,
}

/// Reads the shelf, as `id`, and the position of a puzzle.
pub(crate) fn placed(row: &impl Columns) -> Result<Placed, StoreError> {
    let row = Reading::new(row, "puzzles")?;
    Ok(Placed { shelf_id: row.id(), position: row.get("position")? })
}

/// A row of `slices`.
pub(crate) struct SliceRow {
    pub(crate) id: i64,
    pub(crate) job_id: i64,
    pub(crate) first_index: u32,
    pub(crate) end_index: u32,
    pub(crate) first_try: u32,
    pub(crate) failed_attempts: u32,
    /// The token of the lease; `None` if the slice is not leased.
    pub(crate) token: Option<i64>,
    /// The worker that holds the slice, or held it last.
    pub(crate) worker: String,
}

impl SliceRow {
    /// Returns the slice as a worker gets it, with its lease.
    pub(crate) fn leased(&self, job: &Job, token: i64, now: Millis) -> Slice {
        let due_at = job.not_before_at.max(job.created_at);
        Slice {
            lease: Lease { slice_id: self.id, job_id: job.id, token },
            spec: job.spec.clone(),
            seed: job.seed,
            first_index: self.first_index,
            end_index: self.end_index,
            first_try: self.first_try,
            tries_max: job.tries_max,
            failed_attempts: self.failed_attempts,
            traceparent: job.traceparent.clone(),
            waited_ms: (job.state == JobState::Queued).then(|| now.ms_since(due_at)),
        }
    }

    /// The indices of the slice.
    pub(crate) fn indices(&self) -> Range<u32> {
        self.first_index..self.end_index
    }
}

pub(crate) fn slice(row: &impl Columns) -> Result<SliceRow, StoreError> {
    let row = Reading::new(row, "slices")?;
    Ok(SliceRow {
        id: row.id(),
        job_id: row.get("job_id")?,
        first_index: row.number("first_index")?,
        end_index: row.number("end_index")?,
        first_try: row.number("first_try")?,
        failed_attempts: row.number("failed_attempts")?,
        token: row.get("token")?,
        worker: row.get("worker")?,
    })
}

/// Reads the row of `queue` with counts. The counts of jobs by state are JSON.
pub(crate) fn queue_state(row: &impl Columns) -> Result<QueueState, StoreError> {
    let row = Reading::new(row, "queue")?;
    let jobs: HashMap<String, u32> = row.json("jobs")?;
    let in_state = |state: JobState| jobs.get(state.name()).copied().unwrap_or(0);
    Ok(QueueState {
        pause: pause_of(&row)?,
        jobs: JobState::ALL.map(in_state),
        waiting_slices: row.number("waiting_slices")?,
        leased_slices: row.number("leased_slices")?,
        // If the clock was set back, a job may have been queued in the future.
        oldest_wait_ms: row.get::<Option<i64>>("oldest_wait_ms")?.map(|ms| ms.max(0)),
        reclaimed_slices_last_hour: row.number("reclaimed_slices_last_hour")?,
        reclaimed_slices: row.number("reclaimed_slices")?,
        growth: growth_of(&row)?,
    })
}

/// Reads whether the queue is stopped, from the row of `queue` and the number of puzzles in circulation.
pub(crate) fn stops(row: &impl Columns) -> Result<Stops, StoreError> {
    let row = Reading::new(row, "queue")?;
    Ok(Stops { pause: pause_of(&row)?, full: growth_of(&row)?.full() })
}

/// Reads the growth of the stock, from the row of `queue` and the number of puzzles in circulation.
pub(crate) fn growth(row: &impl Columns) -> Result<GrowthState, StoreError> {
    growth_of(&Reading::new(row, "queue")?)
}

fn growth_of(row: &Reading<'_, impl Columns>) -> Result<GrowthState, StoreError> {
    let puzzles = Gauge {
        used: row.number("puzzles")?,
        max: row.optional_number("puzzles_max")?,
        full_at: row.optional_instant("puzzles_full_at")?,
    };
    let bytes = Gauge {
        used: row.number("bytes_used")?,
        max: row.optional_number("bytes_max")?,
        full_at: row.optional_instant("bytes_full_at")?,
    };
    Ok(GrowthState { puzzles, bytes, bytes_read_at: row.optional_instant("bytes_read_at")? })
}

fn pause_of(row: &Reading<'_, impl Columns>) -> Result<Option<Pause>, StoreError> {
    let pause = row.optional_instant("paused_at")?.zip(row.get("pause_reason")?);
    Ok(pause.map(|(at, reason)| Pause { at, reason }))
}

/// Reads a row of `deliveries`.
pub(crate) fn delivery(row: &impl Columns) -> Result<Delivery, StoreError> {
    let row = Reading::new(row, "deliveries")?;
    let delivery = Delivery {
        id: DeliveryId(row.id()),
        puzzle_id: row.get::<Option<i64>>("puzzle_id")?.map(PuzzleId),
        repeat_hash: row.word("repeat_hash")?,
        request_id: None,
        date: None,
        series: None,
        at: row.instant("created_at")?,
    };
    Ok(delivery.named(row.get("name")?))
}

/// Reads a row of `targets`.
pub(crate) fn target(row: &impl Columns) -> Result<StockTarget, StoreError> {
    let row = Reading::new(row, "targets")?;
    let schedule = match (row.get("cron")?, row.get("time_zone")?, row.optional_number("window_minutes")?) {
        (Some(cron), Some(time_zone), Some(window_minutes)) => Some(Schedule { cron, time_zone, window_minutes }),
        (None, None, None) => None,
        _ => return Err(row.corrupt("cron")),
    };
    Ok(StockTarget {
        id: TargetId(row.id()),
        wish: Wish {
            spec: spec_columns::read(&row)?,
            low_water: row.optional_number("low_water")?,
            count: row.number("target")?,
            priority: row.number("priority")?,
            schedule,
        },
        declared_by: row.get("declared_by")?,
        created_at: row.instant("created_at")?,
        updated_at: row.instant("updated_at")?,
    })
}

/// Reads a row of `audit`.
pub(crate) fn audit_entry(row: &impl Columns) -> Result<AuditEntry, StoreError> {
    let row = Reading::new(row, "audit")?;
    let has_role = row.get::<Option<&str>>("role")?.is_some();
    Ok(AuditEntry {
        id: row.id(),
        at: row.instant("created_at")?,
        principal: row.get("principal")?,
        role: has_role.then(|| row.one_of("role", Role::ALL, Role::name)).transpose()?,
        address: row.get("address")?,
        method: row.get("method")?,
        call_id: row.get("call_id")?,
        subjects: serde_json::from_str(row.get("subjects")?).map_err(|_| row.corrupt("subjects"))?,
        details: serde_json::from_str(row.get("details")?).map_err(|_| row.corrupt("details"))?,
        is_denied: row.get::<Option<i64>>("denied_minute")?.is_some(),
        calls: row.number("calls")?,
    })
}

/// Reads the name of a principal with its open work.
pub(crate) fn open_work(row: &impl Columns) -> Result<(String, OpenWork), StoreError> {
    let row = Reading::new(row, "jobs")?;
    Ok((row.get("principal")?, OpenWork { jobs: row.number("jobs")?, puzzles: row.number("puzzles")? }))
}

/// Reads a row of `rates`.
pub(crate) fn rate(row: &impl Columns) -> Result<MakingRate, StoreError> {
    let row = Reading::new(row, "rates")?;
    let (tries, hits) = (row.number("tries")?, row.number("hits")?);
    Ok(MakingRate { spec: row.get("spec")?, tries, hits, work_ms: row.get("work_ms")? })
}
