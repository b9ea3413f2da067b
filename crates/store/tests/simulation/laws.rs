//! The invariants of the simulation: what must hold in the database after every step, for jobs, shelves, rates, targets, and the
//! audit trail.

use std::collections::{BTreeMap, BTreeSet};

use puzzled_base::{ids::JobId, repeat_hash::RepeatHash};
use puzzled_engine::shared::tries::Tally;
use puzzled_store::{
    jobs::job::{Job, JobState},
    stock::puzzle::ShelfKey,
};

use crate::{
    state::{PuzzleRow, State},
    toy::Toy,
    worker::TRY_MS,
};

/// By solution, the puzzle that has it: its job, its index, and whether a person withdrew it.
type Holders<'a> = BTreeMap<&'a [u8], (i64, u32, bool)>;

pub(crate) fn hold(state: &State) {
    let holders = no_two_are_alike(state);
    for job in &state.jobs {
        every_index_is_made_or_offered_once(state, job);
        counts_are_those_of_the_rows(state, job);
        every_try_is_counted_once(state, job);
        every_index_has_its_first_free_number(state, job, &holders);
    }
    shelves_are_dense(state);
    puzzles_are_on_the_shelf_of_their_spec(state);
    rates_are_those_of_the_jobs(state);
    every_target_has_one_job_at_a_time(state);
}

fn no_two_are_alike(state: &State) -> Holders<'_> {
    let mut forms = BTreeSet::new();
    let mut holders = BTreeMap::new();
    for puzzle in state.puzzles.iter().filter(|puzzle| puzzle.is_live || puzzle.is_barred) {
        assert!(forms.insert(&puzzle.canonical), "{} is in circulation twice", puzzle.canonical);
        let before = holders.insert(puzzle.repeat_hash.as_slice(), (puzzle.job_id, puzzle.job_index, puzzle.is_barred));
        assert_eq!(before, None, "the solution of {} is in circulation twice", puzzle.canonical);
    }
    holders
}

/// The repeat hash of a toy puzzle with this number, in the space of the job's variant.
fn hash_of_number(job: &Job, number: u64) -> [u8; 16] {
    RepeatHash::of(&job.spec.kind, &job.spec.variant, &number.to_string()).0
}

/// No index is lost or made twice, and no index belongs to two slices.
fn every_index_is_made_or_offered_once(state: &State, job: &Job) {
    let made = state.puzzles_of(job.id).map(|puzzle| puzzle.job_index);
    let offered = state.slices_of(job.id).flat_map(|slice| slice.first_index..slice.end_index);
    let mut covered: Vec<_> = made.chain(offered).collect();
    covered.sort_unstable();
    let expected: Vec<_> = (0..job.next_index).collect();
    assert_eq!(covered, expected, "indices of {}: {:?}", job.id, state.slices_of(job.id).collect::<Vec<_>>());
}

fn counts_are_those_of_the_rows(state: &State, job: &Job) {
    assert_eq!(job.made as usize, state.puzzles_of(job.id).count(), "{}", job.id);
    assert_eq!(job.state == JobState::Succeeded, job.made == job.wanted, "{job:?}");
    assert_eq!(job.state.is_open(), job.ended_at.is_none(), "{job:?}");
    assert!(!matches!(job.state, JobState::Failed | JobState::Ended) || job.error.is_some(), "{job:?}");
    let attempts: u32 = state.slices_of(job.id).map(|slice| slice.failed_attempts).sum();
    assert!(!job.state.is_open() || attempts <= job.failed_attempts, "{job:?}");
}

/// The tries that a job has committed: for each index, their number.
fn committed_tries(state: &State, id: JobId) -> impl Iterator<Item = (u32, u32)> {
    let made = state.puzzles_of(id).map(|puzzle| (puzzle.job_index, puzzle.job_try + 1));
    made.chain(state.slices_of(id).map(|slice| (slice.first_index, slice.first_try)))
}

/// A committed try counts once. A try whose work was lost does not count.
fn every_try_is_counted_once(state: &State, job: &Job) {
    let toy = Toy::of(&job.spec.variant);
    let mut expected = Tally::default();
    let mut hits = 0;
    for (index, tries) in committed_tries(state, job.id) {
        for try_number in 0..tries {
            match toy.make(job.seed, index, try_number) {
                Ok(_) => hits += 1,
                Err(miss) => expected.miss(miss),
            }
        }
    }
    expected.tries += hits;
    expected.repeats = hits - u64::from(job.made);
    // Of equally near misses the job keeps the first, and which slice comes first depends on the run.
    let distances = [&expected, &job.tally].map(|tally| tally.nearest.as_ref().map(|&(distance, _)| distance));
    assert_eq!(distances[0], distances[1], "{}", job.id);
    expected.nearest.clone_from(&job.tally.nearest);
    assert_eq!(job.tally, expected, "{}", job.id);
    assert_eq!(job.work_ms, i64::try_from(expected.tries).unwrap() * TRY_MS, "{}", job.id);
}

