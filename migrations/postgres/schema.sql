-- The schema that the migrations make. Written by `cargo xtask schema --bless`.

CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END
$$;

CREATE FUNCTION public.refuse_ledger_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NEW.answer IS NULL AND NEW.answer_digest IS NULL AND NEW.answer_size_bytes IS NULL
        AND to_jsonb(NEW) - 'answer' - 'answer_digest' - 'answer_size_bytes'
            = to_jsonb(OLD) - 'answer' - 'answer_digest' - 'answer_size_bytes'
        AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.job_id = OLD.job_id)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TABLE public.checkpoints (
    job_id uuid NOT NULL,
    stage text NOT NULL,
    version bigint NOT NULL,
    item text NOT NULL,
    input bytea NOT NULL,
    generation bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    result bytea,
    result_digest bytea,
    result_size_bytes bigint,
    CONSTRAINT checkpoints_check CHECK (((result IS NULL) = ((result_digest IS NOT NULL) AND (result_size_bytes IS NOT NULL)))),
    CONSTRAINT checkpoints_input_check CHECK ((octet_length(input) = 32)),
    CONSTRAINT checkpoints_result_digest_check CHECK ((octet_length(result_digest) = 32))
);

CREATE TABLE public.identity (
    only_row boolean DEFAULT true NOT NULL,
    database_id uuid NOT NULL,
    CONSTRAINT identity_only_row_check CHECK (only_row)
);

CREATE TABLE public.job_events (
    job_id uuid NOT NULL,
    seq bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    generation bigint NOT NULL,
    name text NOT NULL,
    from_state text,
    to_state text,
    detail jsonb NOT NULL
);

CREATE TABLE public.jobs (
    job_id uuid NOT NULL,
    tenant text NOT NULL,
    project text NOT NULL,
    kind text NOT NULL,
    queue text NOT NULL,
    identity bytea NOT NULL,
    incarnation bigint NOT NULL,
    priority bigint NOT NULL,
    payload bytea NOT NULL,
    authority jsonb,
    limits jsonb NOT NULL,
    max_attempts bigint NOT NULL,
    submitted_at timestamp with time zone NOT NULL,
    CONSTRAINT jobs_identity_check CHECK ((octet_length(identity) = 32)),
    CONSTRAINT jobs_max_attempts_check CHECK ((max_attempts >= 1)),
    CONSTRAINT jobs_priority_check CHECK (((priority >= 0) AND (priority <= 9)))
);

CREATE TABLE public.outcomes (
    job_id uuid NOT NULL,
    tenant text NOT NULL,
    queue text NOT NULL,
    priority bigint NOT NULL,
    max_attempts bigint NOT NULL,
    state text NOT NULL,
    generation bigint NOT NULL,
    attempt bigint NOT NULL,
    ready_at timestamp with time zone NOT NULL,
    lease_losses bigint NOT NULL,
    losses_without_checkpoint bigint NOT NULL,
    interruptions bigint NOT NULL,
    checkpointed boolean NOT NULL,
    event_seq bigint NOT NULL,
    commit_generation bigint,
    commit_no bigint,
    limit_cost_nano_usd bigint,
    limit_calls bigint,
    limit_input_tokens bigint,
    limit_output_tokens bigint,
    limit_run_for_us bigint,
    limit_items bigint,
    spent_cost_nano_usd bigint NOT NULL,
    spent_calls bigint NOT NULL,
    spent_input_tokens bigint NOT NULL,
    spent_output_tokens bigint NOT NULL,
    reserved_cost_nano_usd bigint NOT NULL,
    reserved_calls bigint NOT NULL,
    reserved_input_tokens bigint NOT NULL,
    reserved_output_tokens bigint NOT NULL,
    in_doubt_cost_nano_usd bigint NOT NULL,
    in_doubt_calls bigint NOT NULL,
    in_doubt_input_tokens bigint NOT NULL,
    in_doubt_output_tokens bigint NOT NULL,
    run_for_us bigint NOT NULL,
    items bigint NOT NULL,
    open_holds bigint NOT NULL,
    told_80_percent bigint NOT NULL,
    told_100_percent bigint NOT NULL,
    progress_stage text,
    progress_done bigint,
    progress_total bigint,
    progress_unit text,
    error_code text,
    error_summary text,
    set_aside_at timestamp with time zone,
    manifest jsonb,
    summary bytea,
    ended_at timestamp with time zone,
    CONSTRAINT outcomes_state_check CHECK ((state = ANY (ARRAY['succeeded'::text, 'failed'::text, 'cancelled'::text])))
);

