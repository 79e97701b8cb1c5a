import type { Db } from '@vaani/service-kit/database/connect'
import { claimAlone } from '@vaani/service-kit/work/accounts-in-turn'
import { sql } from 'kysely'
import { type ClaimedPage, claimPages, findOpen, type PageKey, type PagesClaim } from './claim-pages.ts'

/** Pages that workers hold while they read them. */
export interface HeldPageStore {
  /** Claims pages that no live worker holds, taking turns between accounts. */
  claim(claim: PagesClaim): Promise<ClaimedPage[]>
  /** Releases pages that the worker holds, without counting the attempt. */
  release(pages: readonly PageKey[], workerId: string): Promise<void>
  /** Releases a page that the worker holds, not to be claimed again before the delay is over. */
  postpone(
    page: PageKey,
    workerId: string,
    options: { delaySeconds: number; countsAsAttempt: boolean },
  ): Promise<void>
}

export const createHeldPageStore = ({ database }: { database: Db }): HeldPageStore => ({
  async claim(claim) {
    const { rows } = await findOpen.execute(database)
    return rows.length === 0 ? [] : claimAlone(database, 'document pages', (tx) => claimPages(tx, claim))
  },
  async release(pages, workerId) {
    await sql`
      update document_pages set worker_id = null, attempts = attempts - 1
      where worker_id = ${workerId} and (document_id, number) in (
        select * from unnest(
          ${pages.map(({ document_id }) => document_id)}::text[], ${pages.map(({ number }) => number)}::smallint[]))`.execute(
      database,
    )
  },
  async postpone({ document_id, number }, workerId, { delaySeconds, countsAsAttempt }) {
    await database
      .updateTable('document_pages')
      .set({
        worker_id: null,
        not_before: sql<Date>`now() + make_interval(secs => ${delaySeconds})`,
        ...(!countsAsAttempt && { attempts: sql`attempts - 1` }),
      })
      .where('document_id', '=', document_id)
      .where('number', '=', number)
      .where('worker_id', '=', workerId)
      .execute()
  },
})
