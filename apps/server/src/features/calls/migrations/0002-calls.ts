import { type Kysely, sql } from 'kysely'

/**
 * Calls change state only by the contract's table of transitions: the trigger refuses any other step from any writer. The
 * transitions are copied here because a migration must never change; a test compares them with the contract.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table call_transitions (
      from_status text not null,
      to_status text not null,
      primary key (from_status, to_status)
    );
    insert into call_transitions values
      ('queued', 'in-progress'), ('queued', 'failed'), ('in-progress', 'completed'), ('in-progress', 'failed');

    create table calls (
      call_id text primary key,
      account_id text not null references accounts,
      status text not null check (status in ('queued', 'in-progress', 'completed', 'failed')),
      to_number text not null,
      agent_id text not null,
      scheduled_at timestamptz,
      scheduled_at_text text,
      from_caller_id text,
      language text not null,
      metadata json,
      carrier text not null,
      created_at timestamptz not null,
      dial_started_at timestamptz,
      worker_id text,
      lease_expires_at timestamptz,
      answered_at timestamptz,
      ended_at timestamptz,
      duration_seconds double precision,
      failure_reason text,
      ended_by text,
      recording_key text,
      constraint calls_agent foreign key (account_id, agent_id) references agents,
      constraint calls_failure check ((status = 'failed') = (failure_reason is not null)),
      constraint calls_end check ((status in ('completed', 'failed')) = (ended_at is not null)),
      constraint calls_dial check ((dial_started_at is null) = (lease_expires_at is null)),
      constraint calls_answer check (status not in ('in-progress', 'completed') or answered_at is not null)
    );
    create index calls_of_account on calls (account_id, call_id desc);
    create index calls_waiting on calls (account_id) where status = 'queued' and scheduled_at is not null and dial_started_at is null;
    create index calls_due on calls (coalesce(scheduled_at, created_at)) where status = 'queued' and dial_started_at is null;
    create index calls_leased on calls (lease_expires_at) where ended_at is null and dial_started_at is not null;

    create function check_call_transition() returns trigger language plpgsql as $$
    begin
      if new.status is distinct from old.status and not exists (
        select from call_transitions where from_status = old.status and to_status = new.status
      ) then
        raise exception 'call % cannot go from % to %', old.call_id, old.status, new.status
          using errcode = 'check_violation', constraint = 'calls_transition';
      end if;
      if old.dial_started_at is not null and new.dial_started_at is distinct from old.dial_started_at then
        raise exception 'call % cannot be dialled twice', old.call_id
          using errcode = 'check_violation', constraint = 'calls_dial_once';
      end if;
      return new;
    end $$;
    create trigger calls_transition before update on calls for each row execute function check_call_transition();

    create table events (
      event_id text primary key,
      account_id text not null references accounts,
      type text not null,
      object_id text not null,
      body text not null,
      sequence bigint generated always as identity,
      created_at timestamptz not null
    );
    create index events_of_object on events (object_id, sequence);
  `.execute(database)
}
