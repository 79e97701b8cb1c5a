import { type Kysely, sql } from 'kysely'

/** Creates the tables of the submissions that two versions get. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table pairs (
      pair_id text primary key,
      kind text not null check (kind in ('comparison', 'noise')),
      stage text not null,
      epoch integer not null,
      answered_by text not null check (answered_by in ('v1', 'v2')),
      received_at timestamptz not null,
      ended_at timestamptz,
      outcome text not null,
      not_sent text,
      sides json not null,
      v1_id text,
      v2_id text,
      next_at timestamptz,
      budget_day text,
      read_values bytea,
      severity text check (severity in ('mild', 'serious', 'worst')),
      differs_in_code boolean not null default false,
      differing_scores json not null default '[]',
      fields json not null default '{}',
      acknowledged_at timestamptz,
      note text,
      check ((outcome = 'waiting') = (ended_at is null)),
      check (ended_at is null or (next_at is null and read_values is null))
    ) with (fillfactor = 70);

    create index pairs_due on pairs (next_at) where next_at is not null;
    create index pairs_by_v1_id on pairs (v1_id) where v1_id is not null;
    create index pairs_by_v2_id on pairs (v2_id) where v2_id is not null;
    -- Lists are read by all combinations of values that a filter leaves open, each in order of the id. The collation keeps the
    -- planner from taking the order from the primary key, and reading every row that does not match.
    create index pairs_by_outcome on pairs (outcome, kind, pair_id collate "C");
    create index pairs_by_severity on pairs (severity, outcome, kind, pair_id collate "C") where severity is not null;
    create index pairs_open on pairs (severity, outcome, kind, pair_id collate "C")
      where severity is not null and acknowledged_at is null;

    create table shadow_budgets (
      day text primary key,
      sent integer not null
    );
  `.execute(database)
}
