import {
  type Call,
  CALL_EVENT_ACTORS,
  CALL_EVENT_TYPES,
  CALL_TRANSITIONS,
  type CallEndedBy,
  type CallEventName,
  type CallFailureReason,
  type CallStatus,
  LIMITS,
} from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import { inTransaction, type Queryable } from '@vaani/service-kit/database/transaction'
import { ApiError } from '@vaani/service-kit/http/api-error'
import type { IdMaker } from '@vaani/service-kit/ids'
import type { Boss } from '@vaani/service-kit/jobs/boss'
import { type Mover, moveState, type StateMachine } from '@vaani/service-kit/states/move-state'
import type { Tenant } from '@vaani/service-kit/tenant'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { FILL_OUTBOX, OUTBOX_COLUMNS, writeEvent } from '../webhooks/port.ts'
import { DIAL_QUEUE, type DialJob } from './dial-queue.ts'
import { createQueueLimit, requireRoomInQueue } from './queue-limit.ts'
import type { KeptRecording } from './recording-store.ts'
import type { CallTable } from './tables.ts'
import { type CallRow, toCall } from './view.ts'

export interface NewCall extends Tenant {
  to: string
  agentId: string
  scheduledAt: Date | null
  scheduledAtText: string | null
  fromCallerId: string | null
  language: string
  metadata: Readonly<Record<string, unknown>> | null
  carrier: string
}

/** What a step of a call writes beside the status. */
export interface CallEnd {
  failureReason?: CallFailureReason
  endedBy?: CallEndedBy
  durationSeconds?: number
  recording?: KeptRecording
}

export interface OverdueCall {
  call_id: string
  account_id: string
  due_at: Date
}

export interface CallStore {
  /**
   * Writes the call, its event and its job in one transaction, and what `within` adds to it.
   *
   * @throws ApiError `rate_limit_exceeded` if too many calls wait
   */
  place(
    call: NewCall,
    options: {
      /** Calls that may wait in the account and mode, unless they are scheduled. */
      maxWaiting: number
      within: (client: Queryable, call: Call) => Promise<void>
    },
  ): Promise<Call>
  find(tenant: Tenant, callId: string): Promise<CallRow | undefined>
  list(query: { tenant: Tenant; limit: number; cursor?: string; status?: CallStatus }): Promise<CallRow[]>
  /** Ends a call that has not been dialled; undefined where it is past that. */
  cancel(tenant: Tenant, callId: string): Promise<CallRow | undefined>
  /** Takes a call for one worker, once and for ever; undefined where it is taken, canceled or not due. */
  claim(callId: string, workerId: string, leaseSeconds: number): Promise<CallRow | undefined>
  /** Moves a call that this worker holds; undefined where it holds it no longer. */
  move(step: {
    call: CallRow
    workerId: string
    event: CallEventName
    end?: CallEnd
  }): Promise<CallRow | undefined>
  renewLeases(callIds: readonly string[], workerId: string, leaseSeconds: number): Promise<void>
  /** Ends the calls whose worker is gone as interrupted; their ids. */
  interruptAbandoned(): Promise<string[]>
  /**
   * Up to 1,000 calls that should have been dialled by now and were not: their job was lost, or they wait for a place.
   *
   * @param after the last one of the list before; without it from the oldest on
   */
  listOverdue(overdueSeconds: number, after?: OverdueCall): Promise<OverdueCall[]>
}

const OVERDUE_ROWS = 1000

// The statements of placing and reading a call are named and by hand: a query builder costs them a third of their rate.
const PLACE = `
  with event as (
    insert into events (event_id, account_id, livemode, type, object_id, body, created_at)
    values ($12, $2, $15, $13, $1, $14, $11) returning ${OUTBOX_COLUMNS.join(', ')}
  ), outbox as (${FILL_OUTBOX})
  insert into calls (call_id, account_id, status, to_number, agent_id, scheduled_at, scheduled_at_text,
    from_caller_id, language, metadata, carrier, created_at, livemode)
  values ($1, $2, 'queued', $3, $4, $5, $6, $7, $8, $9, $10, $11, $15)`
