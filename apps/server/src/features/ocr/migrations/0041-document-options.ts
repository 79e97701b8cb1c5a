import { type Kysely, sql } from 'kysely'

/** How documents are read. The previous version writes neither column, so they have the defaults of the contract. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table documents
      add column orientation text not null default 'auto',
      add column text_layer text not null default 'auto'`.execute(database)
}
