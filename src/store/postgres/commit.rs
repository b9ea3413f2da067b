//! The commit of slices: their puzzles, their rests, and their jobs' progress, in one write that each lease's token
//! allows. Usually it is one slice; where many wait, see `gather`.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use super::{
    PostgresStore, Write,
    jobs::end_job,
    must_cover, must_touch,
    rates::{self, Counts},
    rows,
    shelve::{Shelved, shelve},
};
use crate::store::{
    StoreError,
    commit::{out_of_tries, signed},
    job::{Guarded, Job, JobId, JobState, Lease, SliceWork, Tally},
    rows::SliceRow,
};

/// A commit that somebody has asked for.
#[derive(Debug, Clone)]
pub(super) struct Commit {
    pub(super) lease: Lease,
    pub(super) work: Arc<SliceWork>,
}

/// What each commit came to.
type Committed = Vec<Result<Guarded<Job>, StoreError>>;

/// A commit that its lease allows.
pub(super) struct Allowed<'a> {
    /// Its place among those asked for.
    place: usize,
    pub(super) slice: SliceRow,
    pub(super) job: Job,
    pub(super) work: &'a SliceWork,
}

impl PostgresStore {
    pub(super) async fn commit_slices(&self, commits: &[Commit]) -> Result<Committed, StoreError> {
        let mut write = self.write("commit.begin").await?;
        let mut committed: Committed = commits.iter().map(|_| Ok(Guarded::LeaseLost)).collect();
        let mut allowed = Vec::new();
        for (place, (slice, job)) in guarded(&mut write, commits).await? {
            let work = &*commits[place].work;
            match must_cover(&slice.indices(), work) {
                Ok(()) => allowed.push(Allowed { place, slice, job, work }),
                Err(error) => committed[place] = Err(error),
            }
        }
        if allowed.is_empty() {
            return write.undone(committed).await;
        }
        // So that of two puzzles of one job that are alike the lower index comes first.
        allowed.sort_by_key(|allowed| (allowed.job.id, allowed.slice.first_index));
        let shelved = shelve(&mut write, &allowed).await?;
        offer_rests(&mut write, &allowed).await?;
        offer_again(&mut write, &allowed, &shelved).await?;
        let progress = progress_of_each(&allowed, &shelved);
        for (id, progress) in &progress {
            let job = advance(&mut write, *id, progress).await?;
            for allowed in allowed.iter().filter(|allowed| allowed.job.id == *id) {
                committed[allowed.place] = Ok(Guarded::Done(job.clone()));
            }
        }
        rates::count(&mut write, counts_of_each(&allowed, &progress)).await?;
        write.commit("commit.commit", "commit.committed").await?;
        Ok(committed)
    }
}

/// The slices of leases that stand, locked, with their jobs, if these are open; each with its lease's place. A job may end
/// until it is locked too, which comes last: so what changes it has to ask for its state again.
async fn guarded(write: &mut Write<'_>, commits: &[Commit]) -> Result<Vec<(usize, (SliceRow, Job))>, StoreError> {
    let leases: Vec<_> = commits.iter().map(|commit| commit.lease).collect();
    let slices = locked_slices(write, "commit.guard", &leases).await?;
    let jobs = jobs_of(write, "commit.guard", &leases).await?;
    let mut guarded = Vec::new();
    let mut slices: HashMap<_, _> = slices.into_iter().map(|slice| (slice.id, slice)).collect();
    for (place, lease) in leases.iter().enumerate() {
        // One token allows one commit: whoever comes with it twice finds the slice taken by the first.
        let stands = slices.get(&lease.slice_id).is_some_and(|slice| slice.token == Some(lease.token));
        let job = jobs.get(&lease.job_id).filter(|job| job.state.is_open());
        if let (true, Some(job)) = (stands, job)
            && let Some(slice) = slices.remove(&lease.slice_id)
        {
            guarded.push((place, (slice, job.clone())));
        }
    }
    Ok(guarded)
}

