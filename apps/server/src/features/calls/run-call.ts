import path from 'node:path'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { AnswerRequest, CarrierCall } from '@vaani/telephony'
import { type CarrierMetrics, countEnd } from './carrier-metrics.ts'
import type { CallEvent } from './events.ts'
import type { Persist } from './persist.ts'
import { AGENT_ERROR, type PreparedSpeech } from './prepare-call.ts'
import { type PaidTime, runSession, type SessionEnd, type SessionReports } from './session.ts'
import type { CallStore } from './store.ts'
import type { CallRow } from './view.ts'

/** Another worker or a person has ended the call. */
class NotHeldError extends Error {
  override readonly name = 'NotHeldError'
}

export interface RunOptions {
  /** Folder of this process for unfinished recordings, which are not encrypted. */
  recordingDirectory: string
  carrierMetrics: CarrierMetrics
  log: Logger
}

/** Runs the session of a call, and counts its end. Never rejects. */
export async function runCall(
  { recordingDirectory, carrierMetrics, log }: RunOptions,
  session: {
    call: CallRow
    prepared: PreparedSpeech
    connect: (request: AnswerRequest) => CarrierCall
    reports: SessionReports
    paidTime?: PaidTime | undefined
    signal: AbortSignal
  },
): Promise<SessionEnd> {
  const { call, prepared, ...rest } = session
  const { call_id, account_id, carrier } = call
  const end = await runSession({
    callId: call_id,
    greeting: prepared.greeting,
    ...prepared.speaker,
    tenant: account_id,
    recordingPath: path.join(recordingDirectory, `${call_id}.wav`),
    ...rest,
  }).catch((error: unknown) => endOfFailed(call, error, log))
  countEnd(carrierMetrics, { carrier, end: end.end })
  return end
}

export function endOfFailed({ call_id }: CallRow, error: unknown, log: Logger): SessionEnd {
  log.error({ error, call_id }, 'A call could not be carried')
  return AGENT_ERROR
}

/** Writes the steps of a call that this worker holds. */
export function createReports(options: {
  call: CallRow
  workerId: string
  store: Pick<CallStore, 'move' | 'ring'>
  events: Events<CallEvent>
  persist: Persist
  onAnswered: () => void
}): SessionReports & { current: () => CallRow } {
  const { workerId, store, events, persist } = options
  const { call_id } = options.call
  let current = options.call
  return {
    current: () => current,
    async ringing() {
      if (!(await persist(() => store.ring({ callId: call_id, workerId })))) throw new NotHeldError()
    },
    async answered(farewell) {
      const end = farewell === undefined ? {} : { farewell }
      const moved = await persist(() => store.move({ call: current, workerId, event: 'answered', end }))
      if (moved === undefined) throw new NotHeldError()
      options.onAnswered()
      current = moved
      events.record('call_answered', { call_id })
    },
  }
}
