//! The list of all cases: `shared` lists the cases for every backend, and this file lists all others.

use std::pin::Pin;

use puzzled_store::Store;

use crate::backend::World;

/// The future of a case.
pub(crate) type Running<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// A case that every backend must pass, on a new store.
pub(crate) type Shared = for<'a> fn(&'a dyn Store, &'a World) -> Running<'a>;

/// A case for one backend alone, or with several databases.
pub(crate) type Own = fn() -> Running<'static>;

macro_rules! shared {
    ($case:path) => {
        |store, world| Box::pin($case(store, world))
    };
}

macro_rules! own {
    ($case:path) => {
        || Box::pin($case())
    };
}

/// Defines a list of cases, each with its name `module::case`.
macro_rules! cases {
    ($list:ident: $form:ident for $case_type:ty; $($module:ident: $($case:ident,)*;)*) => {
        pub(crate) const $list: &[(&str, $case_type)] = &[$($((
            concat!(stringify!($module), "::", stringify!($case)),
            $form!(crate::$module::$case),
        ),)*)*];
    };
}

// Below the macros, because a module sees only the macros above it.
mod shared;

pub(crate) use shared::SHARED;

cases! {
    OF_SQLITE: own for Own;
    sqlite:
        corrupt_value_is_reported_with_table_column_and_id,
        failed_fast_reads_of_draws_are_counted,
        rows_next_to_a_corrupt_row_stay_readable,
        a_file_of_a_newer_schema_is_refused_and_left_alone,
        file_of_another_build_is_refused_with_its_path,
        file_that_is_no_puzzled_database_is_refused,
        several_processes_may_open_a_new_file_at_once,
        readers_do_not_wait_for_a_write_under_way,
        free_pages_do_not_count_as_used,
        log_shrinks_again_after_a_long_reader,
    ;
    statements:
        file_prepares_each_statement,
        file_chooses_a_job_by_an_index, file_counts_the_queue_without_reading_each_puzzle,
    ;
    schema:
        newer_file_is_used_only_if_its_schema_allows_it,
    ;
    cancel:
        every_method_of_the_store_is_in_the_table,
        cancelled_call_on_a_file_is_all_or_nothing_and_blocks_no_other,
    ;
}

cases! {
    OF_POSTGRES: own for Own;
    postgres:
        corrupt_value_is_reported_with_table_column_and_id,
        a_database_of_another_schema_is_refused_and_left_alone,
        several_processes_may_open_a_new_database_at_once,
        check_may_take_longer_than_a_call,
        store_resumes_after_a_restart_of_its_server,
        idle_process_is_notified_of_a_queued_job_and_of_its_end,
        lock_that_is_never_released_is_a_transient_error,
        store_uses_the_clock_of_its_server,
    ;
    statements:
        server_prepares_each_statement,
    ;
    schema:
        newer_database_is_used_only_if_its_schema_allows_it,
        copy_of_a_newer_schema_is_refused,
    ;
    migrating:
        blocked_migration_blocks_no_other_session_and_is_tried_again,
        migration_that_is_blocked_for_too_long_fails,
        processes_that_start_at_once_run_each_migration_once,
        next_process_runs_the_migrations_that_a_killed_one_left,
        index_migration_waits_for_locks_without_blocking_others,
        invalid_index_of_an_interrupted_run_is_rebuilt,
    ;
    copy:
        copy_is_equal_and_a_repeat_needs_nothing,
        copy_that_fails_leaves_one_usable_database,
        copy_names_the_processes_that_use_the_file,
        copy_refuses_a_target_with_other_rows,
    ;
    cancel:
        cancelled_call_on_a_server_is_all_or_nothing_and_blocks_no_other,
    ;
}
