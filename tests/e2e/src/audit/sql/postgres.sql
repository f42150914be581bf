-- All jobs as JSON, the oldest first; one statement, so all at one instant.
SELECT json_build_object(
    'standing', json_build_object(
        'job', replace(standings.job_id::text, '-', ''),
        'state', state,
        'generation', generation,
        'attempt', attempt,
        'error_code', error_code,
        'spent', json_build_object(
            'cost', spent_cost_nano_usd, 'calls', spent_calls,
            'input_tokens', spent_input_tokens, 'output_tokens', spent_output_tokens
        ),
        'reserved', json_build_object(
            'cost', reserved_cost_nano_usd, 'calls', reserved_calls,
            'input_tokens', reserved_input_tokens, 'output_tokens', reserved_output_tokens
        ),
        'in_doubt', json_build_object(
            'cost', in_doubt_cost_nano_usd, 'calls', in_doubt_calls,
            'input_tokens', in_doubt_input_tokens, 'output_tokens', in_doubt_output_tokens
        ),
        'open_holds', open_holds,
        'lease_losses', lease_losses,
        'ready_at', round(date_part('epoch', ready_at) * 1000000)::bigint
    ),
    'events', (
        SELECT coalesce(json_agg(
            json_build_object(
                'seq', seq, 'at', round(date_part('epoch', at) * 1000000)::bigint,
                'name', name, 'from', from_state, 'to', to_state, 'detail', detail::text
            ) ORDER BY seq
        ), '[]')
        FROM job_events WHERE job_events.job_id = jobs.job_id
    ),
    'ledger', (
        SELECT coalesce(json_agg(
            json_build_object(
                'hold', replace(hold_id::text, '-', ''), 'kind', kind,
                'generation', generation, 'at', round(date_part('epoch', at) * 1000000)::bigint,
                'call', encode(call, 'hex'), 'retry', retry,
                'amounts', json_build_object(
                    'cost', cost_nano_usd, 'calls', calls,
                    'input_tokens', input_tokens, 'output_tokens', output_tokens
                ),
                'usable', usable
            ) ORDER BY entry_no
        ), '[]')
        FROM ledger WHERE ledger.job_id = jobs.job_id
    ),
    'checkpoints', (
        SELECT coalesce(json_agg(
            json_build_object(
                'stage', stage, 'version', version, 'item', item, 'input', encode(input, 'hex')
            )
        ), '[]')
        FROM checkpoints WHERE checkpoints.job_id = jobs.job_id
    )
)::text
FROM standings JOIN jobs ON jobs.job_id = standings.job_id
ORDER BY jobs.submitted_at, jobs.job_id
