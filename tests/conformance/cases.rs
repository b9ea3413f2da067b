//! The list of all cases.

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

cases! {
    OF_SQLITE: own for Own;
    sqlite:
        a_value_that_breaks_an_invariant_is_named,
        rows_beside_a_broken_one_can_still_be_read,
        a_file_of_a_newer_schema_is_refused_and_left_alone,
        a_file_of_another_build_is_refused_by_name,
        a_file_that_is_no_database_of_ours_is_refused,
        several_processes_may_open_a_new_file_at_once,
        readers_do_not_wait_for_a_write_under_way,
    ;
}

cases! {
    OF_POSTGRES: own for Own;
    postgres:
        a_value_that_breaks_an_invariant_is_named,
        a_database_of_another_schema_is_refused_and_left_alone,
        several_processes_may_open_a_new_database_at_once,
        a_store_goes_on_when_its_server_was_started_anew,
        an_idle_worker_hears_of_a_job_that_another_process_queues_and_of_its_end,
        a_lock_that_nobody_lets_go_of_is_an_error_that_passes,
        the_time_is_the_servers,
    ;
    copy:
        a_copy_is_the_same_and_goes_on_where_the_source_stopped,
        an_interrupted_copy_goes_on,
        a_database_that_a_process_works_on_is_moved_only_if_it_may_be_fenced_now,
        nothing_is_copied_onto_something_and_nothing_is_moved_twice,
    ;
}

