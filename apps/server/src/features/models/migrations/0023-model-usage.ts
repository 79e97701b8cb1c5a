import { type Kysely, sql } from 'kysely'

/** What accounts used of chat models, by day in UTC. It goes with the account. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table model_usage (
      account_id text not null references accounts on delete cascade,
      livemode boolean not null,
      day date not null,
      model text not null,
      requests bigint not null,
      requests_without_usage bigint not null,
      prompt_tokens bigint not null,
      completion_tokens bigint not null,
      primary key (account_id, livemode, day, model)
    )
  `.execute(database)
}
