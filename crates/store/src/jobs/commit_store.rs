//! Commits slices. One write stores their puzzles, updates their jobs and the making rates, and offers unfinished
//! indices again. The token of a lease decides whether its slice may be committed. A write usually commits one slice;
//! on PostgreSQL, it commits all slices that wait.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use async_trait::async_trait;
use serde_json::{Value, json};

use crate::{
    StoreError,
    error::{must_cover, must_touch},
    jobs::{
        job::{Job, JobError, JobState},
        job_store::{Ending, end_job},
        lease_store::guarded,
        slice::{Again, Guarded, Lease, MadeAt, SliceWork, no_shelf, out_of_tries, signed},
    },
    sql::{
        batcher::{Answers, Batcher, alone},
        database::{Database, Write},
        rows::{self, SliceRow},
        statement::values,
        statements::commit,
    },
    stock::{
        puzzle::ShelfKey,
        shelving::{New, ShelveWrite, Shelved},
    },
    targets::{
        need::{is_given_up, unreachable},
        target::MakingRate,
    },
};
use puzzled_base::ids::JobId;
use puzzled_engine::{ENGINE_VERSION, shared::tries::Tally};

/// Commits the results of slices.
#[async_trait]
pub trait CommitStore {
    /// In one transaction, stores the puzzles of a slice, the progress of its job, and the end or the remainder of the
    /// slice. Returns the updated job.
    ///
    /// Two puzzles are alike if they are isomorphs, or if they have the same kind, variant, and solution up to
    /// symmetry. If a new puzzle and a puzzle in stock are alike, the new puzzle is a repeat: it is counted but not stored,
    /// and its index is offered again from the next try. Within one job, the lower index keeps its puzzle even if it came
    /// later: the other puzzle is withdrawn, and its index is offered again.
    ///
    /// If the spec is unreachable by then, the job fails. If the working time of a top-up is spent and it has a puzzle,
    /// the job ends.
    async fn commit(&self, lease: Lease, work: SliceWork) -> Result<Guarded<Job>, StoreError>;
}

#[async_trait]
impl<D: CommitDatabase> CommitStore for D {
    async fn commit(&self, lease: Lease, work: SliceWork) -> Result<Guarded<Job>, StoreError> {
        let commit = Commit { lease, work: Arc::new(work) };
        match self.commits() {
            Some(commits) => commits.call(commit).await?,
            None => alone(commit, |commits| commit_slices(self, commits)).await,
        }
    }
}

/// A database that can make the commits of a process in batches.
pub(crate) trait CommitDatabase: Database<Write: ShelveWrite> {
    /// Makes the commits in batches; `None` if each commit is made alone.
    fn commits(&self) -> Option<&Batcher<Commit, Result<Guarded<Job>, StoreError>>> {
        None
    }
}

/// A requested commit.
#[derive(Debug, Clone)]
pub(crate) struct Commit {
    pub(crate) lease: Lease,
    pub(crate) work: Arc<SliceWork>,
}

/// The result for the puzzles of one slice.
#[derive(Debug, Default)]
struct ShelvedSlice {
    /// The indices without a puzzle, because their puzzle was a repeat or a lower index made it too.
    again: Vec<Again>,
    /// Puzzles that would need one shelf more than the limit.
    unshelved: Vec<Unshelved>,
}

/// A puzzle that has no shelf, because the number of shelves is at its limit.
#[derive(Debug)]
struct Unshelved {
    index: u32,
    try_number: u32,
    /// The missing shelf.
    key: ShelfKey,
}

/// A commit that its lease allows.
struct Allowed<'a> {
    /// Its index among the requested commits.
    place: usize,
    slice: SliceRow,
    job: Job,
    work: &'a SliceWork,
}

/// Commits slices. The result of a slice whose lease is lost is [`Guarded::LeaseLost`].
pub(crate) async fn commit_slices<D: CommitDatabase>(db: &D, commits: Vec<Commit>) -> Answers<Guarded<Job>> {
    db.with_retries(|| commit_once(db, &commits)).await
}

