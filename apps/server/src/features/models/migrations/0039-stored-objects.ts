import { type Kysely, sql } from 'kysely'

/**
 * Files and batches that upstreams keep, and whose they are: upstreams have one key for all accounts. A row goes with its account; what
 * it names expires at the upstream.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table stored_objects (
      account_id text not null references accounts on delete cascade,
      livemode boolean not null,
      kind text not null check (kind in ('file', 'batch')),
      object_id text not null,
      upstream text not null,
      model text not null,
      view json not null,
      created_at timestamptz not null,
      asked_at timestamptz not null,
      ended_at timestamptz,
      primary key (account_id, livemode, kind, object_id)
    );
    create index stored_objects_listed on stored_objects (account_id, livemode, kind, created_at desc, object_id desc);
    create index stored_batches_open_of_account on stored_objects (account_id, livemode) where kind = 'batch' and ended_at is null;
    create index stored_batches_open on stored_objects (asked_at) where kind = 'batch' and ended_at is null;
    create index stored_batches_ended on stored_objects (ended_at) where kind = 'batch' and ended_at is not null;
  `.execute(database)
}
