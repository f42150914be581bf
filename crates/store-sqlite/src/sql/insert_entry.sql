-- One line of the ledger, in the transaction that moves the balance; the unique indexes refuse a hold that
-- opens, ends or is reconciled twice, and a second usable answer to one call.
INSERT INTO ledger (
    job_id, hold_id, kind, generation, at, stage, item, call, sample, retry, provider,
    model, profile, cost_nano_usd, calls, input_tokens, output_tokens, used_input_tokens,
    used_cached_input_tokens, used_output_tokens, estimated, answer, answer_digest,
    answer_size_bytes, usable
) VALUES (
    ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
)
