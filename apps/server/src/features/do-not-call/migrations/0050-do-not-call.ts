import { type Kysely, sql } from 'kysely'

/** Adds the numbers that an account, or no account of the server, may call. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table do_not_call (
      listed_number_id text primary key,
      account_id text references accounts on delete cascade,
      livemode boolean,
      phone_number text not null,
      reason text,
      source text not null,
      created_at timestamptz not null,
      constraint do_not_call_owner check ((account_id is null) = (livemode is null))
    );
    create unique index do_not_call_of_account on do_not_call (account_id, livemode, phone_number);
    create unique index do_not_call_of_server on do_not_call (phone_number) where account_id is null;
    create index do_not_call_by_account on do_not_call (account_id, livemode, listed_number_id desc);
    create index do_not_call_by_server on do_not_call (listed_number_id desc) where account_id is null;
  `.execute(database)
}
