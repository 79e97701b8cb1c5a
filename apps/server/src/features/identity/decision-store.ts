import {
  VERIFICATION_EVENT_ACTORS,
  type VerificationEventName,
  VERIFICATION_EVENT_TYPES,
  VERIFICATION_TRANSITIONS,
  type VerificationStatus,
} from '@vaani/contracts'
import type { CheckResult } from '@vaani/identity-checks'
import type { Clock } from '@vaani/service-kit/clock'
import { byIndex } from '@vaani/service-kit/database/by-index'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import { moveState, type StateMachine } from '@vaani/service-kit/states/move-state'
import { currentTraceparent } from '@vaani/service-kit/telemetry/active-span'
import type { Tenant } from '@vaani/service-kit/tenant'
import { deriveEventId, type NewEvent, writeEvent } from '../webhooks/port.ts'
import { lateFieldOf } from './extracted.ts'
import { type DocumentDigests, findReuse, keepDigests, reuseResult } from './reuse.ts'
import type { StoredReason } from './rules/review-reasons.ts'
import type { VerificationRow, VerificationTable } from './tables.ts'
import { toVerification } from './view.ts'

interface VerificationDecision {
  event: VerificationEventName
  checks: readonly CheckResult[]
  reasons: readonly StoredReason[]
  /** Sealed extracted fields. */
  extracted: Buffer | null
}

/** Decisions on verifications, with their events. */
export interface DecisionStore {
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
   * Runs `judge` in a transaction, and moves the review that it locked by the event that it returns, if any. Its reasons replace those
   * of the checks.
   *
   * @returns the verification, or undefined if `judge` found none
   */
  decideReview(
    tenant: Tenant,
    keyId: string,
    judge: (
      tx: Tx,
    ) => Promise<
      | { row: VerificationRow; event: VerificationEventName | null; reasons: readonly StoredReason[] }
      | undefined
    >,
  ): Promise<VerificationRow | undefined>
  /** Runs `change` in a transaction, and sends the event of the review as it left it. */
  changeReview(change: (tx: Tx) => Promise<VerificationRow | undefined>): Promise<VerificationRow | undefined>
}

export function createDecisionStore(options: {
  database: Db
  clock: Clock
  makeId: IdMaker
  /** Called after an event is committed. */
  onEvents: () => void
}): DecisionStore {
  const { database, clock, makeId, onEvents } = options

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
    onMoved: (tx, row) => tell(tx, row, idOfDecision(row, options)),
  }

  async function tell(tx: Tx, row: VerificationRow, event_id: string): Promise<void> {
    const event = describeDecision(row, { event_id, created_at: new Date(clock.nowMs()) })
    if (event) await writeEvent(tx, event)
  }

  return {
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
          changes: { reviewed_by: keyId, reasons: JSON.stringify(judged.reasons) },
        })
      })
      if (reviewed !== undefined && reviewed.status !== 'review') onEvents()
      return reviewed
    },
    async changeReview(change) {
      const changed = await database.transaction().execute(async (tx) => {
        const row = await change(tx)
        if (row !== undefined) await tell(tx, row, makeId('event'))
        return row
      })
      if (changed !== undefined) onEvents()
      return changed
    },
  }
}

/** Those of checks are repeated after a restore, and those of persons are not. */
function idOfDecision(row: VerificationRow, options: { clock: Clock; makeId: IdMaker }): string {
  const { status, verification_id: objectId, created_at: objectCreatedAt, reviewed_by } = row
  if (status === 'pending' || reviewed_by !== null) return options.makeId('event')
  return deriveEventId(
    { objectId, objectCreatedAt, type: VERIFICATION_EVENT_TYPES[status], step: 0 },
    options,
  )
}

/** Returns the event of a decision; null while there is none. */
function describeDecision(
  row: VerificationRow,
  { event_id, created_at }: { event_id: string; created_at: Date },
): NewEvent | null {
  if (row.status === 'pending') return null
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