/// If an index made a number that it does not have, a lower index of the job or another job has it, or a person withdrew it.
/// A deleted number is free.
fn every_index_has_its_first_free_number(state: &State, job: &Job, holders: &Holders<'_>) {
    let toy = Toy::of(&job.spec.variant);
    let free: BTreeSet<_> = state.forgotten.iter().map(|gone| gone.repeat_hash.as_slice()).collect();
    for (index, tries) in committed_tries(state, job.id) {
        for try_number in 0..tries {
            let Ok(number) = toy.make(job.seed, index, try_number) else { continue };
            let repeat_hash = hash_of_number(job, number);
            if free.contains(&repeat_hash[..]) {
                continue;
            }
            let &(holder, of_index, is_barred) =
                holders.get(&repeat_hash[..]).expect("a number once made stays in stock");
            let is_own = (holder, of_index) == (job.id.0, index) && try_number + 1 == tries;
            assert!(
                is_own || holder != job.id.0 || of_index < index || is_barred,
                "{number} of index {index}, try {try_number} of {} is held by {holder}, index {of_index}",
                job.id
            );
        }
    }
}

fn rates_are_those_of_the_jobs(state: &State) {
    let mut expected: BTreeMap<String, (i64, i64, i64)> = BTreeMap::new();
    for job in state.jobs.iter().filter(|job| job.tally.tries > 0) {
        let (tries, hits, work_ms) = expected.entry(job.spec.words()).or_default();
        *tries += i64::try_from(job.tally.tries).unwrap();
        *hits += i64::from(job.made);
        *work_ms += job.work_ms;
    }
    let rates = state.rates.iter().filter(|rate| rate.tries > 0);
    let rates: BTreeMap<_, _> = rates.map(|rate| (rate.spec.clone(), (rate.tries, rate.hits, rate.work_ms))).collect();
    assert_eq!(rates, expected);
}

fn every_target_has_one_job_at_a_time(state: &State) {
    let open = state.jobs.iter().filter(|job| job.state.is_open()).filter_map(|job| job.target_id);
    let open: Vec<_> = open.collect();
    let targets: BTreeSet<_> = open.iter().collect();
    assert_eq!(open.len(), targets.len(), "several open jobs of one target: {open:?}");
}

fn shelves_are_dense(state: &State) {
    for shelf in &state.shelves {
        let all = state.puzzles.iter().chain(&state.forgotten);
        let on_it: Vec<_> =
            all.filter(|puzzle| puzzle.shelf_id == shelf.id.0).filter_map(|puzzle| puzzle.position).collect();
        let positions: BTreeSet<_> = on_it.iter().copied().collect();
        assert!(positions.iter().all(|position| (0..shelf.positions).contains(position)), "{:?}", shelf.key);
        // The positions of the puzzles that days have taken stay empty.
        let taken = state.puzzles.iter().filter(|puzzle| puzzle.shelf_id == shelf.id.0 && puzzle.is_of_series);
        let filled = (positions.len(), on_it.len() as u64 + taken.count() as u64);
        assert_eq!(filled, (on_it.len(), shelf.positions.unsigned_abs()), "{:?}", shelf.key);
        let live = state.puzzles.iter().filter(|puzzle| puzzle.is_live && puzzle.position.is_some());
        let live = live.filter(|puzzle| puzzle.shelf_id == shelf.id.0).count();
        assert_eq!(shelf.live(), live as u64, "{:?}", shelf.key);
    }
    let positions: i64 = state.shelves.iter().map(|shelf| shelf.positions).sum();
    let had_one = |puzzle: &&PuzzleRow| puzzle.position.is_some() || puzzle.is_of_series;
    let placed = state.puzzles.iter().chain(&state.forgotten).filter(had_one);
    assert_eq!(positions.unsigned_abs(), placed.count() as u64);
}

/// The toy variants have no criteria but the rating.
fn puzzles_are_on_the_shelf_of_their_spec(state: &State) {
    let shelves: BTreeMap<_, _> = state.shelves.iter().map(|shelf| (shelf.id.0, &shelf.key)).collect();
    let jobs: BTreeMap<_, _> = state.jobs.iter().map(|job| (job.id.0, &job.spec)).collect();
    for puzzle in &state.puzzles {
        let key = shelves[&puzzle.shelf_id];
        assert_eq!(*key, ShelfKey::of(jobs[&puzzle.job_id], key.rating, "", 0), "puzzle {}", puzzle.id);
    }
}

