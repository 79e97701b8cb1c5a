import { type Kysely, sql } from 'kysely'

/** Creates the one row of the flag, and its history, which no statement can rewrite. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table migration_state (
      is_only_row boolean primary key default true check (is_only_row),
      stage text not null,
      is_killed boolean not null,
      provider_stage text,
      provider_is_killed boolean not null default false,
      epoch integer not null,
      evidence_since timestamptz not null,
      revision integer not null,
      changed_at timestamptz not null,
      changed_by text not null
    );

    create table migration_changes (
      change_id text primary key,
      revision integer not null unique,
      kind text not null,
      created_at timestamptz not null,
      actor text not null,
      reason text not null,
      from_stage text not null,
      to_stage text not null,
      kill_switch boolean,
      forced boolean not null,
      verdict json not null,
      epoch integer not null
    );
    create function keep_migration_changes() returns trigger language plpgsql as $$
      begin raise exception 'The history of a migration is never rewritten'; end $$;
    create trigger migration_changes_are_kept before update or delete or truncate on migration_changes
      for each statement execute function keep_migration_changes();

    create table migration_broken_conditions (
      epoch integer not null,
      condition text not null,
      noticed_at timestamptz not null,
      primary key (epoch, condition)
    );
  `.execute(database)
}
