import { type Kysely, sql } from 'kysely'

/** Lexicons of accounts. They go with the account. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table lexicons (
      account_id text not null references accounts on delete cascade,
      livemode boolean not null,
      language text not null,
      version text not null,
      entries json not null,
      entry_count integer not null,
      updated_at timestamptz not null,
      primary key (account_id, livemode, language)
    )
  `.execute(database)
}