CREATE TABLE public.runs (
    job_id uuid NOT NULL,
    tenant text NOT NULL,
    queue text NOT NULL,
    priority bigint NOT NULL,
    max_attempts bigint NOT NULL,
    state text NOT NULL,
    generation bigint NOT NULL,
    attempt bigint NOT NULL,
    ready_at timestamp with time zone NOT NULL,
    lease_losses bigint NOT NULL,
    losses_without_checkpoint bigint NOT NULL,
    interruptions bigint NOT NULL,
    checkpointed boolean NOT NULL,
    event_seq bigint NOT NULL,
    commit_generation bigint,
    commit_no bigint,
    limit_cost_nano_usd bigint,
    limit_calls bigint,
    limit_input_tokens bigint,
    limit_output_tokens bigint,
    limit_run_for_us bigint,
    limit_items bigint,
    spent_cost_nano_usd bigint NOT NULL,
    spent_calls bigint NOT NULL,
    spent_input_tokens bigint NOT NULL,
    spent_output_tokens bigint NOT NULL,
    reserved_cost_nano_usd bigint NOT NULL,
    reserved_calls bigint NOT NULL,
    reserved_input_tokens bigint NOT NULL,
    reserved_output_tokens bigint NOT NULL,
    in_doubt_cost_nano_usd bigint NOT NULL,
    in_doubt_calls bigint NOT NULL,
    in_doubt_input_tokens bigint NOT NULL,
    in_doubt_output_tokens bigint NOT NULL,
    run_for_us bigint NOT NULL,
    items bigint NOT NULL,
    open_holds bigint NOT NULL,
    told_80_percent bigint NOT NULL,
    told_100_percent bigint NOT NULL,
    progress_stage text,
    progress_done bigint,
    progress_total bigint,
    progress_unit text,
    error_code text,
    error_summary text,
    set_aside_at timestamp with time zone,
    lease_owner uuid,
    lease_expires_at timestamp with time zone,
    lease_counted_to timestamp with time zone,
    CONSTRAINT runs_check CHECK (((state = ANY (ARRAY['leased'::text, 'running'::text, 'pausing'::text, 'cancelling'::text])) = ((lease_owner IS NOT NULL) AND (lease_expires_at IS NOT NULL) AND (lease_counted_to IS NOT NULL)))),
    CONSTRAINT runs_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'leased'::text, 'running'::text, 'retry_wait'::text, 'pausing'::text, 'paused'::text, 'cancelling'::text])))
)
WITH (fillfactor='70');

CREATE VIEW public.standings AS
 SELECT runs.job_id,
    runs.tenant,
    runs.queue,
    runs.priority,
    runs.max_attempts,
    runs.state,
    runs.generation,
    runs.attempt,
    runs.ready_at,
    runs.lease_losses,
    runs.losses_without_checkpoint,
    runs.interruptions,
    runs.checkpointed,
    runs.event_seq,
    runs.commit_generation,
    runs.commit_no,
    runs.limit_cost_nano_usd,
    runs.limit_calls,
    runs.limit_input_tokens,
    runs.limit_output_tokens,
    runs.limit_run_for_us,
    runs.limit_items,
    runs.spent_cost_nano_usd,
    runs.spent_calls,
    runs.spent_input_tokens,
    runs.spent_output_tokens,
    runs.reserved_cost_nano_usd,
    runs.reserved_calls,
    runs.reserved_input_tokens,
    runs.reserved_output_tokens,
    runs.in_doubt_cost_nano_usd,
    runs.in_doubt_calls,
    runs.in_doubt_input_tokens,
    runs.in_doubt_output_tokens,
    runs.run_for_us,
    runs.items,
    runs.open_holds,
    runs.told_80_percent,
    runs.told_100_percent,
    runs.progress_stage,
    runs.progress_done,
    runs.progress_total,
    runs.progress_unit,
    runs.error_code,
    runs.error_summary,
    runs.set_aside_at,
    runs.lease_owner,
    runs.lease_expires_at,
    runs.lease_counted_to,
    NULL::jsonb AS manifest,
    NULL::bytea AS summary,
    NULL::timestamp with time zone AS ended_at
   FROM public.runs