/// The slice of a lease, locked, and its job, if the lease stands and the job is open.
pub(super) async fn guarded_slice(
    write: &mut Write<'_>,
    point: &'static str,
    lease: Lease,
) -> Result<Option<(SliceRow, Job)>, StoreError> {
    let Some(slice) = locked_slices(write, point, &[lease]).await?.pop() else { return Ok(None) };
    let job = jobs_of(write, point, &[lease]).await?.remove(&lease.job_id);
    Ok(job.filter(|job| job.state.is_open()).map(|job| (slice, job)))
}

async fn locked_slices(
    write: &mut Write<'_>,
    point: &'static str,
    leases: &[Lease],
) -> Result<Vec<SliceRow>, StoreError> {
    let column = |value: fn(&Lease) -> i64| leases.iter().map(value).collect::<Vec<_>>();
    let found = sqlx::query(
        "select slices.*
         from slices
         join unnest($1::bigint[], $2::bigint[], $3::bigint[]) as held (id, job_id, token)
           on slices.id = held.id and slices.job_id = held.job_id and slices.token = held.token
         order by slices.id
         for update of slices",
    )
    .bind(column(|lease| lease.slice_id))
    .bind(column(|lease| lease.job_id.0))
    .bind(column(|lease| lease.token))
    .fetch_all(write.at(point).await?)
    .await?;
    found.iter().map(rows::slice).collect()
}

async fn jobs_of(
    write: &mut Write<'_>,
    point: &'static str,
    leases: &[Lease],
) -> Result<HashMap<JobId, Job>, StoreError> {
    let found = sqlx::query("select * from jobs where id = any($1)")
        .bind(leases.iter().map(|lease| lease.job_id.0).collect::<Vec<_>>())
        .fetch_all(write.at(point).await?)
        .await?;
    found.iter().map(|row| rows::job(row).map(|job| (job.id, job))).collect()
}

/// What is left of each slice is offered at once, with its failed attempts forgotten: it has moved on.
async fn offer_rests(write: &mut Write<'_>, allowed: &[Allowed<'_>]) -> Result<(), StoreError> {
    let (rests, ended): (Vec<_>, Vec<_>) =
        allowed.iter().partition(|allowed| allowed.work.next_index < allowed.slice.end_index);
    if !rests.is_empty() {
        let column = |value: fn(&Allowed<'_>) -> i64| rests.iter().map(|rest| value(rest)).collect::<Vec<_>>();
        let offered = sqlx::query(
            "update slices
             set first_index = rest.first_index, first_try = rest.first_try, token = null, lease_expires_at = null,
                 available_at = 0, failed_attempts = 0
             from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as rest (id, first_index, first_try)
             where slices.id = rest.id",
        )
        .bind(column(|rest| rest.slice.id))
        .bind(column(|rest| i64::from(rest.work.next_index)))
        .bind(column(|rest| i64::from(rest.work.next_try)))
        .execute(write.at("commit.update_slices").await?)
        .await?;
        must_touch("offering the rests of slices", rests.len() as u64, offered.rows_affected())?;
    }
    if !ended.is_empty() {
        let deleted = sqlx::query("delete from slices where id = any($1)")
            .bind(ended.iter().map(|ended| ended.slice.id).collect::<Vec<_>>())
            .execute(write.at("commit.delete_slices").await?)
            .await?;
        must_touch("ending slices", ended.len() as u64, deleted.rows_affected())?;
    }
    Ok(())
}

async fn offer_again(write: &mut Write<'_>, allowed: &[Allowed<'_>], shelved: &[Shelved]) -> Result<(), StoreError> {
    let again: Vec<_> = allowed
        .iter()
        .zip(shelved)
        .flat_map(|(allowed, shelved)| shelved.again.iter().map(|again| (allowed.job.id.0, again)))
        .collect();
    if again.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "insert into slices (job_id, first_index, end_index, first_try, available_at)
         select job_id, index, index + 1, attempt, 0
         from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as again (job_id, index, attempt)",
    )
    .bind(again.iter().map(|(job_id, _)| *job_id).collect::<Vec<_>>())
    .bind(again.iter().map(|(_, again)| i64::from(again.index)).collect::<Vec<_>>())
    .bind(again.iter().map(|(_, again)| i64::from(again.attempt)).collect::<Vec<_>>())
    .execute(write.at("commit.insert_slices").await?)
    .await?;
    Ok(())
}

