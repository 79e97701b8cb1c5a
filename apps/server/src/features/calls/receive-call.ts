import { DEFAULT_CALL_LANGUAGE } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import { EARLIER_VERSIONS_WAIT, isLeased } from '@vaani/service-kit/leases/abandoned'
import type { Tenant } from '@vaani/service-kit/tenant'
import { sql } from 'kysely'
import { writeEvent } from '../webhooks/port.ts'
import { describeEvent } from './describe-event.ts'
import { toNewRow } from './place-call.ts'
import type { CallRow } from './view.ts'

/** A call that comes in. */
export interface ReceivedCall extends Tenant {
  callId: string
  /** The number that was called, in E.164. */
  to: string
  /** The caller's number; null if it is withheld. */
  from: string | null
  agentId: string
  carrier: string
}

/**
 * Writes a call that comes in and its event. It is held by the worker from the first, so that no other one dials it.
 *
 * @returns undefined if the worker has no lease
 * @throws Error if the account has no such agent
 */
export type ReceiveCall = (call: ReceivedCall, workerId: string) => Promise<CallRow | undefined>

export function createReceiveCall(options: {
  database: Db
  clock: Clock
  makeId: IdMaker
  /** Called after events of calls are committed. */
  onEvents: () => void
}): ReceiveCall {
  const { database, clock, onEvents } = options
  return async (received, workerId) => {
    const now = new Date(clock.nowMs())
    const { callId, from, ...call } = received
    const placed = toNewRow(
      {
        ...call,
        fromCallerId: from,
        scheduledAt: null,
        scheduledAtText: null,
        language: DEFAULT_CALL_LANGUAGE,
        metadata: null,
      },
      callId,
      now,
    )
    const held = {
      dial_started_at: now,
      line_admitted_at: now,
      ringing_since: now,
      waiting_since: null,
      worker_id: workerId,
    }
    const row: CallRow = { ...placed, ...held, direction: 'inbound' }
    const isWritten = await database.transaction().execute(async (tx) => {
      const { rows } = await sql<{ held: boolean }>`select ${isLeased(workerId)} as held`.execute(tx)
      if (rows[0]?.held !== true) return false
      await tx
        .insertInto('calls')
        .values({ ...row, metadata: null, quality: null, lease_expires_at: EARLIER_VERSIONS_WAIT })
        .execute()
      await writeEvent(tx, describeEvent(row, options))
      return true
    })
    if (!isWritten) return undefined
    onEvents()
    return row
  }
}