UNION ALL
 SELECT outcomes.job_id,
    outcomes.tenant,
    outcomes.queue,
    outcomes.priority,
    outcomes.max_attempts,
    outcomes.state,
    outcomes.generation,
    outcomes.attempt,
    outcomes.ready_at,
    outcomes.lease_losses,
    outcomes.losses_without_checkpoint,
    outcomes.interruptions,
    outcomes.checkpointed,
    outcomes.event_seq,
    outcomes.commit_generation,
    outcomes.commit_no,
    outcomes.limit_cost_nano_usd,
    outcomes.limit_calls,
    outcomes.limit_input_tokens,
    outcomes.limit_output_tokens,
    outcomes.limit_run_for_us,
    outcomes.limit_items,
    outcomes.spent_cost_nano_usd,
    outcomes.spent_calls,
    outcomes.spent_input_tokens,
    outcomes.spent_output_tokens,
    outcomes.reserved_cost_nano_usd,
    outcomes.reserved_calls,
    outcomes.reserved_input_tokens,
    outcomes.reserved_output_tokens,
    outcomes.in_doubt_cost_nano_usd,
    outcomes.in_doubt_calls,
    outcomes.in_doubt_input_tokens,
    outcomes.in_doubt_output_tokens,
    outcomes.run_for_us,
    outcomes.items,
    outcomes.open_holds,
    outcomes.told_80_percent,
    outcomes.told_100_percent,
    outcomes.progress_stage,
    outcomes.progress_done,
    outcomes.progress_total,
    outcomes.progress_unit,
    outcomes.error_code,
    outcomes.error_summary,
    outcomes.set_aside_at,
    NULL::uuid AS lease_owner,
    NULL::timestamp with time zone AS lease_expires_at,
    NULL::timestamp with time zone AS lease_counted_to,
    outcomes.manifest,
    outcomes.summary,
    outcomes.ended_at
   FROM public.outcomes;

CREATE VIEW public.job_status AS
 SELECT standings.job_id AS job,
    standings.tenant,
    jobs.project,
    jobs.kind,
    standings.queue,
    standings.state,
    standings.priority,
    standings.generation,
    standings.attempt,
    standings.error_code,
    standings.error_summary,
    standings.progress_stage,
    standings.progress_done,
    standings.progress_total,
    standings.spent_cost_nano_usd,
    standings.reserved_cost_nano_usd,
    standings.in_doubt_cost_nano_usd,
    standings.lease_owner AS worker,
    jobs.submitted_at,
    standings.ready_at,
    standings.lease_expires_at,
    standings.set_aside_at,
    standings.ended_at
   FROM (public.standings
     JOIN public.jobs ON ((jobs.job_id = standings.job_id)));

CREATE TABLE public.ledger (
    entry_no bigint NOT NULL,
    job_id uuid NOT NULL,
    hold_id uuid NOT NULL,
    kind text NOT NULL,
    generation bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    stage text NOT NULL,
    item text,
    call bytea NOT NULL,
    sample bigint NOT NULL,
    retry bigint NOT NULL,
    provider text NOT NULL,
    model text NOT NULL,
    profile text,
    cost_nano_usd bigint NOT NULL,
    calls bigint NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    used_input_tokens bigint,
    used_cached_input_tokens bigint,
    used_output_tokens bigint,
    estimated boolean NOT NULL,
    answer bytea,
    answer_digest bytea,
    answer_size_bytes bigint,
    usable boolean NOT NULL,
    CONSTRAINT ledger_answer_digest_check CHECK ((octet_length(answer_digest) = 32)),
    CONSTRAINT ledger_call_check CHECK ((octet_length(call) = 32)),
    CONSTRAINT ledger_kind_check CHECK ((kind = ANY (ARRAY['reserved'::text, 'settled'::text, 'released'::text, 'in_doubt'::text, 'reconciled'::text])))
);

ALTER TABLE public.ledger ALTER COLUMN entry_no ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.ledger_entry_no_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.paused_queues (
    queue text NOT NULL,
    paused_at timestamp with time zone NOT NULL
);