/// How far a job comes with all of its slices.
#[derive(Debug, Default)]
struct Progress {
    made: i64,
    extra: i64,
    tally: Tally,
    work_ms: i64,
    out_of_tries: Option<u32>,
}

/// By job, in the order in which jobs are locked.
fn progress_of_each(allowed: &[Allowed<'_>], shelved: &[Shelved]) -> BTreeMap<JobId, Progress> {
    let mut all = BTreeMap::<_, Progress>::new();
    for (Allowed { slice, job, work, .. }, Shelved { again, extra }) in allowed.iter().zip(shelved) {
        let progress = all.entry(job.id).or_default();
        // One in, one out, where an index takes over: the job then has as many as before.
        progress.made += signed(work.made.len() as u64) - signed(again.len() as u64);
        progress.extra += extra;
        let Tally { tries, repeats, unrated, off_target, clues, unproven, solvers_disagreed, nearest } = &work.tally;
        let tally = &mut progress.tally;
        tally.tries += tries;
        tally.repeats += repeats + again.len() as u64;
        tally.unrated += unrated;
        tally.off_target += off_target;
        tally.clues += clues;
        tally.unproven += unproven;
        tally.solvers_disagreed += solvers_disagreed;
        tally.nearer(nearest.clone());
        progress.work_ms += work.work_ms;
        progress.out_of_tries = progress.out_of_tries.or(out_of_tries(again, &slice.indices(), work, job.tries_max));
    }
    all
}

/// What counts for each spec.
fn counts_of_each(allowed: &[Allowed<'_>], progress: &BTreeMap<JobId, Progress>) -> BTreeMap<String, Counts> {
    let mut all = BTreeMap::<_, Counts>::new();
    for (id, Progress { made, tally, work_ms, .. }) in progress {
        let Some(allowed) = allowed.iter().find(|allowed| allowed.job.id == *id) else { continue };
        let counts = all.entry(allowed.job.spec.words()).or_default();
        counts.tries += signed(tally.tries);
        counts.hits += made;
        counts.work_ms += work_ms;
    }
    all
}

/// Moves a job on, locks it by that, and returns it.
async fn advance(write: &mut Write<'_>, id: JobId, progress: &Progress) -> Result<Job, StoreError> {
    let Progress { made, extra, tally, work_ms, out_of_tries } = progress;
    // Which miss is the nearest is decided here, not by us as on SQLite: others may have moved the job on since we read it.
    let row = sqlx::query(
        "update jobs
         set made = made + $1, extra = extra + $2, tries = tries + $3, repeats = repeats + $4, unrated = unrated + $5,
             off_target = off_target + $6, clues_missed = clues_missed + $7, unproven = unproven + $8,
             solvers_disagreed = solvers_disagreed + $9,
             nearest = case when nearest_distance <= $10 or $10 is null then nearest else $11 end,
             nearest_distance = least(nearest_distance, $10),
             work_ms = work_ms + $12
         where id = $13 and state in ('queued', 'running')
         returning *",
    )
    .bind(made)
    .bind(extra)
    .bind(signed(tally.tries))
    .bind(signed(tally.repeats))
    .bind(signed(tally.unrated))
    .bind(signed(tally.off_target))
    .bind(signed(tally.clues))
    .bind(signed(tally.unproven))
    .bind(signed(tally.solvers_disagreed))
    .bind(tally.nearest.as_ref().map(|(distance, _)| i64::from(*distance)))
    .bind(tally.nearest.as_ref().map(|(_, what)| what))
    .bind(work_ms)
    .bind(id.0)
    .fetch_optional(write.at("commit.update_job").await?)
    .await?;
    // It ended after the slices had been locked. The next look at them finds that.
    let row = row.ok_or(StoreError::Overtaken { statement: "moving a job on" })?;
    let job = rows::job(&row)?;
    if job.made == job.wanted {
        return end_job(write, "commit.end_job", id, JobState::Succeeded, None).await;
    }
    match out_of_tries {
        Some(index) => {
            let error = job.out_of_tries(*index);
            end_job(write, "commit.end_job", id, JobState::Failed, Some(&error)).await
        }
        None => Ok(job),
    }
}
