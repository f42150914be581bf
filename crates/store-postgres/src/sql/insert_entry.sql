-- Lines of the ledger, in the transaction that moves the balances; the unique indexes refuse a hold that
-- opens, ends or is reconciled twice, and a second usable answer to one call.
INSERT INTO ledger (
    job_id, hold_id, kind, generation, at, stage, item, call, sample, retry, provider, model,
    profile, cost_nano_usd, calls, input_tokens, output_tokens, used_input_tokens,
    used_cached_input_tokens, used_output_tokens, estimated, answer, answer_digest,
    answer_size_bytes, usable
)
SELECT
    job_id, hold_id, kind, generation, at, stage, item, call, sample, retry, provider, model,
    profile, cost_nano_usd, calls, input_tokens, output_tokens, used_input_tokens,
    used_cached_input_tokens, used_output_tokens, estimated, answer, answer_digest,
    answer_size_bytes, usable
FROM
    unnest(
        $1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::timestamptz[], $6::text[],
        $7::text[], $8::bytea[], $9::bigint[], $10::bigint[], $11::text[], $12::text[],
        $13::text[], $14::bigint[], $15::bigint[], $16::bigint[], $17::bigint[], $18::bigint[],
        $19::bigint[], $20::bigint[], $21::boolean[], $22::bytea[], $23::bytea[], $24::bigint[],
        $25::boolean[]
    ) WITH ORDINALITY AS fresh (
        job_id, hold_id, kind, generation, at, stage, item, call, sample, retry, provider,
        model, profile, cost_nano_usd, calls, input_tokens, output_tokens, used_input_tokens,
        used_cached_input_tokens, used_output_tokens, estimated, answer, answer_digest,
        answer_size_bytes, usable, place
    )
ORDER BY fresh.place