CREATE TABLE public.price_profiles (
    id text NOT NULL,
    effective_from timestamp with time zone NOT NULL,
    prices jsonb NOT NULL
);

CREATE TABLE public.pruned_jobs (
    job_id uuid NOT NULL,
    tenant text NOT NULL,
    project text NOT NULL,
    kind text NOT NULL,
    queue text NOT NULL,
    state text NOT NULL,
    submitted_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    pruned_at timestamp with time zone NOT NULL,
    spent_cost_nano_usd bigint NOT NULL,
    spent_calls bigint NOT NULL,
    spent_input_tokens bigint NOT NULL,
    spent_output_tokens bigint NOT NULL,
    CONSTRAINT pruned_jobs_state_check CHECK ((state = ANY (ARRAY['succeeded'::text, 'failed'::text, 'cancelled'::text])))
);

CREATE TABLE public.schedules (
    schedule_id uuid NOT NULL,
    tenant text NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    cron text,
    zone text,
    every_us bigint,
    missed text NOT NULL,
    project text NOT NULL,
    kind text NOT NULL,
    queue text NOT NULL,
    priority bigint NOT NULL,
    payload bytea NOT NULL,
    authority jsonb,
    limits jsonb NOT NULL,
    max_attempts bigint NOT NULL,
    added_at timestamp with time zone NOT NULL,
    paused_at timestamp with time zone,
    next_at timestamp with time zone,
    last_tick_at timestamp with time zone,
    last_job_id uuid,
    CONSTRAINT schedules_check CHECK ((((cron IS NULL) = (zone IS NULL)) AND ((cron IS NULL) <> (every_us IS NULL)))),
    CONSTRAINT schedules_check1 CHECK (((paused_at IS NULL) OR (next_at IS NULL))),
    CONSTRAINT schedules_check2 CHECK (((last_tick_at IS NULL) = (last_job_id IS NULL))),
    CONSTRAINT schedules_every_us_check CHECK ((every_us > 0)),
    CONSTRAINT schedules_max_attempts_check CHECK ((max_attempts >= 1)),
    CONSTRAINT schedules_missed_check CHECK ((missed = ANY (ARRAY['skip'::text, 'once'::text, 'all'::text]))),
    CONSTRAINT schedules_priority_check CHECK (((priority >= 0) AND (priority <= 9)))
);

CREATE TABLE public.schema_migrations (
    version bigint NOT NULL,
    name text NOT NULL,
    checksum bytea NOT NULL
);

CREATE TABLE public.turns (
    name text NOT NULL,
    next_at timestamp with time zone NOT NULL
);

CREATE TABLE public.workers (
    worker_id uuid NOT NULL,
    kinds jsonb NOT NULL,
    queues jsonb NOT NULL,
    capacity bigint NOT NULL,
    started_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY public.checkpoints
    ADD CONSTRAINT checkpoints_pkey PRIMARY KEY (job_id, stage, version, item, input);

ALTER TABLE ONLY public.identity
    ADD CONSTRAINT identity_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY public.job_events
    ADD CONSTRAINT job_events_pkey PRIMARY KEY (job_id, seq);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (job_id);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_tenant_identity_incarnation_key UNIQUE (tenant, identity, incarnation);

ALTER TABLE ONLY public.ledger
    ADD CONSTRAINT ledger_pkey PRIMARY KEY (entry_no);

ALTER TABLE ONLY public.outcomes
    ADD CONSTRAINT outcomes_pkey PRIMARY KEY (job_id);

ALTER TABLE ONLY public.paused_queues
    ADD CONSTRAINT paused_queues_pkey PRIMARY KEY (queue);

ALTER TABLE ONLY public.price_profiles
    ADD CONSTRAINT price_profiles_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.pruned_jobs
    ADD CONSTRAINT pruned_jobs_pkey PRIMARY KEY (job_id);

ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (job_id);

ALTER TABLE ONLY public.schedules
    ADD CONSTRAINT schedules_pkey PRIMARY KEY (schedule_id);

ALTER TABLE ONLY public.schedules
    ADD CONSTRAINT schedules_tenant_name_key UNIQUE (tenant, name);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);

ALTER TABLE ONLY public.turns
    ADD CONSTRAINT turns_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.workers
    ADD CONSTRAINT workers_pkey PRIMARY KEY (worker_id);

