import type { Id, OcrOptions } from '@vaani/contracts'
import type { Tx } from '@vaani/service-kit/database/connect'
import { isLeased, workersWithoutLease } from '@vaani/service-kit/leases/abandoned'
import { accountsInTurn } from '@vaani/service-kit/work/accounts-in-turn'
import { sql } from 'kysely'

/** A claimed page, with what it needs of its document. */
export interface ClaimedPage {
  document_id: string
  number: number
  attempts: number
  account_id: Id<'account'>
  language: string
  orientation: OcrOptions['orientation']
  text_layer: OcrOptions['text_layer']
  data_key: Buffer
}

export type PageKey = Pick<ClaimedPage, 'document_id' | 'number'>

export interface PagesClaim {
  workerId: string
  /** Pages that the worker holds. The claim first releases any others under its name. */
  reading: readonly PageKey[]
  /** Maximum number of pages to claim. */
  room: number
  /** The account served last. The next one comes first. */
  after: string
}

/** These must match the predicates of the indexes word for word. */
const IS_OPEN = sql`status in ('queued', 'processing')`
const IS_WAITING = sql`worker_id is null and outcome is null`
const IS_HELD = sql`worker_id is not null`

/** Finds whether any document is to be read, or any page is held. It costs a fraction of a claim, which most polls do not need. */
export const findOpen = sql`
  (select from documents where ${IS_OPEN} order by account_id limit 1)
  union all
  (select from document_pages where ${IS_HELD} order by worker_id limit 1)`

/** Claims pages of the account's documents in the order in which these were sent, live ones first, and one of each account in turn. */
export async function claimPages(tx: Tx, claim: PagesClaim): Promise<ClaimedPage[]> {
  await releaseAbandoned(claim).execute(tx)
  const { rows } = await claimInTurn(claim).execute(tx)
  return rows
}

/** Releases pages of workers that are gone, and those that this worker holds unknowingly because a reply was lost. */
const releaseAbandoned = ({ workerId, reading }: Pick<PagesClaim, 'workerId' | 'reading'>) => sql`
  update document_pages set worker_id = null
  where worker_id in (select ${workerId}::text union all ${workersWithoutLease('document_pages', IS_HELD)})
    and (worker_id <> ${workerId} or (document_id, number) not in (
      select * from unnest(
        ${reading.map(({ document_id }) => document_id)}::text[], ${reading.map(({ number }) => number)}::smallint[])))`

/** The update repeats only a part of an index predicate, so that the planner finds each row by its key. */
const claimInTurn = ({ workerId, room, after }: Omit<PagesClaim, 'reading'>) => sql<ClaimedPage>`
  with recursive ${accountsInTurn({
    accountAfter: (account) => sql`
      select account_id from documents where ${IS_OPEN} and account_id > ${account} order by account_id limit 1`,
    rowsOf: (account) => sql`
      select documents.livemode, page.document_id, page.number
      from documents cross join lateral (
        select document_id, number from document_pages
        where document_id = documents.document_id and ${IS_WAITING} and not_before <= now()
        order by number limit ${room}
      ) as page
      where ${IS_OPEN} and account_id = ${account}
      order by documents.livemode desc, documents.document_id
      limit ${room}`,
    order: sql`own.livemode desc, own.document_id, own.number`,
    after,
  })},
  chosen as (
    select document_id, number, turn, place from turns order by turn, place limit ${room}
  ),
  claimed as (
    update document_pages set worker_id = ${workerId}, attempts = attempts + 1
    from chosen
    where document_pages.document_id = chosen.document_id and document_pages.number = chosen.number
      and outcome is null and ${isLeased(workerId)}
    returning document_pages.*, chosen.turn, chosen.place
  ),
  started as (
    update documents set status = 'processing'
    where status = 'queued' and document_id in (select document_id from claimed)
  )
  select claimed.document_id, claimed.number, claimed.attempts, account_id, language, orientation,
    text_layer, data_key
  from claimed join documents using (document_id)
  order by claimed.turn, claimed.place`
