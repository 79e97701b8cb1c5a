import {
  VERIFICATION_EVENT_ACTORS,
  type VerificationEventName,
  VERIFICATION_EVENT_TYPES,
  VERIFICATION_TRANSITIONS,
  type VerificationStatus,
} from '@vaani/contracts'
import type { CheckResult, DecisionReason } from '@vaani/identity-checks'
import type { Clock } from '@vaani/service-kit/clock'
import { anyOf } from '@vaani/service-kit/database/any-of'
import { byIndex } from '@vaani/service-kit/database/by-index'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import { inTransaction, type Queryable } from '@vaani/service-kit/database/transaction'
import type { IdMaker } from '@vaani/service-kit/ids'
import { moveState, type StateMachine } from '@vaani/service-kit/states/move-state'
import { currentTraceparent } from '@vaani/service-kit/telemetry/active-span'
import type { Tenant } from '@vaani/service-kit/tenant'
import { claimAlone } from '@vaani/service-kit/work/accounts-in-turn'
import { type CompiledQuery, type Insertable, sql } from 'kysely'
import type { Pool } from 'pg'
import { type NewEvent, writeEvent } from '../webhooks/port.ts'
import { claimVerifications, type VerificationClaim } from './claim-verifications.ts'
import { lateFieldOf } from './extracted.ts'
import { type DocumentDigests, findReuse, keepDigests, reuseResult } from './reuse.ts'
import type { VerificationRow, VerificationTable } from './tables.ts'
import { toVerification } from './view.ts'

export interface VerificationDecision {
  event: VerificationEventName
  checks: readonly CheckResult[]
  reasons: readonly DecisionReason[]
  /** Sealed extracted fields. */
  extracted: Buffer | null
}

export interface VerificationStore {
  /** Writes the verification and the fingerprints of its media, and runs `within`, in one transaction. */
  create(
    row: Insertable<VerificationTable>,
    fingerprints: readonly Buffer[],
    within: (client: Queryable) => Promise<void>,
  ): Promise<void>
  find(tenant: Tenant, verificationId: string): Promise<VerificationRow | undefined>
  list(query: {
    tenant: Tenant
    limit: number
    cursor?: string | undefined
    status?: VerificationStatus | undefined
    externalId?: string | undefined
  }): Promise<VerificationRow[]>
  /** Claims pending verifications that no live worker holds, taking turns between accounts. */
  claim(claim: VerificationClaim): Promise<VerificationRow[]>
  /** Releases verifications that the worker holds, without counting the attempt. */
  release(verificationIds: readonly string[], workerId: string): Promise<void>
  /** Releases a verification that the worker holds, not to be claimed again before the delay is over. */
  postpone(
    row: VerificationRow,
    workerId: string,
    options: { delaySeconds: number; countsAsAttempt: boolean },
  ): Promise<void>
  /** Stores partial results. A no-op if the worker no longer holds the verification. */
  keepChecks(row: VerificationRow, checks: readonly CheckResult[]): Promise<void>
  /**
   * Writes the decision, its event and the digests of the document; returns undefined if the worker no longer holds the
   * verification.
   *
   * @param options.digests null if the media is not to be compared with what was submitted before
   * @param options.judge called in the transaction with what was submitted before
   */
  decide(
    row: VerificationRow,
    workerId: string,
    options: {
      digests: DocumentDigests | null
      judge: (reuse: CheckResult | null) => VerificationDecision
    },
  ): Promise<VerificationRow | undefined>
  /**
   * Runs `judge` in a transaction, and moves the review that it locked by the event that it returns, if any.
   *
   * @returns the verification, or undefined if `judge` found none
   */
  decideReview(
    tenant: Tenant,
    keyId: string,
    judge: (tx: Tx) => Promise<{ row: VerificationRow; event: VerificationEventName | null } | undefined>,
  ): Promise<VerificationRow | undefined>
  /** Records that the media was removed. */
  forgetMedia(verificationIds: readonly string[]): Promise<void>
}

const secondsFromNow = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

