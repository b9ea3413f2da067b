//! Statements in the dialects of both databases, their values, and the columns that they read. No statement reads all
//! columns of a table (`*`): a newer program may add a column while this one runs, and a statement prepared earlier would
//! then return different columns.

use puzzled_base::clock::Millis;

/// A statement in the dialect of each database.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sql {
    /// For SQLite, which takes a list as JSON.
    pub(crate) sqlite: &'static str,
    /// For `PostgreSQL`, which takes a list as an array.
    pub(crate) postgres: &'static str,
}

impl From<&'static str> for Sql {
    /// Uses one statement for both databases.
    fn from(sql: &'static str) -> Self {
        Self { sqlite: sql, postgres: sql }
    }
}

/// A statement with a condition that a column is in the list of a parameter, such as `$1`.
macro_rules! in_list {
    ($before:expr, $list:literal) => {
        $crate::sql::statement::in_list!($before, $list, "")
    };
    ($before:expr, $list:literal, $after:expr) => {
        $crate::sql::statement::Sql {
            sqlite: concat!($before, " in (select value from json_each(", $list, "))", $after),
            postgres: concat!($before, " = any(", $list, ")", $after),
        }
    };
}
pub(crate) use in_list;

/// A statement that locks rows on `PostgreSQL`. On SQLite, which has one writer, it locks nothing.
macro_rules! locking {
    ($select:expr, $lock:literal) => {
        $crate::sql::statement::Sql { sqlite: $select, postgres: concat!($select, " ", $lock) }
    };
}
pub(crate) use locking;

/// A parameter of a statement.
#[derive(Debug, Clone)]
pub(crate) enum Value<'a> {
    /// An integer, or a time in milliseconds since 1970.
    Integer(Option<i64>),
    Text(Option<&'a str>),
    Flag(bool),
    /// A list of integers.
    Integers(Vec<i64>),
    /// A list of texts, or null.
    Texts(Option<Vec<&'a str>>),
}

/// Builds the parameters of a statement, in the order of their numbers.
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        &[$($crate::sql::statement::Value::from($value)),*]
    };
}
pub(crate) use values;

/// Converts a type to a [`Value`].
macro_rules! from {
    ($($type:ty, $value:ident => $into:expr;)*) => {
        $(impl<'a> From<$type> for Value<'a> {
            fn from($value: $type) -> Self {
                $into
            }
        })*
    };
}

from! {
    i64, value => Value::Integer(Some(value));
    u32, value => Value::Integer(Some(value.into()));
    i32, value => Value::Integer(Some(value.into()));
    Millis, value => Value::Integer(Some(value.0));
    Option<i64>, value => Value::Integer(value);
    Option<u32>, value => Value::Integer(value.map(i64::from));
    Option<i16>, value => Value::Integer(value.map(i64::from));
    bool, value => Value::Flag(value);
    &'a str, value => Value::Text(Some(value));
    &'a String, value => Value::Text(Some(value));
    Option<&'a str>, value => Value::Text(value);
    Option<&'a String>, value => Value::Text(value.map(String::as_str));
    Vec<i64>, value => Value::Integers(value);
    Vec<&'a str>, value => Value::Texts(Some(value));
    Option<Vec<&'a str>>, value => Value::Texts(value);
}

/// The columns of `jobs` that a job is read from.
macro_rules! job_columns {
    () => {
        "jobs.id, jobs.state, jobs.kind, jobs.variant, jobs.symmetry, jobs.level, jobs.rating_min, jobs.rating_max, \
         jobs.givens_min, jobs.givens_max, jobs.technique, jobs.wanted, jobs.made, jobs.next_index, jobs.seed, \
         jobs.priority, jobs.tries_max, jobs.needed_version, jobs.tries, jobs.repeats, jobs.unrated, jobs.off_target, \
         jobs.givens_missed, jobs.unproven, jobs.solvers_disagreed, jobs.nearest_distance, jobs.nearest, jobs.work_ms, \
         jobs.work_ms_max, jobs.failed_attempts, jobs.reclaimed_slices, jobs.error, jobs.error_reason, jobs.request_id, \
         jobs.principal, jobs.holder, \
         jobs.traceparent, jobs.labels, jobs.target_id, jobs.shortfall, \
         jobs.not_before_at, jobs.not_after_at, jobs.created_at, jobs.started_at, jobs.ended_at, jobs.pruned_at"
    };
}

/// The columns of `slices` that a slice is read from, leased or not.
macro_rules! slice_columns {
    () => {
        "slices.id, slices.job_id, slices.first_index, slices.end_index, slices.first_try, slices.token, \
         slices.lease_expires_at, slices.worker, slices.failed_attempts"
    };
}

/// The columns of `targets` that a stock target is read from.
macro_rules! stock_target_columns {
    () => {
        "targets.id, targets.kind, targets.variant, targets.symmetry, targets.level, targets.rating_min, \
         targets.rating_max, targets.givens_min, targets.givens_max, targets.technique, targets.low_water, targets.target, targets.priority, \
         targets.cron, targets.time_zone, targets.window_minutes, targets.declared_by, \
         targets.created_at, targets.updated_at"
    };
}

/// The columns of `shelves` that a shelf is read from.
macro_rules! shelf_columns {
    () => {
        "shelves.id, shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique, \
         shelves.givens, shelves.positions, shelves.empty"
    };
}

/// The columns that a puzzle is read from, without its record. Those of its shelf have other names, because a puzzle has its
/// own technique and givens.
macro_rules! puzzle_columns {
    () => {
        "puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, \
         puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, \
         puzzles.job_try, puzzles.import_id, puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason, \
         shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, \
         shelves.technique as shelf_technique, shelves.givens as shelf_givens"
    };
}

/// The columns that the origin of a puzzle is read from.
macro_rules! origin_columns {
    () => {
        "puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id, puzzles.import_line, \
         puzzles.import_note"
    };
}

/// The columns that the record of a puzzle is read from.
macro_rules! record_columns {
    () => {
        "puzzles.rater, puzzles.rater_version, puzzles.record"
    };
}

/// The columns of `queue` that say whether the queue is stopped and how full the stock is, with the number of puzzles that
/// are live or held. This number is a sum over the shelves, of which a database has a few thousand at most, and a count of
/// an index that has only held puzzles.
macro_rules! queue_columns {
    () => {
        "queue.id, queue.paused_at, queue.pause_reason, queue.reclaimed_slices, queue.puzzles_max, queue.puzzles_full_at, \
         queue.bytes_max, queue.bytes_full_at, queue.bytes_used, queue.bytes_read_at, \
         (select cast(coalesce(sum(shelves.positions - shelves.empty), 0) as bigint) from shelves) \
           + (select count(*) from puzzles where position is null and withdrawn_at is null) as puzzles"
    };
}

pub(crate) use {
    job_columns, origin_columns, puzzle_columns, queue_columns, record_columns, shelf_columns, slice_columns,
    stock_target_columns,
};
