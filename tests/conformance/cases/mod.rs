//! The list of all cases: `shared` holds those for every backend; this file adds those for one backend.

use std::pin::Pin;

use puzzled::store::Store;

use crate::backend::World;

/// A case under way.
pub(crate) type Running<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// A case that every backend has to pass.
pub(crate) type Shared = for<'a> fn(&'a dyn Store, &'a World) -> Running<'a>;

/// A case of one backend alone, or of several at once.
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

/// Lists cases by their module, with their names.
macro_rules! cases {
    ($list:ident: $form:ident for $case_type:ty; $($module:ident: $($case:ident,)*;)*) => {
        pub(crate) const $list: &[(&str, $case_type)] = &[$($((
            concat!(stringify!($module), "::", stringify!($case)),
            $form!(crate::$module::$case),
        ),)*)*];
    };
}

// After the macros, which it uses.
mod shared;

pub(crate) use shared::SHARED;

cases! {
    OF_SQLITE: own for Own;
    sqlite:
        a_value_that_breaks_an_invariant_is_named,
        rows_next_to_a_corrupt_row_stay_readable,
        a_file_of_a_newer_schema_is_refused_and_left_alone,
        a_file_of_another_build_is_refused_by_name,
        a_file_that_is_no_database_of_ours_is_refused,
        several_processes_may_open_a_new_file_at_once,
        readers_do_not_wait_for_a_write_under_way,
        pages_that_are_free_do_not_count_as_used,
    ;
    schema:
        a_newer_file_that_allows_it_is_used_and_another_one_refused,
    ;
}

cases! {
    OF_POSTGRES: own for Own;
    postgres:
        a_value_that_breaks_an_invariant_is_named,
        a_database_of_another_schema_is_refused_and_left_alone,
        several_processes_may_open_a_new_database_at_once,
        store_resumes_after_a_restart_of_its_server,
        an_idle_worker_hears_of_a_job_that_another_process_queues_and_of_its_end,
        lock_that_is_never_released_is_a_transient_error,
        the_time_is_the_servers,
    ;
    schema:
        a_newer_database_that_allows_it_is_used_and_another_one_refused,
        copy_keeps_columns_of_a_newer_binary,
    ;
    migrating:
        a_migration_gives_its_place_up_to_others_and_is_tried_again,
        a_migration_that_is_blocked_for_too_long_names_the_session,
        processes_that_start_at_once_run_each_migration_once,
        a_killed_process_leaves_the_first_migrations_and_the_next_one_runs_the_rest,
        index_migration_waits_for_locks_without_blocking_others,
        an_invalid_index_of_an_interrupted_run_is_built_anew,
    ;
    copy:
        copy_is_equal_and_resumes_where_the_source_stopped,
        interrupted_copy_resumes,
        a_database_that_a_process_works_on_is_moved_only_if_it_may_be_fenced_now,
        nothing_is_copied_onto_something_and_nothing_is_moved_twice,
    ;
}
