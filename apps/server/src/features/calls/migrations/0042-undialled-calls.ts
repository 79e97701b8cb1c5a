import { type Kysely, sql } from 'kysely'

/**
 * Lets a worker give back a call that it has claimed and not dialled. `dial_started_at` can become null again only in the statement
 * that takes the call from its worker, before the call rings.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function check_call_transition() returns trigger language plpgsql as $$
    begin
      if new.status is distinct from old.status and not exists (
        select from call_transitions where from_status = old.status and to_status = new.status
      ) then
        raise exception 'call % cannot go from % to %', old.call_id, old.status, new.status
          using errcode = 'check_violation', constraint = 'calls_transition';
      end if;
      if old.dial_started_at is not null and new.dial_started_at is distinct from old.dial_started_at and not (
        new.dial_started_at is null and new.worker_id is null
        and old.worker_id is not null and old.ringing_since is null and old.status = 'queued' and new.status = 'queued'
      ) then
        raise exception 'call % cannot be dialled twice', old.call_id
          using errcode = 'check_violation', constraint = 'calls_dial_once';
      end if;
      return new;
    end $$`.execute(database)
}
