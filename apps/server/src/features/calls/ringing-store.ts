import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import { sql } from 'kysely'

/** What is stored of a call between its dialling and its answer. */
export interface RingingStore {
  /** Notes that a call rings; false if this worker no longer holds it. */
  ring(call: { callId: string; workerId: string }): Promise<boolean>
  /** Notes the carrier that is tried next; false if this worker no longer holds the call, or it has rung. */
  reroute(call: { callId: string; workerId: string; carrier: string }): Promise<boolean>
  /** Lists those of the calls that have ended. */
  listEnded(callIds: readonly string[]): Promise<string[]>
}

export const createRingingStore = ({ database, clock }: { database: Db; clock: Clock }): RingingStore => ({
  async ring({ callId, workerId }) {
    const { numUpdatedRows } = await database
      .updateTable('calls')
      .set({ ringing_since: new Date(clock.nowMs()) })
      .where('call_id', '=', callId)
      .where('worker_id', '=', workerId)
      .where('status', '=', 'queued')
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
  async reroute({ callId, workerId, carrier }) {
    const { numUpdatedRows } = await database
      .updateTable('calls')
      .set({ carrier })
      .where('call_id', '=', callId)
      .where('worker_id', '=', workerId)
      .where('status', '=', 'queued')
      .where('ringing_since', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
  async listEnded(callIds) {
    const rows = await database
      .selectFrom('calls')
      .where(sql<boolean>`call_id = any (${callIds}::text[])`)
      .where('ended_at', 'is not', null)
      .select('call_id')
      .execute()
    return rows.map(({ call_id }) => call_id)
  },
})