cases! {
    SHARED: shared for Shared;
    abandon:
        enqueue_is_all_or_nothing,
        a_claim_of_new_indices_is_all_or_nothing,
        a_claim_that_takes_leases_back_is_all_or_nothing,
        renew_is_all_or_nothing,
        a_commit_with_all_that_may_happen_is_all_or_nothing,
        the_commit_that_ends_a_job_is_all_or_nothing,
        a_failed_attempt_is_noted_all_or_nothing,
        the_last_failed_attempt_is_noted_all_or_nothing,
        give_back_is_all_or_nothing,
        cancel_is_all_or_nothing,
        retry_is_all_or_nothing,
        a_target_is_set_all_or_nothing,
        declared_targets_are_taken_over_all_or_nothing,
        a_target_is_deleted_all_or_nothing,
        a_refill_is_all_or_nothing,
        the_end_of_a_refill_is_all_or_nothing,
        a_delivery_with_all_that_may_happen_is_all_or_nothing,
        moving_the_name_of_a_day_is_all_or_nothing,
        forgetting_an_audience_is_all_or_nothing,
        a_withdrawal_is_all_or_nothing,
        a_batch_is_all_or_nothing,
        adding_ratings_is_all_or_nothing,
        a_pause_is_all_or_nothing,
        clearing_away_is_all_or_nothing,
        the_end_of_a_pause_is_all_or_nothing,
        a_process_is_added_all_or_nothing,
        a_process_is_renewed_all_or_nothing,
        a_process_is_removed_all_or_nothing,
        calls_dropped_anywhere_are_all_or_nothing_and_hold_up_nobody,
    ;
    attempts:
        a_failed_attempt_rests_for_its_back_off,
        other_slices_of_a_job_go_on_while_one_rests,
        the_last_failed_attempt_fails_the_job_which_keeps_its_error,
        failed_attempts_and_leases_that_ran_out_add_up,
        only_the_attempts_at_one_slice_are_bounded,
        a_slice_given_back_is_offered_at_once_and_has_not_failed,
        a_slice_given_back_keeps_its_failed_attempts,
    ;
    claim:
        an_empty_queue_has_no_slice,
        a_slice_says_all_that_its_work_depends_on,
        the_first_claim_starts_the_job,
        slices_cover_a_job_without_gap_or_overlap,
        a_slice_is_as_large_as_asked_within_its_job,
        the_size_is_asked_with_the_job_as_it_is_then,
        the_higher_priority_goes_first,
        a_job_without_work_on_offer_lets_lower_priorities_go_on,
        jobs_of_one_priority_take_turns,
        by_turn_jobs_go_round_whatever_their_priority,
        by_turn_a_new_job_waits_behind_those_that_have_waited_longer,
        by_turn_a_retried_job_waits_behind_those_that_have_waited_longer,
        a_job_is_not_claimed_before_its_time,
        a_job_that_waits_for_its_time_does_not_hold_up_others,
        what_was_begun_goes_before_new_indices_and_the_lowest_first,
        two_claimers_never_share_an_index,
    ;
    commit:
        a_commit_stores_the_puzzles_as_they_were_made,
        a_commit_moves_the_job_on_and_answers_with_it,
        a_job_succeeds_with_its_last_puzzle_and_not_before,
        a_job_that_succeeds_has_no_error,
        a_slice_is_committed_once,
        a_rest_goes_on_where_the_work_stopped,
        a_slice_that_moved_on_has_its_failed_attempts_forgotten,
        tallies_add_up_and_the_nearest_miss_is_kept,
        an_index_out_of_tries_fails_its_job_and_says_how,
        the_last_try_of_an_index_is_one_below_its_bound,
        work_that_does_not_cover_its_indices_is_refused,
        a_whole_commit_is_undone_when_one_puzzle_cannot_be_stored,
        of_concurrent_commits_with_one_token_one_is_done,
    ;
    daily:
        the_first_who_asks_chooses_the_puzzle_of_a_day,
        processes_that_race_for_a_day_get_one_puzzle,
        another_day_criterion_or_audience_has_a_puzzle_of_its_own,
        a_name_of_a_request_is_no_name_of_a_day,
        a_withdrawn_puzzle_of_a_day_is_replaced_once,
        a_day_whose_puzzle_is_withdrawn_waits_for_stock,
        a_shared_puzzle_is_recorded_once_for_each_audience,
        a_shared_puzzle_that_was_had_is_not_recorded_again,
        a_shared_puzzle_that_is_replaced_is_recorded_anew,
        a_day_that_is_not_kept_gets_no_puzzle,
    ;
    draws:
        each_of_a_thousand_puzzles_has_the_same_chance,
        a_withdrawn_puzzle_is_drawn_by_no_process_once_that_is_acknowledged,
    ;
    due:
        an_empty_queue_has_nothing_due,
        a_queued_job_is_due_at_its_time,
        indices_that_nobody_holds_are_due_now,
        a_leased_slice_is_due_when_its_lease_runs_out,
        a_failed_slice_is_due_after_its_back_off,
        the_rest_of_a_slice_is_due_now,
        a_job_that_has_ended_has_nothing_due,
        the_store_tells_the_time_of_its_clock,
    ;
    end:
        cancel_ends_a_queued_job,
        cancel_keeps_what_is_committed_and_refuses_the_rest,
        cancel_leaves_an_ended_job_as_it_is,
        no_unknown_job_is_cancelled_or_retried,
        a_cancelled_job_goes_on_where_it_ended_when_retried,
        a_job_out_of_tries_has_more_of_them_when_retried,
        the_tries_of_a_retried_job_have_an_end,
        a_job_that_failed_by_faults_starts_its_attempts_anew_when_retried,
        a_retried_job_does_not_wait_out_its_back_off,
        retry_leaves_an_open_or_succeeded_job_as_it_is,
    ;
    enqueue:
        a_job_is_found_as_it_was_queued,
        an_unknown_id_has_no_job,
        a_queued_job_is_there_after_reopening,
        the_same_request_finds_its_job_as_it_is_then,
        the_same_request_finds_its_job_in_a_full_backlog,
        another_request_under_a_known_name_is_told_of_its_job,
        a_refused_request_leaves_its_name_free,
        requests_without_a_name_make_a_job_each,
        concurrent_duplicates_of_a_request_make_one_job,
        a_job_that_ends_makes_room_in_the_backlog,
        concurrent_callers_never_exceed_the_backlog,
        jobs_queued_together_each_get_what_they_would_alone,
        a_batch_is_queued_in_its_order,
        a_batch_that_cannot_be_queued_as_a_whole_leaves_nothing,
        a_batch_that_was_queued_before_is_the_same_again,
    ;
    extras:
        an_extra_puzzle_stands_on_the_shelf_of_its_own_rating_and_is_counted_apart,
        an_index_may_leave_over_several,
        an_extra_that_the_stock_has_already_is_passed_over,
        an_extra_with_a_solution_that_the_stock_has_is_passed_over,
        what_a_job_wanted_takes_over_from_an_extra_with_its_solution,
        what_a_job_wanted_takes_over_from_an_extra_of_its_own,
        what_a_job_wanted_does_not_take_over_from_an_extra_of_another,
        an_extra_never_takes_over,
    ;
    handout:
        an_audience_gets_each_puzzle_once_and_then_nothing,
        new_stock_is_never_missed,
        each_audience_has_all_of_the_stock_in_an_order_of_its_own,
        only_the_shelves_that_were_asked_for_are_handed_out,
        one_solution_is_handed_out_once_whatever_the_puzzle,
        who_asks_again_under_a_name_gets_the_same_puzzle,
        another_request_under_a_known_name_is_told_of_its_puzzle,
        who_asks_under_one_name_at_once_gets_one_puzzle,
        a_name_belongs_to_its_audience,
        a_name_that_got_nothing_is_free,
        withdrawn_puzzles_are_passed_over,
        what_was_handed_out_is_known_after_reopening,
        callers_at_once_never_share_a_puzzle,
        callers_of_other_processes_never_share_a_puzzle,
        each_puzzle_has_the_same_chance_at_every_turn,
        deliveries_are_listed_newest_first_whatever_the_size_of_pages,
        a_forgotten_audience_begins_anew_and_leaves_others_alone,
    ;
    jobs:
        jobs_are_listed_newest_first_whatever_the_size_of_pages,
        jobs_are_listed_by_state_and_kind,
        jobs_are_listed_by_their_labels_and_their_target,
        a_listed_job_is_the_job_that_its_id_names,
    ;
    leases:
        a_lease_stands_until_it_has_run_out,
        an_expired_lease_is_offered_again_and_counts_as_a_failed_attempt,
        a_slice_whose_leases_run_out_again_and_again_fails_its_job,
        several_leases_that_run_out_at_once_all_count,
        a_renewed_lease_stands_for_its_whole_length_again,
        a_lease_that_ran_out_but_was_not_taken_over_can_be_renewed,
        renewal_names_the_lost_leases_and_keeps_the_others,
        no_leases_to_renew_are_none_lost,
        the_token_of_another_allows_nothing,
        a_commit_after_a_takeover_is_refused,
        a_commit_after_the_end_of_the_lease_stands_if_nobody_took_over,
        a_lease_taken_back_for_nobody_is_lost_all_the_same,
        a_clock_set_back_makes_leases_longer_and_loses_none,
        a_clock_set_forth_ends_leases_and_only_the_new_holder_commits,
        what_is_offered_at_once_stays_on_offer_when_the_clock_is_set_back,
        leases_outlive_the_process_that_took_them,
    ;
    notices:
        what_another_process_does_is_heard_where_the_database_tells,
        what_was_not_committed_is_not_heard,
    ;
    pause:
        a_paused_queue_gives_no_slice_and_has_nothing_due,
        jobs_are_queued_in_a_paused_queue_and_wait,
        what_is_under_way_is_finished_in_a_paused_queue,
        a_lease_that_runs_out_in_a_paused_queue_still_stands,
        no_refill_is_planned_in_a_paused_queue_and_one_by_hand_is_queued,
        a_pause_outlives_the_process_and_keeps_its_time_and_reason,
        the_queue_tells_how_long_it_is,
        the_oldest_wait_counts_from_when_the_job_could_have_begun,
        slices_that_nobody_holds_wait,
        a_lease_taken_back_is_a_rescue_and_one_of_an_ended_job_is_none,
        a_rescue_names_the_worker_that_held_the_lease,
        rescues_are_counted_by_the_hour_and_in_all,
    ;
    prune:
        a_job_is_taken_off_the_lists_when_it_ended_long_ago,
        a_job_with_puzzles_stays_to_be_found_by_its_id,
        the_name_of_a_request_outlives_its_job,
        open_jobs_puzzles_and_rates_are_never_cleared_away,
        the_last_job_of_a_target_stays_on_the_list,
        a_job_that_is_off_the_lists_cannot_be_retried,
        what_is_kept_for_ever_is_not_cleared_away,
        no_more_is_cleared_away_at_once_than_may_be,
        old_deliveries_are_forgotten_and_their_puzzles_do_not_come_back,
        the_puzzle_of_a_day_outlives_all_deliveries,
        deliveries_are_looked_through_a_part_at_a_time,
        processes_that_clear_away_at_once_do_it_once,
    ;
    puzzles:
        puzzles_come_in_the_order_of_their_places,
        a_puzzle_is_the_same_by_place_by_id_and_on_a_page,
        a_place_without_a_puzzle_has_none,
        a_withdrawn_puzzle_has_left_its_place,
        many_places_are_read_at_once,
        a_puzzle_is_found_by_its_id,
        a_withdrawn_puzzle_is_still_found_by_its_id,
        pages_join_to_the_whole_whatever_their_size,
        pages_leave_withdrawn_puzzles_out,
        every_field_of_a_filter_has_to_fit,
        pages_of_a_job_have_its_puzzles_alone,
    ;
    rates:
        a_spec_that_was_never_tried_has_no_rate,
        tries_hits_and_time_of_all_jobs_of_a_spec_add_up,
        repeats_extras_and_puzzles_taken_over_are_no_hits,
        a_commit_that_is_refused_counts_nothing,
    ;
    ratings:
        only_what_an_older_rater_has_rated_lacks_a_record,
        pages_of_what_lacks_a_record_join_whatever_is_added_meanwhile,
        a_rating_is_found_as_it_was_added_and_after_reopening,
        records_of_several_versions_stand_beside_each_other_oldest_first,
        what_a_version_has_said_is_not_said_again,
        a_rating_changes_neither_puzzles_nor_shelves,
        no_puzzle_that_is_not_there_is_rated,
    ;
    refills:
        a_refill_stores_no_extras_if_it_or_its_target_says_so,
        a_refill_queues_a_job_for_all_that_is_missing,
        a_target_has_one_job_at_a_time,
        of_several_planners_one_queues_the_job,
        a_planner_that_looked_too_early_is_overtaken,
        a_plan_needs_fewer_than_the_low_water_mark_and_a_person_fewer_than_the_target,
        only_puzzles_of_the_target_count_and_withdrawn_ones_do_not,
        a_job_has_at_most_as_many_puzzles_as_it_may,
        refills_never_exceed_their_bound,
        refills_stay_within_the_backlog,
        a_refill_is_stopped_with_its_reason,
        a_refill_is_stopped_when_its_time_is_over,
        what_was_retried_by_hand_is_not_stopped_as_too_late,
        an_ended_job_is_not_stopped_again,
        the_last_job_of_each_target_is_known,
        a_target_that_is_gone_has_no_refill_and_its_job_goes_on,
        an_earlier_refill_that_was_retried_is_the_targets_one_job,
        a_retried_refill_takes_its_time_and_leaves_a_target_that_has_another,
    ;
    repeats:
        a_repeat_is_counted_and_its_index_offered_from_the_next_try,
        a_repeat_of_the_last_index_leaves_the_job_open,
        of_two_isomorphs_in_one_slice_the_lower_index_keeps_it,
        a_rest_and_a_repeat_of_one_slice_are_both_offered,
        a_lower_index_takes_over_from_a_higher_one_of_its_job,
        a_higher_index_does_not_take_over_from_a_lower_one,
        no_index_takes_over_from_another_job,
        the_set_is_the_same_in_whatever_order_slices_are_committed,
        an_index_may_be_taken_over_again_and_again,
        one_commit_may_take_over_several_indices,
        an_index_that_repeats_to_its_last_try_fails_the_job,
        an_index_taken_over_at_its_last_try_fails_the_job,
        another_kind_has_puzzles_of_its_own,
        another_variant_symmetry_or_rating_is_no_excuse_for_a_repeat,
        of_two_with_one_solution_the_lower_index_keeps_it_whichever_came_first,
        of_two_with_one_solution_in_one_slice_the_lower_index_keeps_it,
        a_solution_that_another_job_made_is_a_repeat,
        the_solution_of_what_gave_way_is_free,
        a_puzzle_alike_to_several_in_stock_is_a_repeat,
        an_index_takes_over_from_all_of_its_job_that_are_alike,
        an_index_takes_over_from_none_if_another_job_has_its_solution,
    ;
    shortfalls:
        two_open_jobs_never_make_up_for_the_same,
        of_jobs_queued_together_one_makes_up_for_it,
        when_the_job_has_ended_another_may_be_queued,
        a_retried_job_makes_up_for_nothing,
    ;
    withdrawals:
        a_withdrawn_puzzle_says_why_and_is_found_by_its_id_alone,
        a_puzzle_is_withdrawn_once,
        an_isomorph_of_a_withdrawn_puzzle_is_a_repeat_for_ever,
        the_solution_of_a_withdrawn_puzzle_is_a_repeat_for_ever,
        an_unknown_puzzle_is_not_withdrawn,
    ;
    shelves:
        an_empty_stock_has_no_shelves,
        a_shelf_holds_one_kind_variant_symmetry_and_rating,
        positions_are_given_in_order_from_0,
        a_repeat_takes_no_position,
        a_withdrawn_puzzle_is_counted_and_its_position_stays_empty,
        concurrent_commits_leave_no_gap_and_no_repeat,
        concurrent_commits_store_no_solution_twice,
    ;
    processes:
        a_process_is_listed_from_its_start_to_its_removal,
        a_renewed_process_was_seen_now_and_started_then,
        a_process_lists_the_slices_that_its_workers_hold,
        slices_of_a_job_that_has_ended_are_held_by_nobody,
        of_many_slices_of_a_process_the_oldest_are_listed_and_all_counted,
        rows_of_processes_not_seen_for_long_are_pruned_a_part_at_a_time,
    ;
    targets:
        a_target_is_found_as_it_was_set,
        a_spec_has_one_target_and_setting_it_again_changes_it,
        a_target_more_than_may_be_is_refused,
        a_deleted_target_is_gone_and_was_known,
        declared_targets_come_and_go_with_their_declaration,
        a_declaration_goes_before_what_was_set,
    ;
}
