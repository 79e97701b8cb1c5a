import type { CallEventName, CallStatus } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import { anyOf } from '@vaani/service-kit/database/any-of'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import { isAbandoned, workersWithoutLease } from '@vaani/service-kit/leases/abandoned'
import type { Tenant } from '@vaani/service-kit/tenant'
import { claimAlone } from '@vaani/service-kit/work/accounts-in-turn'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { DoNotCallPort } from '../do-not-call/port.ts'
import { type CallEnd, createCallStep, type HeldCall, type CallStep } from './call-step.ts'
import type { LineLimit } from './carriers/line-limits.ts'
import { type CallClaim, claimCalls, findDue } from './claim-calls.ts'
import type { LineCaps } from './line-caps.ts'
import { createPlaceCall, type PlaceCall } from './place-call.ts'
import { createReceiveCall, type ReceiveCall } from './receive-call.ts'
import { createRingingStore, type RingingStore } from './ringing-store.ts'
import type { CallRow } from './view.ts'

/** A call whose worker is gone. */
export type LeftCall = Pick<CallRow, 'call_id' | 'carrier' | 'farewell'>

/** A call and the time that tells its claim from others. */
type ClaimedCall = Pick<CallRow, 'call_id' | 'dial_started_at'>

export interface CallStore extends RingingStore {
  place: PlaceCall
  find(tenant: Tenant, callId: string): Promise<CallRow | undefined>
  list(query: { tenant: Tenant; limit: number; cursor?: string; status?: CallStatus }): Promise<CallRow[]>
  /** Cancels a call; undefined if it was answered or has ended. The worker that dials it hangs up once it notices. */
  cancel(tenant: Tenant, callId: string): Promise<CallRow | undefined>
  /** Claims due calls for one worker, until their end or until it gives them back, taking turns between accounts. None if the worker has no lease. */
  claim(claim: CallClaim): Promise<CallRow[]>
  /** Writes a call that comes in, and which the worker holds from now on. Undefined if the worker has no lease. @throws Error if the account has no such agent */
  receive: ReceiveCall
  /** Lets workers claim a call again that this one has not dialled; false if it no longer holds it by this claim, or it rings. */
  giveBack(call: ClaimedCall, workerId: string): Promise<boolean>
  /** Moves a call to its next state; undefined if this worker no longer holds it. */
  move(step: {
    call: HeldCall
    workerId: string
    event: CallEventName
    end?: CallEnd
  }): Promise<CallRow | undefined>
  /** Lists up to 100 calls that a worker holds, except those that it is carrying. */
  listForgotten(workerId: string, carried: readonly string[]): Promise<(HeldCall & ClaimedCall)[]>
  /** Ends up to 100 calls whose worker is gone as interrupted. @returns them as they were */
  interruptAbandoned(): Promise<LeftCall[]>
}

/** Forgotten calls that are listed at once. */
export const FORGOTTEN_ROWS = 100

/** Must match the predicate of the index word for word. */
const IS_UNDER_WAY = sql<boolean>`ended_at is null and dial_started_at is not null`

// Hand-written, because the query builder would cost a third of the throughput.
const FIND = 'select * from calls where call_id = $1 and account_id = $2 and livemode = $3'

interface CallStoreOptions {
  pool: Pool
  database: Db
  clock: Clock
  makeId: IdMaker
  doNotCall: DoNotCallPort
  /** Caps of accounts; none by default. */
  lineCaps?: Pick<LineCaps, 'findReached'>
  /** Limits of lines; none by default. */
  lineLimits?: readonly LineLimit[]
  /** Called after events of calls are committed. */
  onEvents: () => void
}

export function createCallStore(options: CallStoreOptions): CallStore {
  const { pool, database, clock, onEvents, lineLimits = [] } = options

  const step = createCallStep(options)

  async function committed<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
    const result = await database.transaction().execute(run)
    onEvents()
    return result
  }

  return {
    place: createPlaceCall(options),
    receive: createReceiveCall(options),
    ...createRingingStore(options),
    async find({ accountId, livemode }, callId) {
      const { rows } = await pool.query<CallRow>({
        name: 'calls.find',
        text: FIND,
        values: [callId, accountId, livemode],
      })
      return rows[0]
    },
    list({ tenant, limit, cursor, status }) {
      let query = database
        .selectFrom('calls')
        .where('account_id', '=', anyOf(tenant.accountId))
        .where('livemode', '=', tenant.livemode)
        .selectAll()
      if (cursor !== undefined) query = query.where('call_id', '<', cursor)
      if (status !== undefined) query = query.where('status', '=', status)
      return query.orderBy('account_id').orderBy('call_id', 'desc').limit(limit).execute()
    },
    cancel: (tenant, callId) =>
      committed((tx) =>
        step(tx, {
          call: { call_id: callId, status: 'queued' },
          event: 'canceled',
          mover: { actor: 'person', tenant, evenIfHeld: true },
          end: { failureReason: 'canceled' },
        }),
      ),
    async claim(claim) {
      const now = new Date(clock.nowMs())
      const { rows } = await findDue(now).execute(database)
      return rows.length === 0
        ? []
        : claimAlone(database, 'calls', (tx) => claimCalls(tx, claim, { now, limits: lineLimits }))
    },
    async giveBack({ call_id, dial_started_at }, workerId) {
      const { numUpdatedRows } = await database
        .updateTable('calls')
        .set({ dial_started_at: null, worker_id: null, lease_expires_at: null, line_admitted_at: null })
        .where('call_id', '=', call_id)
        .where('worker_id', '=', workerId)
        // Otherwise a statement that arrives late would end a later claim of the same worker.
        .where('dial_started_at', '=', dial_started_at)
        .where('status', '=', 'queued')
        .where('ringing_since', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    move: ({ call, workerId, event, end }) =>
      committed((tx) => step(tx, { call, event, mover: { actor: 'holder', workerId }, end })),
    listForgotten: (workerId, carried) =>
      database
        .selectFrom('calls')
        .where(IS_UNDER_WAY)
        .where('worker_id', '=', workerId)
        .where(sql<boolean>`call_id <> all (${carried}::text[])`)
        .select(['call_id', 'status', 'dial_started_at'])
        .limit(FORGOTTEN_ROWS)
        .execute(),
    interruptAbandoned: () => committed((tx) => interruptAbandoned(tx, step)),
  }
}

/** Ends calls whose worker is gone. @returns them as they were */
async function interruptAbandoned(tx: Tx, step: CallStep): Promise<LeftCall[]> {
  const rows = await tx
    .selectFrom('calls')
    .where(IS_UNDER_WAY)
    .where('worker_id', 'in', workersWithoutLease('calls', IS_UNDER_WAY))
    .where(isAbandoned('calls'))
    .limit(100)
    .forUpdate()
    .skipLocked()
    .selectAll()
    .execute()
  const interrupted: LeftCall[] = []
  for (const call of rows) {
    const moved = await step(tx, {
      call,
      event: 'interrupted',
      mover: { actor: 'successor' },
      end: { failureReason: 'interrupted' },
    })
    if (moved) interrupted.push(call)
  }
  return interrupted
}