const FIND = 'select * from calls where call_id = $1 and account_id = $2 and livemode = $3'
const LOCK_SCHEDULE = 'select pg_advisory_xact_lock(hashtextextended($1, 1))'
const COUNT_SCHEDULED = `
  select count(*) as waiting from calls
  where account_id = $1 and livemode = $2 and status = 'queued' and scheduled_at is not null and dial_started_at is null`

/** A new call as its row will be. */
function toNewRow(call: NewCall, callId: string, createdAt: Date): CallRow {
  return {
    call_id: callId,
    account_id: call.accountId,
    livemode: call.livemode,
    status: 'queued',
    to_number: call.to,
    agent_id: call.agentId,
    scheduled_at: call.scheduledAt,
    scheduled_at_text: call.scheduledAtText,
    from_caller_id: call.fromCallerId,
    language: call.language,
    metadata: call.metadata,
    carrier: call.carrier,
    created_at: createdAt,
    dial_started_at: null,
    worker_id: null,
    lease_expires_at: null,
    answered_at: null,
    ended_at: null,
    duration_seconds: null,
    failure_reason: null,
    ended_by: null,
    recording_key: null,
    recording_data_key: null,
    recording_erased_at: null,
  }
}

export function createCallStore(options: {
  pool: Pool
  database: Db
  boss: Boss
  clock: Clock
  makeId: IdMaker
  /** Called once events of calls have been committed. */
  onEvents: () => void
}): CallStore {
  const { pool, database, boss, clock, makeId, onEvents } = options
  const queueLimit = createQueueLimit({ pool, clock })

  /** Takes turns by tenant, which keeps the limit exact however many requests come at once. */
  async function requireRoomInSchedule(client: Queryable, { accountId, livemode }: Tenant): Promise<void> {
    const turn = `${accountId} ${livemode}`
    await client.query({ name: 'calls.lock-schedule', text: LOCK_SCHEDULE, values: [turn] })
    const { rows } = await client.query<{ waiting: string }>({
      name: 'calls.count-scheduled',
      text: COUNT_SCHEDULED,
      values: [accountId, livemode],
    })
    if (Number(rows[0]?.waiting) >= LIMITS.scheduledCallsPerAccount)
      throw new ApiError(
        'rate_limit_exceeded',
        `At most ${LIMITS.scheduledCallsPerAccount} scheduled calls may wait`,
        { param: 'scheduled_at', retryAfterSeconds: 60 },
      )
  }

  function describeEvent(row: CallRow) {
    const event_id = makeId('event')
    const created_at = new Date(clock.nowMs())
    const type = CALL_EVENT_TYPES[row.status]
    const body = JSON.stringify({ event_id, type, created_at: created_at.toISOString(), data: toCall(row) })
    return {
      event_id,
      account_id: row.account_id,
      livemode: row.livemode,
      type,
      object_id: row.call_id,
      body,
      created_at,
    }
  }

  const machine: StateMachine<CallTable, CallStatus, CallEventName> = {
    table: 'calls',
    idColumn: 'call_id',
    transitions: CALL_TRANSITIONS,
    actors: CALL_EVENT_ACTORS,
    onEntering: (status, now) => (status === 'in-progress' ? { answered_at: now } : { ended_at: now }),
    onMoved: (tx, row) => writeEvent(tx, describeEvent(row)),
  }

  function step(
    tx: Tx,
    options: {
      call: Pick<CallRow, 'call_id' | 'status'>
      event: CallEventName
      mover: Mover
      end?: CallEnd | undefined
    },
  ): Promise<CallRow | undefined> {
    const { call, event, mover, end = {} } = options
    return moveState(tx, machine, {
      id: call.call_id,
      from: call.status,
      event,
      mover,
      now: new Date(clock.nowMs()),
      changes: {
        ...(end.failureReason !== undefined && { failure_reason: end.failureReason }),
        ...(end.endedBy !== undefined && { ended_by: end.endedBy }),
        ...(end.durationSeconds !== undefined && { duration_seconds: end.durationSeconds }),
        ...(end.recording && {
          recording_key: end.recording.key,
          recording_data_key: end.recording.dataKey,
        }),
      },
    })
  }

  async function committed<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
    const result = await database.transaction().execute(run)
    onEvents()
    return result
  }

  return {
    async place(call, { maxWaiting, within }) {
      const isNearLimit = call.scheduledAt === null && (await queueLimit.isNear(call, maxWaiting))
      const placed = await inTransaction(pool, async (client) => {
        if (call.scheduledAt !== null) await requireRoomInSchedule(client, call)
        if (isNearLimit) await requireRoomInQueue(client, call, maxWaiting)
        const row = toNewRow(call, makeId('call'), new Date(clock.nowMs()))
        const event = describeEvent(row)
        await client.query({
          name: 'calls.place',
          text: PLACE,
          values: [
            row.call_id,
            row.account_id,
            row.to_number,
            row.agent_id,
            row.scheduled_at,
            row.scheduled_at_text,
            row.from_caller_id,
            row.language,
            row.metadata === null ? null : JSON.stringify(row.metadata),
            row.carrier,
            row.created_at,
            event.event_id,
            event.type,
            event.body,
            row.livemode,
          ],
        })
        const job: DialJob = { call_id: row.call_id, account_id: row.account_id }
        await boss.send(DIAL_QUEUE, job, {
          db: { executeSql: (text, values) => client.query(text, values) },
          ...(call.scheduledAt !== null && { startAfter: call.scheduledAt }),
        })
        const made = toCall(row)
        await within(client, made)
        return made
      })
      onEvents()
      return placed
    },
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
        .where('account_id', '=', tenant.accountId)
        .where('livemode', '=', tenant.livemode)
        .selectAll()
      if (cursor !== undefined) query = query.where('call_id', '<', cursor)
      if (status !== undefined) query = query.where('status', '=', status)
      return query.orderBy('call_id', 'desc').limit(limit).execute()
    },
    cancel: (tenant, callId) =>
      committed((tx) =>
        step(tx, {
          call: { call_id: callId, status: 'queued' },
          event: 'canceled',
          mover: { actor: 'person', tenant },
          end: { failureReason: 'canceled' },
        }),
      ),
    async claim(callId, workerId, leaseSeconds) {
      return database
        .updateTable('calls')
        .set({
          dial_started_at: new Date(clock.nowMs()),
          worker_id: workerId,
          lease_expires_at: sql<Date>`now() + make_interval(secs => ${leaseSeconds})`,
        })
        .where('call_id', '=', callId)
        .where('status', '=', 'queued')
        .where('dial_started_at', 'is', null)
        .returningAll()
        .executeTakeFirst()
    },
    move: ({ call, workerId, event, end }) =>
      committed((tx) => step(tx, { call, event, mover: { actor: 'holder', workerId }, end })),
    async renewLeases(callIds, workerId, leaseSeconds) {
      await database
        .updateTable('calls')
        .set({ lease_expires_at: sql<Date>`now() + make_interval(secs => ${leaseSeconds})` })
        .where('call_id', 'in', callIds)
        .where('worker_id', '=', workerId)
        .where('ended_at', 'is', null)
        .where('dial_started_at', 'is not', null)
        .execute()
    },
    interruptAbandoned: () =>
      committed(async (tx) => {
        const rows = await tx
          .selectFrom('calls')
          .where('ended_at', 'is', null)
          .where('dial_started_at', 'is not', null)
          .where('lease_expires_at', '<', sql<Date>`now()`)
          .limit(100)
          .forUpdate()
          .skipLocked()
          .selectAll()
          .execute()
        for (const call of rows)
          await step(tx, {
            call,
            event: 'interrupted',
            mover: { actor: 'successor' },
            end: { failureReason: 'interrupted' },
          })
        return rows.map((row) => row.call_id)
      }),
    listOverdue(overdueSeconds, after) {
      const dueAt = sql<Date>`coalesce(scheduled_at, created_at)`
      let query = database
        .selectFrom('calls')
        .where('status', '=', 'queued')
        .where('dial_started_at', 'is', null)
        .where(dueAt, '<', new Date(clock.nowMs() - overdueSeconds * 1000))
      if (after !== undefined)
        query = query.where(sql<boolean>`(${dueAt}, call_id) > (${after.due_at}, ${after.call_id})`)
      return query
        .select(['call_id', 'account_id', dueAt.as('due_at')])
        .orderBy(dueAt)
        .orderBy('call_id')
        .limit(OVERDUE_ROWS)
        .execute()
    },
  }
}