CREATE INDEX jobs_newest ON public.jobs USING btree (tenant, submitted_at, job_id);

CREATE UNIQUE INDEX ledger_answered ON public.ledger USING btree (job_id, call, sample, retry) WHERE usable;

CREATE UNIQUE INDEX ledger_ended ON public.ledger USING btree (hold_id) WHERE (kind = ANY (ARRAY['settled'::text, 'released'::text, 'in_doubt'::text]));

CREATE INDEX ledger_in_doubt ON public.ledger USING btree (job_id) WHERE (kind = 'in_doubt'::text);

CREATE INDEX ledger_of_claim ON public.ledger USING btree (job_id, generation) WHERE (kind = 'reserved'::text);

CREATE INDEX ledger_of_job ON public.ledger USING btree (job_id);

CREATE UNIQUE INDEX ledger_opened ON public.ledger USING btree (hold_id) WHERE (kind = 'reserved'::text);

CREATE UNIQUE INDEX ledger_reconciled ON public.ledger USING btree (hold_id) WHERE (kind = 'reconciled'::text);

CREATE INDEX outcomes_ended ON public.outcomes USING btree (queue, state, ended_at, job_id);

CREATE INDEX runs_due ON public.runs USING btree (ready_at, job_id, queue) WHERE ((state = 'retry_wait'::text) AND (set_aside_at IS NULL));

CREATE INDEX runs_exhausted ON public.runs USING btree (queue) WHERE ((state = 'paused'::text) AND (set_aside_at IS NULL) AND (error_code = 'budget_exhausted'::text));

CREATE INDEX runs_held ON public.runs USING btree (lease_owner, state) WHERE (state = ANY (ARRAY['leased'::text, 'running'::text, 'pausing'::text, 'cancelling'::text]));

CREATE INDEX runs_leases ON public.runs USING btree (lease_expires_at, job_id) WHERE ((state = ANY (ARRAY['leased'::text, 'running'::text, 'pausing'::text, 'cancelling'::text])) AND (set_aside_at IS NULL));

CREATE INDEX runs_paused ON public.runs USING btree (queue) WHERE ((state = 'paused'::text) AND (set_aside_at IS NULL) AND (error_code IS DISTINCT FROM 'budget_exhausted'::text));

CREATE INDEX runs_ready ON public.runs USING btree (queue, priority DESC, ready_at, job_id) WHERE ((state = 'queued'::text) AND (set_aside_at IS NULL));

CREATE INDEX runs_ready_of_tenant ON public.runs USING btree (queue, tenant, priority DESC, ready_at, job_id) WHERE ((state = 'queued'::text) AND (set_aside_at IS NULL) AND (tenant <> ''::text));

CREATE INDEX runs_set_aside ON public.runs USING btree (queue) WHERE (set_aside_at IS NOT NULL);

CREATE INDEX runs_waiting ON public.runs USING btree (queue, ready_at) WHERE ((state = 'retry_wait'::text) AND (set_aside_at IS NULL));

CREATE INDEX schedules_next ON public.schedules USING btree (next_at) WHERE (next_at IS NOT NULL);

CREATE INDEX workers_seen ON public.workers USING btree (seen_at);

CREATE TRIGGER checkpoints_are_written_once BEFORE UPDATE ON public.checkpoints FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('a checkpoint is written once');

CREATE TRIGGER job_events_are_not_rewritten BEFORE UPDATE ON public.job_events FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('the history of a job is not rewritten');

CREATE TRIGGER jobs_are_immutable BEFORE UPDATE ON public.jobs FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('a job never changes after its submission');

CREATE TRIGGER ledger_entries_are_kept BEFORE DELETE ON public.ledger FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('the ledger is append-only');

CREATE TRIGGER ledger_entries_are_not_rewritten BEFORE UPDATE ON public.ledger FOR EACH ROW EXECUTE FUNCTION public.refuse_ledger_change();

CREATE TRIGGER price_profiles_are_immutable BEFORE UPDATE ON public.price_profiles FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('a price profile never changes');

CREATE TRIGGER pruned_jobs_are_immutable BEFORE UPDATE ON public.pruned_jobs FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change('what is left of a pruned job never changes');