/// Each change by a caller or a configuration between two states has one entry in the audit trail, and there are no others.
pub(crate) fn changes_have_entries(before: &State, after: &State) {
    let mut expected = changes_of_jobs(before, after);
    expected.extend(changes_of_targets(before, after));
    expected.extend(changes_of_puzzles(before, after));
    expected.extend(match (before.is_paused, after.is_paused) {
        (false, true) => Some(("PauseQueue", String::new())),
        (true, false) => Some(("ResumeQueue", String::new())),
        _ => None,
    });
    let known = before.audit.first().map_or(0, |entry| entry.id);
    // The simulation creates its series itself.
    let new = after.audit.iter().filter(|entry| entry.id > known && entry.method != "CreateDailySeries");
    let mut found: Vec<_> = new.map(|entry| (entry.method.as_str(), entry.subjects.join(" "))).collect();
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected, "the audit trail");
}

fn changes_of_jobs(before: &State, after: &State) -> Vec<(&'static str, String)> {
    let last: BTreeMap<_, _> = before.jobs.iter().map(|job| (job.id, job)).collect();
    let mut changes = Vec::new();
    for job in &after.jobs {
        let last = last.get(&job.id);
        // The planner queues jobs too, without an entry.
        let is_queued = last.is_none() && job.principal.is_some();
        let is_retried = last.is_some_and(|last| last.tries_max < job.tries_max);
        let was_cancelled = last.is_some_and(|last| last.state == JobState::Cancelled) && !is_retried;
        let is_cancelled = job.state == JobState::Cancelled && !was_cancelled;
        let all = [("Generate", is_queued), ("RetryJob", is_retried), ("CancelJob", is_cancelled)];
        changes.extend(all.into_iter().filter(|(_, is)| *is).map(|(method, _)| (method, job.id.to_string())));
    }
    changes
}

fn changes_of_targets(before: &State, after: &State) -> Vec<(&'static str, String)> {
    let find = |state: &State, id| state.targets.iter().find(|target| target.id == id).cloned();
    let ids: BTreeSet<_> = before.targets.iter().chain(&after.targets).map(|target| target.id).collect();
    let method = |id| match (find(before, id), find(after, id)) {
        (None, Some(_)) => Some("CreateStockTarget"),
        (Some(_), None) => Some("DeleteStockTarget"),
        (Some(before), Some(after)) if before != after => Some("UpdateStockTarget"),
        _ => None,
    };
    ids.into_iter().filter_map(|id| Some((method(id)?, id.to_string()))).collect()
}

/// The puzzles that were withdrawn or deleted by criteria. Only puzzles in circulation of finished jobs are deleted.
fn changes_of_puzzles(before: &State, after: &State) -> Option<(&'static str, String)> {
    let gone = &after.forgotten[before.forgotten.len()..];
    let is_open = |puzzle: &PuzzleRow| before.jobs.iter().any(|job| job.id.0 == puzzle.job_id && job.state.is_open());
    assert!(gone.iter().all(|puzzle| puzzle.is_live && !is_open(puzzle)), "{gone:?} were deleted");
    let known: BTreeSet<_> = before.puzzles.iter().filter(|puzzle| puzzle.is_barred).map(|puzzle| puzzle.id).collect();
    let barred = after.puzzles.iter().filter(|puzzle| puzzle.is_barred && !known.contains(&puzzle.id));
    let changed: BTreeSet<_> = barred.chain(gone).map(|puzzle| puzzle.id).collect();
    let subjects: Vec<_> = changed.iter().map(|id| format!("puzzle-{id}")).collect();
    (!changed.is_empty()).then(|| ("WithdrawPuzzles", subjects.join(" ")))
}

/// The audit trail names exactly the puzzles that people withdrew or deleted.
pub(crate) fn withdrawals_have_entries(state: &State) {
    let barred = state.puzzles.iter().filter(|puzzle| puzzle.is_barred).chain(&state.forgotten);
    let mut barred: Vec<_> = barred.map(|puzzle| format!("puzzle-{}", puzzle.id)).collect();
    let entries = state.audit.iter().filter(|entry| entry.method.starts_with("WithdrawPuzzle"));
    let mut named: Vec<_> = entries.flat_map(|entry| entry.subjects.clone()).collect();
    barred.sort_unstable();
    named.sort_unstable();
    assert_eq!(named, barred, "the audit trail");
}
