//! The columns that each statement reads. No statement reads all columns of a table (`*`): a newer binary may add one while
//! this one serves, and a statement that is prepared by then would return other columns than it was prepared for.

/// Those of `jobs` that make a job.
macro_rules! job_columns {
    () => {
        "jobs.id, jobs.state, jobs.kind, jobs.variant, jobs.symmetry, jobs.level, jobs.rating_min, jobs.rating_max, \
         jobs.clues, jobs.technique, jobs.no_surplus, jobs.wanted, jobs.made, jobs.surplus, jobs.next_index, jobs.seed, \
         jobs.priority, jobs.tries_max, jobs.needed_version, jobs.tries, jobs.repeats, jobs.unrated, jobs.off_target, jobs.clues_missed, \
         jobs.unproven, jobs.solvers_disagreed, jobs.nearest_distance, jobs.nearest, jobs.work_ms, \
         jobs.failed_attempts, jobs.reclaimed_slices, jobs.error, jobs.request_id, jobs.labels, jobs.target_id, jobs.shortfall, \
         jobs.not_before_at, jobs.not_after_at, jobs.created_at, jobs.started_at, jobs.ended_at, jobs.pruned_at"
    };
}

/// Those of `slices` that make a slice, leased or not.
macro_rules! slice_columns {
    () => {
        "slices.id, slices.job_id, slices.first_index, slices.end_index, slices.first_try, slices.token, \
         slices.lease_expires_at, slices.worker, slices.failed_attempts"
    };
}

/// Those of `targets` that make a stock target.
macro_rules! stock_target_columns {
    () => {
        "targets.id, targets.kind, targets.variant, targets.symmetry, targets.level, targets.rating_min, \
         targets.rating_max, targets.clues, targets.technique, targets.low_water, targets.target, targets.priority, \
         targets.cron, targets.time_zone, targets.window_minutes, targets.no_surplus, targets.declared_by, \
         targets.created_at, targets.updated_at"
    };
}

/// Those of `shelves` that make a shelf.
macro_rules! shelf_columns {
    () => {
        "shelves.id, shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique, \
         shelves.clues, shelves.positions, shelves.withdrawn"
    };
}

/// Those of `puzzles` that make a puzzle, except for those of its shelf.
macro_rules! puzzle_columns {
    () => {
        "puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.text, puzzles.solution, puzzles.canonical, \
         puzzles.givens, puzzles.rater, puzzles.rater_version, puzzles.record, puzzles.seed, puzzles.job_id, \
         puzzles.job_index, puzzles.job_try, puzzles.is_surplus, puzzles.engine_version, puzzles.created_at, \
         puzzles.withdrawn_at, puzzles.withdrawn_reason"
    };
}

/// Those of `queue` that say how it stands and how full the stock is, with the puzzles in circulation. The shelves, of which there
/// are a few thousand at most, count these.
macro_rules! queue_columns {
    () => {
        "queue.id, queue.paused_at, queue.pause_reason, queue.reclaimed_slices, queue.puzzles_max, queue.puzzles_full_at, \
         queue.bytes_max, queue.bytes_full_at, queue.bytes_used, queue.bytes_read_at, \
         (select cast(coalesce(sum(shelves.positions - shelves.withdrawn), 0) as bigint) from shelves) as puzzles"
    };
}

pub(in crate::store) use {
    job_columns, puzzle_columns, queue_columns, shelf_columns, slice_columns, stock_target_columns,
};