async fn commit_once<D: CommitDatabase>(db: &D, commits: &[Commit]) -> Answers<Guarded<Job>> {
    let mut write = db.write("commit.begin").await?;
    let mut committed: Vec<_> = commits.iter().map(|_| Ok(Guarded::LeaseLost)).collect();
    let mut allowed = Vec::new();
    let leases: Vec<_> = commits.iter().map(|commit| commit.lease).collect();
    for (place, slice, job) in guarded(&mut write, "commit.guard", &leases).await? {
        let work = &*commits[place].work;
        match must_cover(&slice.indices(), work) {
            Ok(()) => allowed.push(Allowed { place, slice, job, work }),
            Err(error) => committed[place] = Err(error),
        }
    }
    if allowed.is_empty() {
        return write.roll_back(committed).await;
    }
    // If one puzzle of a job repeats another, the one with the lower index must come first.
    allowed.sort_by_key(|allowed| (allowed.job.id, allowed.slice.first_index));
    let shelved = shelve(&mut write, &allowed).await?;
    offer_remainders(&mut write, &allowed).await?;
    offer_again(&mut write, &allowed, &shelved).await?;
    let progress = progress_of_each(&allowed, &shelved, write.shelves_max());
    let mut jobs = BTreeMap::new();
    for (id, progress) in &progress {
        jobs.insert(*id, advance(&mut write, *id, progress).await?);
    }
    let rates = count_rates(&mut write, counts_of_each(&allowed, &progress)).await?;
    for job in jobs.values_mut().filter(|job| job.state.is_open()) {
        if let Some(rate) = rates.get(&job.spec.words()).filter(|rate| is_given_up(rate, job.work_ms)) {
            let error = unreachable(rate, job.nearest());
            *job =
                end_job(&mut write, "commit.fail_job", job.id, Ending::failed(JobError::Unreachable, &error)).await?;
        }
    }
    for allowed in &allowed {
        committed[allowed.place] = Ok(Guarded::Done(jobs[&allowed.job.id].clone()));
    }
    let shelves_max = write.shelves_max();
    write.commit("commit.commit", "commit.committed").await?;
    tell_of_full_shelves(&allowed, &shelved, shelves_max);
    Ok(committed)
}

