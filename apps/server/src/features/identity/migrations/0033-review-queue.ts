import { buildIndex } from '@vaani/service-kit/database/build-index'
import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/**
 * Lets reviewers ask the person for something again, and filters the queue by reason, policy and person at the same cost however
 * long it is. A trigger keeps the reasons of the queue, because earlier versions move verifications as well.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table verifications add column if not exists awaits_person boolean not null default false`.execute(
    database,
  )
  await allowAsks(database)
  await keepReasons(database)
  const inReview = sql`where status = 'review'`
  for (const [name, columns] of Object.entries(INDEXES))
    await buildIndex(database, name, sql`on verifications (${sql.raw(columns)}) ${inReview}`)
  let last: QueuePlace | undefined = FIRST
  while (last !== undefined) last = await writeReasonsAfter(database, last)
  for (const replaced of ['verifications_in_review', 'verifications_claimed_for_review'])
    await sql`drop index concurrently if exists ${sql.ref(replaced)}`.execute(database)
}

const INDEXES = {
  review_queue: 'account_id, livemode, awaits_person, verification_id',
  review_queue_by_policy: 'account_id, livemode, awaits_person, policy, verification_id',
  review_queue_of_person: 'account_id, livemode, external_id, verification_id',
  review_claims: 'account_id, livemode, claim_expires_at',
}

/** Adds a type of entry. The new constraints are validated without a lock that keeps writers out. */
async function allowAsks(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table review_entries
      add column if not exists problem text,
      drop constraint if exists review_entries_type_check,
      drop constraint if exists review_entries_check1,
      drop constraint if exists review_entries_type,
      drop constraint if exists review_entries_artifact,
      drop constraint if exists review_entries_problem,
      add constraint review_entries_type
        check (type in ('claim', 'release', 'look', 'note', 'ask', 'vote')) not valid,
      add constraint review_entries_artifact
        check ((type in ('look', 'ask')) = (artifact is not null)) not valid,
      add constraint review_entries_problem check ((type = 'ask') = (problem is not null)) not valid`.execute(
    database,
  )
  for (const name of ['review_entries_type', 'review_entries_artifact', 'review_entries_problem'])
    await sql`alter table review_entries validate constraint ${sql.ref(name)}`.execute(database)
}

async function keepReasons(database: Kysely<unknown>): Promise<void> {
  await database.transaction().execute(async (tx) => {
    await sql`
      create table if not exists review_reasons (
        account_id text not null,
        livemode boolean not null,
        awaits_person boolean not null,
        code text not null,
        policy text not null,
        verification_id text not null references verifications,
        primary key (account_id, livemode, awaits_person, code, verification_id)
      );
      create index if not exists review_reasons_by_policy
        on review_reasons (account_id, livemode, awaits_person, code, policy, verification_id);
      create index if not exists review_reasons_of_verification on review_reasons (verification_id);

      create or replace function keep_review_reasons() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' then
          delete from review_reasons where verification_id = old.verification_id;
        end if;
        if new.status = 'review' then
          insert into review_reasons (account_id, livemode, awaits_person, code, policy, verification_id)
          select distinct new.account_id, new.livemode, new.awaits_person, reason->>'code', new.policy, new.verification_id
          from json_array_elements(new.reasons) as reason;
        end if;
        return null;
      end $$;
      create or replace trigger verifications_enter_review after insert on verifications
        for each row when (new.status = 'review') execute function keep_review_reasons();
      create or replace trigger verifications_change_review after update of status, reasons, awaits_person on verifications
        for each row when (old.status = 'review' or new.status = 'review') execute function keep_review_reasons();`.execute(
      tx,
    )
  })
}

/** Reviews that one statement locks. */
const BATCH = 5000

/** Where a review is in the index of the queue. */
interface QueuePlace {
  account_id: string
  livemode: boolean
  awaits_person: boolean
  verification_id: string
}
const FIRST: QueuePlace = { account_id: '', livemode: false, awaits_person: false, verification_id: '' }

/**
 * Writes the reasons of the next reviews that were in the queue before the trigger, and returns the last one. Each is locked, so that
 * none leaves the queue between being read and being written.
 */
async function writeReasonsAfter(
  database: Kysely<unknown>,
  { account_id, livemode, awaits_person, verification_id }: QueuePlace,
): Promise<QueuePlace | undefined> {
  const place = sql`account_id, livemode, awaits_person, verification_id`
  const { rows } = await sql<QueuePlace>`
    with review as materialized (
      select ${place}, policy, reasons from verifications
      where status = 'review' and (${place}) > (${account_id}, ${livemode}, ${awaits_person}, ${verification_id})
      order by ${place} limit ${sql.lit(BATCH)} for share
    ), written as (
      insert into review_reasons (account_id, livemode, awaits_person, code, policy, verification_id)
      select distinct account_id, livemode, awaits_person, reason->>'code', policy, verification_id
      from review, json_array_elements(review.reasons) as reason
      on conflict do nothing
    )
    select ${place} from review order by account_id desc, livemode desc, awaits_person desc, verification_id desc limit 1
  `.execute(database)
  return rows[0]
}
