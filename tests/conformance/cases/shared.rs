//! The cases that every backend must pass, by module.

use super::Shared;

cases! {
    SHARED: shared for Shared;
    abandon:
        enqueue_is_all_or_nothing, a_claim_of_new_indices_is_all_or_nothing,
        claim_that_reclaims_slices_is_all_or_nothing, renew_is_all_or_nothing,
        commit_with_every_kind_of_result_is_all_or_nothing, the_commit_that_ends_a_job_is_all_or_nothing,
        commit_at_the_limit_of_shelves_is_all_or_nothing, failed_attempt_is_stored_all_or_nothing,
        last_failed_attempt_is_stored_all_or_nothing, give_back_is_all_or_nothing, cancel_and_retry_are_all_or_nothing,
        target_is_created_updated_and_deleted_all_or_nothing, targets_are_declared_all_or_nothing,
        refill_is_queued_and_stopped_all_or_nothing, deliveries_with_every_kind_of_result_are_all_or_nothing,
        replacing_daily_puzzles_is_all_or_nothing, forgetting_an_audience_is_all_or_nothing,
        a_withdrawal_is_all_or_nothing, a_batch_is_all_or_nothing, adding_ratings_is_all_or_nothing,
        queue_is_paused_and_resumed_all_or_nothing, pruning_is_all_or_nothing, an_audit_entry_is_written_all_or_nothing,
        denied_calls_are_counted_all_or_nothing, process_is_added_renewed_and_removed_all_or_nothing,
        dropped_calls_are_all_or_nothing_and_block_no_other,
    ;
    audit:
        each_change_by_a_caller_has_one_entry, entry_names_the_actor_and_the_change,
        calls_that_change_nothing_have_no_entry, planners_and_workers_have_no_entries,
        target_entry_has_the_target_before_and_after, declared_targets_have_entries_of_the_configuration,
        batch_has_one_entry_with_all_its_jobs, denied_calls_of_a_minute_share_an_entry, entries_are_filtered_and_paged,
        old_audit_entries_are_pruned,
    ;
    claim:
        slice_has_everything_that_its_work_depends_on, the_first_claim_starts_the_job,
        slice_has_the_requested_size_within_its_job,
        size_of_a_slice_follows_the_pace_of_its_job, job_of_higher_priority_is_claimed_first,
        job_with_nothing_left_to_claim_does_not_block_lower_priorities, jobs_of_one_priority_take_turns,
        claims_by_turn_ignore_priorities, claims_by_turn_reach_a_new_job_after_jobs_that_waited_longer,
        claims_by_turn_reach_a_retried_job_after_jobs_that_waited_longer, a_job_is_not_claimed_before_its_time,
        job_that_waits_for_its_time_does_not_block_others, started_slices_precede_new_indices_lowest_first,
        concurrent_claims_never_share_an_index, a_queued_job_is_due_at_its_time, unleased_indices_are_due_now,
        leased_slice_is_due_when_its_lease_expires, slice_is_due_after_the_backoff_of_its_failed_attempt,
        the_rest_of_a_slice_is_due_now, a_job_that_has_ended_has_nothing_due, store_returns_the_time_of_its_clock,
    ;
    commit:
        a_commit_stores_the_puzzles_as_they_were_made, commit_updates_the_job_and_returns_it,
        a_job_succeeds_with_its_last_puzzle_and_not_before, a_job_that_succeeds_has_no_error, a_slice_is_committed_once,
        rest_of_a_slice_resumes_where_the_work_stopped, progress_resets_the_failed_attempts_of_a_slice,
        tallies_add_up_and_the_nearest_miss_is_kept, index_out_of_tries_fails_its_job_with_the_tally,
        last_try_of_an_index_is_one_below_the_limit, work_that_does_not_cover_its_indices_is_refused,
        a_whole_commit_is_undone_when_one_puzzle_cannot_be_stored, of_concurrent_commits_with_one_token_one_succeeds,
        a_spec_that_was_never_tried_has_no_rate, tries_hits_and_time_of_all_jobs_of_a_spec_add_up,
        repeats_surplus_and_replaced_puzzles_are_no_hits, refused_commit_counts_nothing,
    ;
    daily:
        first_caller_determines_the_daily_puzzle, concurrent_processes_get_the_same_daily_puzzle,
        daily_puzzles_differ_by_date_and_by_criteria, request_id_is_never_taken_for_a_daily_puzzle,
        withdrawn_daily_puzzle_is_replaced_once, replacement_of_a_withdrawn_daily_puzzle_waits_for_stock,
        shared_daily_puzzle_is_recorded_once_for_each_audience,
        shared_daily_puzzle_with_a_delivered_solution_is_not_recorded,
        replacement_of_a_shared_daily_puzzle_is_recorded_too, unknown_day_gets_no_puzzle_if_only_known_days_are_wanted,
    ;
    draws:
        each_of_a_thousand_puzzles_has_the_same_chance, no_process_draws_a_puzzle_after_its_acknowledged_withdrawal,
        nobody_draws_a_puzzle_of_a_kind_or_variant_of_a_newer_version,
    ;
    end:
        cancel_ends_a_queued_job, cancel_keeps_committed_puzzles_and_refuses_later_commits,
        cancel_leaves_an_ended_job_as_it_is, unknown_job_is_neither_cancelled_nor_retried,
        retried_job_resumes_where_its_cancel_ended_it, retry_gives_a_job_out_of_tries_more_tries,
        tries_of_a_retried_job_have_a_maximum, retry_resets_the_failed_attempts_of_a_failed_job,
        retried_job_does_not_wait_for_its_backoff, retry_leaves_an_open_or_succeeded_job_as_it_is,
    ;
    enqueue:
        a_job_is_found_as_it_was_queued, an_unknown_id_has_no_job, queued_job_survives_a_reopening,
        repeated_request_gets_its_job_in_its_current_state, repeated_request_gets_its_job_despite_a_full_backlog,
        changed_request_with_a_known_request_id_gets_the_job_id, refused_request_leaves_its_request_id_free,
        concurrent_duplicates_of_a_request_make_one_job, a_job_that_ends_makes_room_in_the_backlog,
        concurrent_callers_never_exceed_the_limit_of_open_jobs, jobs_of_a_batch_equal_jobs_queued_alone,
        a_batch_is_queued_in_its_order, refused_batch_queues_none_of_its_jobs, repeated_batch_gets_the_same_jobs,
        shortfall_has_at_most_one_open_job, jobs_queued_together_make_one_job_for_each_shortfall,
        shortfall_gets_another_job_after_the_first_has_ended, retried_job_belongs_to_no_shortfall,
    ;
    surplus:
        surplus_puzzle_is_shelved_by_its_rating_and_counted_separately, index_may_have_several_surplus_puzzles,
        surplus_puzzle_that_is_already_in_stock_is_dropped, surplus_puzzle_with_a_solution_in_stock_is_dropped,
        wanted_puzzle_replaces_surplus_with_its_solution, wanted_puzzle_replaces_surplus_of_its_own_job,
        wanted_puzzle_does_not_replace_the_surplus_of_another_job, surplus_puzzle_never_replaces_a_wanted_one,
    ;
    deliveries:
        an_audience_gets_each_puzzle_once_and_then_nothing, new_stock_is_never_missed,
        each_audience_gets_the_whole_stock_in_its_own_order, puzzles_are_delivered_only_from_the_given_shelves,
        each_solution_is_delivered_once_per_audience, repeated_request_gets_the_same_puzzle,
        changed_request_with_a_known_request_id_gets_the_puzzle_id,
        concurrent_requests_with_one_request_id_get_one_puzzle, request_id_belongs_to_its_audience,
        request_without_a_puzzle_leaves_its_request_id_free, withdrawn_puzzles_are_never_delivered,
        concurrent_callers_never_share_a_puzzle, callers_of_several_processes_never_share_a_puzzle,
        each_puzzle_has_the_same_chance_at_every_turn, deliveries_are_listed_newest_first_with_any_page_size,
        forgotten_audience_starts_anew_and_others_stay_unchanged,
    ;
    jobs:
        jobs_are_listed_newest_first_with_any_page_size, jobs_are_listed_by_state_and_kind,
        jobs_are_listed_by_their_labels_and_their_target,
    ;
    leases:
        lease_holds_until_it_expires, expired_lease_is_reclaimed_and_counts_as_a_failed_attempt,
        slice_whose_leases_expire_repeatedly_fails_its_job, leases_that_expire_at_once_all_count,
        renewed_lease_holds_for_its_full_length_again, expired_lease_can_be_renewed_until_its_slice_is_reclaimed,
        renewal_names_the_lost_leases_and_keeps_the_others, token_of_another_lease_allows_nothing,
        commit_after_the_slice_was_reclaimed_is_refused, commit_after_expiry_is_kept_if_the_slice_was_not_reclaimed,
        expired_lease_is_lost_even_if_no_worker_reclaims_it, clock_set_back_prolongs_leases_and_loses_none,
        clock_set_forward_expires_leases_and_only_the_new_holder_commits,
        offered_slices_stay_on_offer_when_the_clock_goes_back, leases_outlive_the_process_that_took_them,
        slice_waits_for_the_backoff_of_its_failed_attempt, other_slices_of_a_job_continue_during_the_backoff_of_one,
        job_fails_with_the_error_of_its_last_failed_attempt, failed_attempts_and_expired_leases_add_up,
        failed_attempts_are_limited_by_slice_and_not_by_job, a_slice_given_back_is_offered_at_once_and_has_not_failed,
        a_slice_given_back_keeps_its_failed_attempts,
    ;
    made_with:
        shelf_holds_one_technique_and_number_of_givens,
        surplus_puzzle_stands_on_the_shelf_without_technique_and_givens,
        base_matches_all_its_variants_and_a_variant_only_itself,
        level_filter_uses_the_rating_ranges_of_each_variant,
        page_includes_puzzles_shelved_on_a_new_shelf_meanwhile,
        refill_counts_exactly_the_shelves_of_a_draw,
    ;
    pause:
        a_paused_queue_gives_no_slice_and_has_nothing_due, jobs_are_queued_in_a_paused_queue_and_wait,
        leased_slices_finish_in_a_paused_queue, expired_lease_is_not_reclaimed_in_a_paused_queue,
        paused_queue_plans_no_refill_and_queues_manual_ones, a_pause_outlives_the_process_and_keeps_its_time_and_reason,
        queue_state_counts_jobs_and_leased_slices, oldest_wait_starts_when_the_job_could_have_started,
        unleased_slices_count_as_waiting, expired_lease_counts_as_reclaimed_unless_its_job_ended,
        reclaimed_slice_names_the_worker_that_lost_it, reclaimed_slices_are_counted_in_total_and_for_the_last_hour,
        notices_of_other_processes_reach_the_listener, uncommitted_changes_send_no_notice,
    ;
    growth:
        a_full_stock_gives_no_slice_and_has_nothing_due, full_stock_refuses_new_jobs_and_answers_repeats,
        full_stock_refuses_retries_of_ended_jobs, full_stock_refuses_planned_and_manual_refills,
        leased_slices_finish_in_a_full_stock, full_stock_has_room_again_below_90_percent_of_its_limit,
        last_limits_apply_to_all_processes_and_outlive_them, of_concurrent_checks_of_the_limits_one_reports_a_change,
        used_bytes_are_read_once_a_minute_and_limit_the_stock, full_stock_is_recorded_all_or_nothing,
        room_in_the_stock_is_recorded_all_or_nothing,
    ;
    versions:
        job_waits_for_a_worker_of_its_engine_version, newer_worker_claims_jobs_of_every_version,
        work_of_a_newer_worker_is_not_offered_to_an_older_one, a_refill_needs_the_version_of_its_spec,
    ;
    prune:
        job_that_ended_long_ago_is_pruned, pruned_job_with_puzzles_is_still_found_by_its_id,
        request_id_outlives_its_job, open_jobs_puzzles_and_rates_are_never_pruned,
        last_refill_of_a_target_is_not_pruned, pruned_job_cannot_be_retried,
        rows_without_retention_limit_are_not_pruned, pruning_stops_at_its_limit_per_call,
        puzzles_of_pruned_deliveries_are_not_delivered_again, daily_puzzle_outlives_all_other_deliveries,
        deliveries_are_pruned_in_parts, concurrent_processes_prune_each_row_once,
    ;
    puzzles:
        puzzles_are_returned_in_the_order_of_the_positions, a_puzzle_is_the_same_by_place_by_id_and_on_a_page,
        a_position_without_a_puzzle_has_none, place_of_a_withdrawn_puzzle_is_empty, many_positions_are_read_at_once,
        a_withdrawn_puzzle_is_still_found_by_its_id, pages_of_any_size_join_to_all_puzzles,
        pages_omit_withdrawn_puzzles, puzzles_match_every_field_of_a_filter, pages_of_a_job_have_only_its_puzzles,
        withdrawn_puzzle_has_its_reason_and_is_found_only_by_its_id, a_puzzle_is_withdrawn_once,
        isomorph_of_a_withdrawn_puzzle_stays_a_repeat, solution_of_a_withdrawn_puzzle_stays_a_repeat,
        metrics_of_a_newer_version_stay_byte_for_byte,
    ;
    quotas:
        open_jobs_count_until_they_end, open_puzzles_are_those_that_open_jobs_lack, quota_refuses_a_whole_batch,
        quota_refuses_a_retry_and_a_refill, repeat_is_answered_whatever_the_quota,
        maker_cancels_and_retries_only_its_own_jobs,
    ;
    ratings:
        only_puzzles_of_an_older_rater_lack_a_record, pages_of_unrated_puzzles_join_despite_additions,
        a_rating_is_found_as_it_was_added_and_after_reopening, records_of_several_versions_are_kept_oldest_first,
        record_of_a_version_is_stored_once, a_rating_changes_neither_puzzles_nor_shelves,
        rating_of_an_unknown_puzzle_is_refused,
    ;
    refills:
        refill_stores_no_surplus_if_it_or_its_target_forbids_it, refill_queues_a_job_for_all_missing_puzzles,
        a_target_has_one_job_at_a_time, of_concurrent_planners_one_queues_the_job,
        planner_with_an_outdated_last_job_queues_nothing, only_planned_refills_wait_for_the_low_water_mark,
        only_puzzles_in_stock_that_fit_the_target_count, refill_keeps_the_limits_on_puzzles_and_on_open_jobs,
        open_refills_never_exceed_their_limit, a_refill_is_stopped_with_its_reason,
        retried_refill_is_not_stopped_as_too_late, an_ended_job_is_not_stopped_again,
        ended_refill_is_listed_counted_and_retried_like_a_cancelled_one, last_refill_of_each_target_is_listed,
        deleted_target_has_no_refill_and_its_job_continues, retried_earlier_refill_is_the_only_open_job_of_its_target,
        retried_refill_has_no_window_and_leaves_a_target_with_another,
    ;
    repeats:
        a_repeat_is_counted_and_its_index_offered_from_the_next_try,
        lower_index_keeps_one_of_two_isomorphs_in_one_slice, rest_and_repeat_of_one_slice_are_both_offered,
        lower_index_replaces_the_puzzle_of_a_higher_one_of_its_job, no_index_replaces_a_puzzle_of_another_job,
        puzzles_of_a_job_do_not_depend_on_the_order_of_commits, one_commit_may_replace_several_puzzles,
        index_whose_last_try_is_a_repeat_fails_its_job, index_that_is_replaced_at_its_last_try_fails_its_job,
        puzzles_of_different_kinds_are_never_repeats, isomorph_of_another_variant_symmetry_or_rating_is_a_repeat,
        lower_index_keeps_a_shared_solution_in_any_order_of_commits, lower_index_keeps_a_shared_solution_in_one_slice,
        solution_of_a_replaced_puzzle_is_free, puzzle_that_matches_several_in_stock_is_one_repeat,
        lower_index_replaces_all_matching_puzzles_of_its_job, index_replaces_nothing_if_another_job_has_its_solution,
    ;
    shelves:
        a_shelf_holds_one_kind_variant_symmetry_and_rating, positions_are_given_in_order_from_0,
        a_repeat_takes_no_position, concurrent_commits_leave_no_gap_and_no_repeat,
        concurrent_commits_store_no_solution_twice, surplus_puzzle_that_needs_a_shelf_beyond_the_limit_is_dropped,
        wanted_puzzles_get_the_last_shelf_before_surplus_ones,
        wanted_puzzle_that_needs_a_shelf_beyond_the_limit_fails_its_job, puzzle_without_a_shelf_replaces_nothing,
        concurrent_commits_never_exceed_the_limit_of_shelves,
    ;
    processes:
        a_process_is_listed_from_its_start_to_its_removal, renewal_of_a_process_keeps_its_start_time,
        a_process_lists_the_slices_that_its_workers_hold, slices_of_an_ended_job_are_held_by_no_process,
        oldest_slices_of_a_process_are_listed_and_all_are_counted,
        rows_of_processes_not_seen_for_long_are_pruned_in_parts,
    ;
    targets:
        target_is_found_as_it_was_created, spec_that_has_a_target_gets_no_second_one,
        target_beyond_the_limit_is_refused, update_changes_named_fields_and_keeps_id_and_spec,
        update_without_effect_writes_nothing, refused_update_changes_nothing, concurrent_updates_lose_nothing,
        pages_of_any_size_join_to_all_targets, deletion_removes_a_target_and_returns_it,
        declared_targets_follow_their_configuration, configuration_without_targets_changes_nothing,
        target_of_a_call_becomes_declared, spec_of_another_configuration_is_refused_and_nothing_changes,
        declared_target_that_was_deleted_comes_back, declared_targets_never_exceed_the_limit_of_targets,
        concurrent_declarations_create_each_target_once, of_concurrent_configurations_with_one_spec_one_succeeds,
    ;
}