/// Puts the puzzles of slices on their shelves, except repeats, and returns the result for each slice.
async fn shelve<W: ShelveWrite>(write: &mut W, allowed: &[Allowed<'_>]) -> Result<Vec<ShelvedSlice>, StoreError> {
    let all = allowed.iter().flat_map(|Allowed { job, work, .. }| work.made.iter().map(move |at| New::of_job(job, at)));
    let new: Vec<_> = all.collect();
    let mut shelved = write.shelve(&new).await?.into_iter();
    let slices = allowed.iter().map(|allowed| {
        let mut slice = ShelvedSlice::default();
        for (&MadeAt { index, try_number, .. }, shelved) in allowed.work.made.iter().zip(shelved.by_ref()) {
            match shelved {
                Shelved::Stored { again, .. } => slice.again.extend(again),
                Shelved::Repeat(_) => slice.again.push(Again { index, try_number: try_number + 1 }),
                Shelved::NoShelf(key) => slice.unshelved.push(Unshelved { index, try_number, key }),
            }
        }
        slice
    });
    Ok(slices.collect())
}

/// Logs one warning per job that failed for lack of a shelf.
fn tell_of_full_shelves(allowed: &[Allowed<'_>], shelved: &[ShelvedSlice], limit: u32) {
    let mut failed: Vec<_> = allowed.iter().zip(shelved).filter(|(_, shelved)| !shelved.unshelved.is_empty()).collect();
    failed.dedup_by_key(|(allowed, _)| allowed.job.id);
    for (Allowed { job, .. }, _) in failed {
        tracing::warn!(job = %job.id, spec = job.spec.words(), limit, "shelf limit reached: the job fails");
    }
}

/// Offers the remainder of each slice at once. Resets its failed attempts, because the slice made progress.
async fn offer_remainders<W: Write>(write: &mut W, allowed: &[Allowed<'_>]) -> Result<(), StoreError> {
    let (remainders, ended): (Vec<_>, Vec<_>) =
        allowed.iter().partition(|allowed| allowed.work.next_index < allowed.slice.end_index);
    if !remainders.is_empty() {
        let columns = remainders
            .iter()
            .map(|remainder| json!([remainder.slice.id, remainder.work.next_index, remainder.work.next_try]));
        let columns = columns.collect::<Value>().to_string();
        let offered = write.execute("commit.update_slices", commit::OFFER_REMAINDERS, values![&columns]).await?;
        must_touch("offering the remainders of slices", remainders.len() as u64, offered)?;
    }
    if !ended.is_empty() {
        let ids: Vec<_> = ended.iter().map(|ended| ended.slice.id).collect();
        let deleted = write.execute("commit.delete_slices", commit::DELETE_SLICES, values![ids]).await?;
        must_touch("ending slices", ended.len() as u64, deleted)?;
    }
    Ok(())
}

async fn offer_again<W: Write>(
    write: &mut W,
    allowed: &[Allowed<'_>],
    shelved: &[ShelvedSlice],
) -> Result<(), StoreError> {
    let again: Vec<_> = allowed
        .iter()
        .zip(shelved)
        .flat_map(|(allowed, ShelvedSlice { again, unshelved })| {
            let unshelved = unshelved.iter().map(|Unshelved { index, try_number, .. }| (*index, *try_number));
            let again = again.iter().map(|Again { index, try_number }| (*index, *try_number));
            again.chain(unshelved).map(|(index, try_number)| json!([allowed.job.id.0, index, try_number]))
        })
        .collect();
    if again.is_empty() {
        return Ok(());
    }
    write.execute("commit.insert_slices", commit::OFFER_AGAIN, values![&Value::from(again).to_string()]).await?;
    Ok(())
}

/// The progress that all slices of this write make on a job.
#[derive(Debug, Default)]
struct Progress {
    made: i64,
    tally: Tally,
    work_ms: i64,
    /// The job's error, if a shelf was missing.
    no_shelf: Option<String>,
    out_of_tries: Option<u32>,
}

/// Sums the progress by job, in the order in which jobs are locked.
fn progress_of_each(
    allowed: &[Allowed<'_>],
    all_shelved: &[ShelvedSlice],
    shelves_max: u32,
) -> BTreeMap<JobId, Progress> {
    let mut all = BTreeMap::<_, Progress>::new();
    for (Allowed { slice, job, work, .. }, shelved) in allowed.iter().zip(all_shelved) {
        let ShelvedSlice { again, unshelved } = shelved;
        let progress = all.entry(job.id).or_default();
        // If a puzzle replaces that of a higher index, the job has as many puzzles as before.
        progress.made += signed(work.made.len() as u64) - signed((again.len() + unshelved.len()) as u64);
        progress.tally.add(&work.tally);
        progress.tally.repeats += again.len() as u64;
        progress.work_ms += work.work_ms;
        let no_shelf = unshelved.first().map(|Unshelved { index, key, .. }| no_shelf(*index, key, shelves_max));
        progress.no_shelf = progress.no_shelf.take().or(no_shelf);
        progress.out_of_tries = progress.out_of_tries.or(out_of_tries(again, &slice.indices(), work, job.tries_max));
    }
    all
}

/// Sums the tries, hits, and working time by spec.
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

/// Adds progress to a job, and returns the job, locked. Ends the job if it has all its puzzles, lacks a shelf, has an index
/// that used all its tries, or is a top-up whose working time is spent.
async fn advance<W: Write>(write: &mut W, id: JobId, progress: &Progress) -> Result<Job, StoreError> {
    let Progress { made, tally, work_ms, no_shelf, out_of_tries } = progress;
    let values = values![
        *made,
        signed(tally.tries),
        signed(tally.repeats),
        signed(tally.unrated),
        signed(tally.off_target),
        signed(tally.givens),
        signed(tally.unproven),
        signed(tally.solvers_disagreed),
        tally.nearest.as_ref().map(|(distance, _)| *distance),
        tally.nearest.as_ref().map(|(_, what)| what),
        *work_ms,
        id.0,
    ];
    // `None` if the job ended after the slices were locked. The repeated write then sees the end.
    let job = write.optional("commit.update_job", commit::UPDATE_JOB, values, rows::job).await?;
    let job = job.ok_or(StoreError::Overtaken { statement: "updating a job" })?;
    if job.made == job.wanted {
        return end_job(write, "commit.end_job", id, Ending::new(JobState::Succeeded, None)).await;
    }
    let failure = no_shelf.clone().or_else(|| out_of_tries.map(|index| job.out_of_tries(index)));
    let failed = failure.map(|error| (JobState::Failed, error));
    match failed.or_else(|| Some((JobState::Ended, job.out_of_time()?))) {
        Some((state, error)) => end_job(write, "commit.end_job", id, Ending::new(state, Some(&error))).await,
        None => Ok(job),
    }
}

/// The counts of a spec. A hit is a puzzle that is stored.
#[derive(Debug, Default)]
struct Counts {
    tries: i64,
    hits: i64,
    work_ms: i64,
}

/// Adds the counts of each spec to its making rate, and returns the rates by spec. The order of specs is fixed, so that two
/// commits with the same specs cannot deadlock.
async fn count_rates<W: Write>(
    write: &mut W,
    counts: BTreeMap<String, Counts>,
) -> Result<HashMap<String, MakingRate>, StoreError> {
    let columns = counts.into_iter().map(|(spec, Counts { tries, hits, work_ms })| json!([spec, tries, hits, work_ms]));
    let columns = columns.collect::<Value>().to_string();
    let rates =
        write.all("commit.count_rates", commit::COUNT_RATES, values![&columns, ENGINE_VERSION], rows::rate).await?;
    Ok(rates.into_iter().map(|rate| (rate.spec.clone(), rate)).collect())
}