export function createVerificationStore(options: {
  pool: Pool
  database: Db
  clock: Clock
  makeId: IdMaker
  /** Called after an event is committed. */
  onEvents: () => void
}): VerificationStore {
  const { pool, database, clock, makeId, onEvents } = options

  function describeDecision(row: VerificationRow): NewEvent | null {
    if (row.status === 'pending') return null
    const event_id = makeId('event')
    const created_at = new Date(clock.nowMs())
    const type = VERIFICATION_EVENT_TYPES[row.status]
    return {
      event_id,
      account_id: row.account_id,
      livemode: row.livemode,
      type,
      object_id: row.verification_id,
      // A callback URL and extracted data are for the final decision.
      ...(row.status !== 'review' && {
        callback_url: row.callback_url,
        late_field: lateFieldOf(row.account_id),
      }),
      body: JSON.stringify({
        event_id,
        type,
        created_at: created_at.toISOString(),
        data: toVerification(row),
      }),
      created_at,
      traceparent: currentTraceparent() ?? row.traceparent,
    }
  }

  const machine: StateMachine<VerificationTable, VerificationStatus, VerificationEventName> = {
    table: 'verifications',
    idColumn: 'verification_id',
    transitions: VERIFICATION_TRANSITIONS,
    actors: VERIFICATION_EVENT_ACTORS,
    onEntering: (status, now) => ({
      worker_id: null,
      lease_expires_at: null,
      ...(status !== 'review' && { decided_at: now }),
    }),
    async onMoved(tx, row) {
      const event = describeDecision(row)
      if (event) await writeEvent(tx, event)
    },
  }

  return {
    create: (row, fingerprints, within) =>
      inTransaction(pool, async (client) => {
        const run = ({ sql: text, parameters }: CompiledQuery) => client.query(text, [...parameters])
        await run(database.insertInto('verifications').values(row).compile())
        const { account_id, livemode, verification_id, external_id = null } = row
        const media = fingerprints.map((fingerprint) => ({
          account_id,
          livemode,
          fingerprint,
          verification_id,
          external_id,
        }))
        const keep = database.insertInto('media_fingerprints').values(media)
        if (media.length > 0) await run(keep.onConflict((conflict) => conflict.doNothing()).compile())
        await within(client)
      }),
    find: (tenant, verificationId) =>
      database
        .selectFrom('verifications')
        .where('verification_id', '=', verificationId)
        .where('account_id', '=', tenant.accountId)
        .where('livemode', '=', tenant.livemode)
        .selectAll()
        .executeTakeFirst(),
    list({ tenant, limit, cursor, status, externalId }) {
      let query = database
        .selectFrom('verifications')
        .where('account_id', '=', anyOf(tenant.accountId))
        .where('livemode', '=', tenant.livemode)
        .selectAll()
      if (cursor !== undefined) query = query.where('verification_id', '<', cursor)
      if (status !== undefined) query = query.where('status', '=', status)
      if (externalId !== undefined) query = query.where('external_id', '=', externalId)
      return query.orderBy('account_id').orderBy('verification_id', 'desc').limit(limit).execute()
    },
    claim: (claim) => claimAlone(database, 'verifications', (tx) => claimVerifications(tx, claim)),
    async release(verificationIds, workerId) {
      await database
        .updateTable('verifications')
        .set({ worker_id: null, lease_expires_at: null, attempts: sql`attempts - 1` })
        .where('verification_id', 'in', verificationIds)
        .where('worker_id', '=', workerId)
        .execute()
    },
    async postpone({ verification_id }, workerId, { delaySeconds, countsAsAttempt }) {
      await database
        .updateTable('verifications')
        .set({
          worker_id: null,
          not_before: secondsFromNow(delaySeconds),
          lease_expires_at: secondsFromNow(delaySeconds),
          ...(!countsAsAttempt && { attempts: sql`attempts - 1` }),
        })
        .where('verification_id', '=', verification_id)
        .where('worker_id', '=', workerId)
        .execute()
    },
    async keepChecks(row, checks) {
      await database
        .updateTable('verifications')
        .set({ checks: JSON.stringify(checks) })
        .where('verification_id', '=', row.verification_id)
        .where('status', '=', 'pending')
        .where('worker_id', '=', row.worker_id)
        .execute()
    },
    async decide(row, workerId, { digests, judge }) {
      const decided = await byIndex(database, async (tx) => {
        const reuse = digests === null ? null : reuseResult(await findReuse(tx, row, digests))
        const { event, checks, reasons, extracted } = judge(reuse)
        const moved = await moveState(tx, machine, {
          id: row.verification_id,
          from: 'pending',
          event,
          mover: { actor: 'holder', workerId },
          now: new Date(clock.nowMs()),
          changes: { checks: JSON.stringify(checks), reasons: JSON.stringify(reasons), extracted },
        })
        // Only by the holder, because after another worker's decision the person may have been erased.
        if (moved !== undefined && digests !== null) await keepDigests(tx, row, digests)
        return moved
      })
      if (decided) onEvents()
      return decided
    },
    async decideReview(tenant, keyId, judge) {
      const reviewed = await database.transaction().execute(async (tx) => {
        const judged = await judge(tx)
        if (judged === undefined || judged.event === null) return judged?.row
        return moveState(tx, machine, {
          id: judged.row.verification_id,
          from: 'review',
          event: judged.event,
          mover: { actor: 'person', tenant },
          now: new Date(clock.nowMs()),
          changes: { reviewed_by: keyId },
        })
      })
      if (reviewed !== undefined && reviewed.status !== 'review') onEvents()
      return reviewed
    },
    async forgetMedia(verificationIds) {
      await database
        .updateTable('verifications')
        .set({ artifacts: '[]', media_erased_at: new Date(clock.nowMs()) })
        .where('verification_id', 'in', verificationIds)
        .execute()
    },
  }
}
