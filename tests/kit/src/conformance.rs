//! The promises that every store keeps: one function a promise, one file a verb, one list of all.

pub mod backlog;
pub mod checkpoint;
pub mod claim;
pub mod control;
pub mod doubt;
pub mod end;
pub mod fence;
pub mod heartbeat;
pub mod hints;
pub mod hold;
pub mod limits;
pub mod list;
pub mod peek;
pub mod queue;
pub mod recover;
pub mod repeat;
pub mod retention;
pub mod running;
pub mod schedule;
pub mod settle;
pub mod submit;
pub mod text;
pub mod time;
pub mod worker;

use crate::{Case, Harness};

/// Runs one promise on a fresh store of the harness and holds every job against the invariants.
pub fn run(harness: impl Harness + 'static, promise: impl AsyncFnOnce(&Case)) {
    // Two threads, so that what a promise sends at once also arrives at once.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime can be built");
    runtime.block_on(async {
        let case = Case::open(harness).await;
        promise(&case).await;
        case.check().await;
    });
}

/// Makes a test of every promise of the suite, for the store that the harness opens.
///
/// The expression is evaluated once for each test, inside of modules of its own: name it from
/// `crate::`.
#[macro_export]
macro_rules! conformance {
    ($harness:expr) => {
        $crate::promises! { $harness;
            submit {
                a_new_job_is_queued_and_stands_as_it_was_asked_for
                a_second_submission_of_an_identity_is_the_same_job
                jobs_of_one_batch_are_each_as_they_were_asked_for
                what_is_new_is_taken_in_beside_what_is_there_already
                an_identity_submitted_twice_in_one_batch_is_one_job
                the_same_identity_of_another_tenant_is_another_job
                many_submissions_of_one_identity_at_once_make_one_job
                only_a_cancelled_job_is_replaced_and_only_on_demand
                the_newest_job_of_an_identity_is_the_one_that_is_found
                a_submission_under_a_used_id_is_refused_with_its_whole_batch
                the_same_submission_sent_again_finds_its_job
                a_job_has_at_least_one_attempt
            }
            list {
                pages_of_jobs_never_skip_or_repeat_one
                a_job_submitted_while_somebody_turns_pages_moves_none_of_them
                a_filter_lets_through_only_what_it_names
                a_tenant_neither_sees_nor_steers_the_jobs_of_another
                what_does_not_exist_is_not_found
                pages_of_events_go_on_after_the_cursor
            }
            peek {
                a_peek_names_the_asked_queues_that_have_ready_work
                a_peek_flags_waits_that_are_over_and_says_when_the_next_one_is
                a_job_that_was_handed_back_for_a_while_is_no_wait
                a_peek_flags_leases_that_have_expired
                a_peek_tells_a_worker_which_of_its_own_jobs_shall_stop
                a_peek_tells_the_time_of_the_store
            }
            backlog {
                a_backlog_counts_each_living_job_once_by_where_it_stands
                what_a_worker_would_find_is_ready_though_no_sweep_has_been_there
                a_tick_that_is_due_is_ready_though_no_worker_has_been_there
                a_job_without_budget_is_blocked_and_neither_paused_nor_ready
                a_job_that_was_set_aside_is_counted_apart
                an_expired_lease_is_still_active
                a_queue_that_was_asked_for_is_there_without_a_job
                the_age_is_that_of_the_job_that_has_been_ready_for_longest
                of_what_would_be_ready_only_what_may_run_is_ready
                what_is_blocked_by_a_limit_has_no_age_and_a_paused_queue_has_no_limit
            }
            hints {
                a_submission_hints_at_ready_work
                hints_that_nobody_has_heard_are_one
                a_resumed_job_hints_at_ready_work
                a_retried_job_hints_at_ready_work
                a_held_job_that_is_asked_to_stop_hints_at_a_signal
                a_job_that_is_handed_back_hints_at_ready_work
                a_sweep_that_queues_a_job_hints_at_ready_work
                a_tick_hints_at_ready_work
                what_makes_nothing_ready_hints_at_nothing
            }
            queue {
                nothing_is_claimed_from_a_paused_queue_and_no_peek_names_it
                what_runs_in_a_paused_queue_goes_on
                a_paused_queue_is_shown_with_what_would_be_ready
                pausing_twice_changes_nothing_and_resuming_lets_it_go_on
            }
            worker {
                a_worker_that_was_seen_is_there_until_it_is_gone
                a_worker_that_is_silent_is_left_out_and_forgotten
            }
            claim {
                the_most_urgent_is_claimed_first_then_the_longest_ready_then_the_lowest_id
                a_claim_takes_the_first_jobs_and_never_more_than_its_limit
                a_claim_adds_a_generation_and_an_attempt_and_leases_the_job
                a_job_starts_with_its_claim_if_it_may_run
                a_job_that_may_not_run_does_not_start_with_its_claim
                a_job_that_started_with_its_claim_goes_on_like_any_other
                a_job_is_claimed_once_however_many_ask
                a_claim_takes_only_of_its_queue
                a_claim_of_one_job_takes_just_that_one
                only_a_queued_job_is_claimed
                a_job_that_is_ready_later_is_not_claimed_before
                generations_go_on_over_claims
                a_claim_is_loaded_with_what_was_asked_for_and_how_it_stands
                claims_are_loaded_together_and_each_has_its_own_answer
                a_claim_that_is_over_is_not_loaded
                a_job_that_was_asked_to_pause_is_still_loaded_by_its_worker
            }
            running {
                no_more_jobs_of_a_queue_are_held_than_may_run
                a_tenant_that_has_all_it_may_is_passed_by_and_its_jobs_keep_their_order
                under_both_limits_the_first_jobs_of_tenants_with_a_place_are_claimed
                a_tenant_gets_its_most_urgent_jobs_first
                claims_at_once_never_pass_a_limit
                a_claim_of_one_job_obeys_the_limits_of_its_queue
                an_expired_lease_keeps_its_place_until_it_is_recovered
                every_held_state_has_a_place_and_no_other
                a_job_that_was_set_aside_has_no_place
                the_jobs_of_other_queues_have_no_place
                under_limits_a_job_that_is_ready_later_or_in_a_paused_queue_is_not_claimed
                a_limit_that_was_lowered_takes_nothing_away
            }
            heartbeat {
                a_heartbeat_renews_the_lease
                a_heartbeat_that_renews_writes_no_event
                an_expired_lease_that_nobody_has_overtaken_is_renewed
                a_heartbeat_of_a_claim_that_is_over_is_lost
                a_heartbeat_of_another_worker_is_lost
                a_job_that_its_worker_does_not_know_is_named
                an_abandoned_job_is_neither_renewed_nor_unknown
                an_abandoned_job_that_was_overtaken_is_lost
                a_heartbeat_brings_requests_to_stop
                run_time_accrues_while_the_job_is_held
                run_time_stops_when_the_lease_expires
                a_job_over_its_time_is_told_at_the_heartbeat
                one_heartbeat_answers_for_every_job_of_a_worker
            }
            fence {
                a_commit_of_an_overtaken_worker_is_stale_and_writes_nothing
                a_commit_after_recovery_is_stale_even_before_the_next_claim
                a_commit_of_another_owner_is_stale
                a_commit_for_another_tenant_is_stale
                a_commit_of_a_generation_that_is_not_claimed_yet_is_stale
                a_commit_for_a_job_that_nobody_has_is_stale
                a_new_commit_after_the_claim_has_ended_is_stale
                done_work_is_written_in_every_held_state
                an_expired_lease_that_nobody_has_overtaken_may_write_what_it_has_done
                an_expired_lease_opens_no_hold_and_starts_no_item
                a_job_that_was_asked_to_stop_opens_no_hold_and_starts_no_item
                a_job_that_was_asked_to_stop_before_it_started_does_not_start
                a_job_that_has_not_started_opens_no_hold
                started_may_ride_with_the_first_commit
                a_job_starts_once_in_a_claim
                a_commit_renews_a_lease_of_which_less_than_half_is_left
                an_end_that_the_state_machine_does_not_know_is_wrong
            }
            repeat {
                a_repeated_commit_is_applied_and_writes_nothing
                a_repeated_settlement_is_booked_once
                a_repeat_of_an_earlier_commit_of_the_claim_is_applied_too
                a_repeat_of_the_commit_that_ended_the_claim_is_applied
                a_repeat_is_applied_until_a_later_generation_has_committed
                a_repeat_after_the_end_survives_the_retry_of_the_job
                a_repeat_brings_requests_to_stop
                a_refused_commit_may_be_sent_again_under_its_number
                a_commit_that_arrives_after_its_successor_writes_nothing
                the_number_of_the_last_commit_is_kept
            }
            hold {
                a_hold_reserves_its_worst_case
                no_hold_passes_the_limit_on_cost
                no_hold_passes_the_limit_on_calls
                no_hold_passes_the_limit_on_input_tokens
                no_hold_passes_the_limit_on_output_tokens
                no_item_passes_the_limit_on_items
                no_hold_is_opened_once_the_time_is_used_up
                a_limit_of_zero_allows_no_call
                a_budget_of_zero_allows_only_what_costs_nothing
                one_hold_too_many_refuses_the_whole_commit
                a_settlement_in_the_same_commit_makes_room_for_a_hold
                holds_asked_for_at_once_never_pass_the_limit
                holds_asked_for_one_after_the_other_stop_at_the_limit
                a_hold_opens_once
                a_commit_that_ends_the_claim_opens_no_hold
            }
            settle {
                a_settlement_books_what_the_call_cost_and_frees_the_rest
                a_settlement_above_its_hold_is_booked_in_full_and_told
                a_settlement_that_passes_the_limit_is_booked_and_stops_the_job
                a_settlement_within_its_hold_is_not_told_as_exceeded
                a_release_before_sending_frees_everything
                a_release_after_sending_counts_a_call
                a_hold_ends_once
                a_hold_ends_once_in_one_commit_too
                a_hold_of_another_job_is_not_ended
                a_settlement_is_written_whatever_the_job_was_asked
                a_settlement_is_written_under_a_limit_that_was_lowered
                a_usable_answer_serves_replay
                a_rejected_answer_is_charged_and_serves_no_replay
                an_answer_may_be_a_blob
                the_samples_of_a_call_are_calls_of_their_own
            }
            doubt {
                a_hold_in_doubt_stays_charged
                every_end_of_a_claim_puts_its_open_holds_in_doubt
                a_flush_puts_open_holds_in_doubt
                a_budget_that_is_used_up_leaves_open_holds_open
                a_hold_in_doubt_is_reconciled_once
                reconciliations_at_once_are_booked_once
                an_open_or_ended_hold_is_not_reconciled
                a_call_that_was_not_charged_still_counts_as_a_call
                a_hold_is_reconciled_whatever_became_of_the_job
                a_late_answer_serves_replay_where_there_is_no_other
                a_late_answer_does_not_replace_the_one_that_serves_replay
                a_settlement_after_a_late_answer_is_booked_and_the_late_answer_stays
                two_answers_of_one_call_in_one_commit_leave_one_that_serves_replay
                two_answers_of_one_call_in_two_commits_leave_the_first_to_serve_replay
                a_reconciliation_tells_the_marks_that_it_reaches
                a_list_of_holds_in_doubt_is_bounded
            }
            checkpoint {
                a_checkpoint_reads_back_inline_and_as_a_blob
                checkpoints_are_read_by_stage
                a_checkpoint_of_a_whole_stage_stands_beside_those_of_its_items
                a_checkpoint_key_has_exactly_one_row
                another_input_or_version_is_another_checkpoint
                checkpoints_outlive_the_claim_that_stored_them
                the_first_checkpoint_of_a_claim_sets_the_attempt_to_one
                each_checkpoint_is_told_with_its_place
                progress_is_kept_as_it_was_told_last
            }
            end {
                a_job_that_succeeded_has_its_manifest
                a_failed_job_says_why
                a_job_may_fail_before_it_has_started
                a_retry_wait_lasts_until_its_instant
                the_reason_of_a_wait_goes_when_the_job_starts_again
                a_hand_back_spends_no_attempt
                a_drain_is_counted
                a_pause_gives_the_attempt_back
                a_used_up_budget_pauses_the_job_with_its_reason
                a_drain_does_not_hide_why_a_job_pauses
                a_job_that_is_pausing_ends_as_the_table_says
                a_job_that_is_cancelling_ends_cancelled_whatever_its_worker_says
                a_worker_may_find_the_budget_used_up_while_the_job_is_asked_to_stop
            }
            control {
                every_request_in_every_state_is_as_the_table_says
                two_transitions_of_one_request_are_two_events
                a_request_that_is_already_met_writes_no_event
                requests_at_once_are_met_once
                a_resume_while_pausing_is_told_to_wait
                a_cancel_after_success_is_refused
                a_request_leaves_the_lease_to_its_worker
                a_resumed_job_is_ready_at_once_with_its_attempts_back
                a_retried_job_goes_on_with_its_generation_and_its_history
                time_spent_paused_does_not_count_as_run_time
            }
            limits {
                limits_that_are_set_replace_those_that_they_name
                raising_never_lowers_a_limit
                limits_that_are_as_they_are_write_nothing
                a_job_that_has_ended_for_good_keeps_its_limits
                a_lowered_limit_refuses_only_new_holds
                a_raised_limit_lets_a_paused_job_go_on
                each_mark_is_told_once
                marks_are_told_again_for_a_new_limit
                both_marks_are_told_when_both_are_passed_at_once
                limits_read_back_on_every_axis
            }
            recover {
                a_live_lease_is_left_alone
                an_expired_job_is_queued_under_the_next_generation
                recovery_puts_open_holds_in_doubt
                a_job_whose_attempts_are_spent_fails_as_worker_lost
                twenty_losses_without_a_checkpoint_fail_a_job
                a_job_that_makes_progress_survives_any_number_of_losses
                a_pausing_job_whose_worker_is_lost_is_paused
                a_cancelling_job_whose_worker_is_lost_is_cancelled
                a_sweep_is_bounded_and_the_next_one_goes_on
                sweeps_at_once_take_a_job_once
                a_row_that_cannot_be_recovered_is_set_aside_and_blocks_no_other
                a_row_that_was_asked_to_stop_is_set_aside_and_blocks_no_other
                a_heartbeat_before_the_sweep_keeps_the_job
            }
            retention {
                old_jobs_go_and_young_ones_stay
                only_jobs_of_the_queue_that_ended_in_that_way_go
                a_job_that_has_not_ended_never_goes
                a_pruned_job_is_not_found_and_its_identity_is_free
                a_page_counts_what_pruning_takes
                pruning_is_bounded_and_takes_the_oldest_first
                pruning_at_once_takes_each_job_once
                a_job_with_a_call_in_doubt_stays_until_it_is_reconciled
                the_queues_of_jobs_that_have_ended_are_named_once
                what_is_held_is_held_since_its_earliest_claim
                a_turn_is_taken_once_each_time
                every_blob_that_a_row_names_is_named_until_the_row_goes
            }
            schedule {
                a_schedule_reads_back_as_it_was_added
                a_name_is_taken_once_in_a_tenant
                schedules_are_listed_by_name_a_page_at_a_time
                a_tick_makes_one_job_as_the_template_says
                a_tick_is_not_fired_before_its_instant
                a_tick_makes_one_job_however_many_fire_it_at_once
                each_tick_makes_a_job_of_its_own
                a_paused_schedule_makes_no_job_and_goes_on_when_it_is_resumed
                a_removed_schedule_makes_no_job_and_its_jobs_stay
                a_schedule_that_was_added_again_makes_jobs_of_its_own
                missed_ticks_go_by_the_policy
                many_missed_ticks_come_in_batches
                a_bounded_firing_takes_the_earliest_first
                a_peek_flags_ticks_that_are_due_and_says_when_the_next_one_is
            }
            text {
                a_payload_reads_back_byte_by_byte
                a_note_reads_back_as_it_was_told
                a_note_under_a_known_name_is_that_event
                names_with_odd_characters_read_back
                an_error_message_of_any_size_still_moves_the_state_on
                what_a_worker_tells_loses_its_control_characters
                an_authority_is_kept_as_it_is_or_refused
                counts_above_what_a_ledger_counts_are_the_most_that_it_counts
                a_wait_without_an_end_is_a_wait
                large_costs_are_kept_exactly
                a_price_profile_never_changes
            }
            time {
                the_time_of_the_store_never_goes_backwards
                a_clock_that_was_set_back_takes_no_lease_away
                a_clock_that_was_set_back_makes_no_run_time
                entries_and_checkpoints_bear_the_time_of_their_commit
            }
        }
    };
}

/// One test for each promise of a list.
#[doc(hidden)]
#[macro_export]
macro_rules! promises {
    ($harness:expr; $($verb:ident { $($promise:ident)* })*) => {
        $(mod $verb {
            $(#[test]
            fn $promise() {
                $crate::conformance::run($harness, $crate::conformance::$verb::$promise);
            })*
        })*
    };
}
