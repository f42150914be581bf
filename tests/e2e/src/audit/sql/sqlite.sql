-- All jobs as JSON, the oldest first; one statement, so all at one instant.
SELECT json_object(
    'standing', json_object(
        'job', lower(hex(standings.job_id)),
        'state', state,
        'generation', generation,
        'attempt', attempt,
        'error_code', error_code,
        'spent', json_object(
            'cost', spent_cost_nano_usd, 'calls', spent_calls,
            'input_tokens', spent_input_tokens, 'output_tokens', spent_output_tokens
        ),
        'reserved', json_object(
            'cost', reserved_cost_nano_usd, 'calls', reserved_calls,
            'input_tokens', reserved_input_tokens, 'output_tokens', reserved_output_tokens
        ),
        'in_doubt', json_object(
            'cost', in_doubt_cost_nano_usd, 'calls', in_doubt_calls,
            'input_tokens', in_doubt_input_tokens, 'output_tokens', in_doubt_output_tokens
        ),
        'open_holds', open_holds,
        'lease_losses', lease_losses,
        'ready_at', ready_at
    ),
    'events', (
        SELECT json_group_array(
            json_object(
                'seq', seq, 'at', at, 'name', name, 'from', from_state, 'to', to_state,
                'detail', detail
            ) ORDER BY seq
        )
        FROM job_events WHERE job_events.job_id = jobs.job_id
    ),
    'ledger', (
        SELECT json_group_array(
            json_object(
                'hold', lower(hex(hold_id)), 'kind', kind, 'generation', generation, 'at', at,
                'call', lower(hex(call)), 'retry', retry,
                'amounts', json_object(
                    'cost', cost_nano_usd, 'calls', calls,
                    'input_tokens', input_tokens, 'output_tokens', output_tokens
                ),
                'usable', json(iif(usable, 'true', 'false'))
            ) ORDER BY entry_no
        )
        FROM ledger WHERE ledger.job_id = jobs.job_id
    ),
    'checkpoints', (
        SELECT json_group_array(
            json_object(
                'stage', stage, 'version', version, 'item', item, 'input', lower(hex(input))
            )
        )
        FROM checkpoints WHERE checkpoints.job_id = jobs.job_id
    )
)
FROM standings JOIN jobs ON jobs.job_id = standings.job_id
ORDER BY jobs.submitted_at, jobs.job_id
