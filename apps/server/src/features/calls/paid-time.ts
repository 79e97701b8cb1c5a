import { setTimeout as delay } from 'node:timers/promises'
import type { CallFailureReason } from '@vaani/contracts'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { CappedCall, Charge, LineCaps } from './line-caps.ts'
import type { Persist } from './persist.ts'
import { AGENT_ERROR } from './prepare-call.ts'
import type { PaidTime, SessionEnd } from './session.ts'

const MINUTE_MS = 60_000
/** A further minute is taken this long before it begins: longer than a write is tried, and the time below. */
const AHEAD_MS = 9000
/** Without it, the call is hung up this long before its minute ends, so that the provider does not see another begin. */
const HANG_UP_MS = 2000

export interface PaidTimeOptions {
  lineCaps: LineCaps
  log: Logger
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
  monotonicMs?: () => number
}

const endOf = (failureReason: CallFailureReason): SessionEnd => ({ ...AGENT_ERROR, end: { failureReason } })

/**
 * Dials a call if the caps of its account have room, and lets it go on minute by minute. What a call takes and does not use is given back.
 *
 * @param dial not called if a cap is reached. Must not reject
 * @param persist how often a write is tried. If it fails at the dial, nothing is dialled; in a call, it ends with its minute
 */
export type DialWithinCaps = (
  call: CappedCall & { callId: string },
  dial: (paidTime: PaidTime | undefined) => Promise<SessionEnd>,
  persist: Persist,
) => Promise<SessionEnd>

export function createDialWithinCaps(options: PaidTimeOptions): DialWithinCaps {
  const { lineCaps, log, monotonicMs = () => performance.now() } = options
  const sleep = options.sleep ?? ((ms, signal) => delay(ms, undefined, { signal }))

  /** Takes minute after minute until a cap refuses one. Rejects if the call is over. */
  async function takeMinutes(charge: Charge, over: AbortSignal, persist: Persist): Promise<void> {
    const startedMs = monotonicMs()
    const waitUntil = (ms: number) => sleep(Math.max(0, startedMs + ms - monotonicMs()), over)
    for (let endMs = MINUTE_MS; ; endMs += MINUTE_MS) {
      await waitUntil(endMs - AHEAD_MS)
      if ((await persist(() => lineCaps.extend(charge))) === null) continue
      return void (await waitUntil(endMs - HANG_UP_MS))
    }
  }

  return async function dialWithinCaps({ callId, ...call }, dial, persist) {
    if (!lineCaps.isCounted(call.carrier)) return dial(undefined)
    const failed = (error: unknown, what: string): void => log.error({ error, call_id: callId }, what)
    const charge = await persist(() => lineCaps.take(call)).catch((error: unknown) =>
      failed(error, 'A call is not dialled, because its cost could not be counted'),
    )
    if (charge === undefined) return endOf('interrupted')
    if (typeof charge === 'string') return endOf('call-cap')
    let paid = Promise.resolve(false)
    const end = await dial({
      runOut(over) {
        paid = takeMinutes(charge, over, persist).then(
          () => true,
          (error: unknown) => {
            if (!over.aborted) failed(error, 'A call ends, because its cost could not be counted')
            return !over.aborted
          },
        )
        return paid
      },
    })
    // A minute may just be being taken.
    await paid
    const seconds = end.end.durationSeconds
    const used = {
      minutes: seconds === undefined ? 0 : Math.max(1, Math.ceil(seconds / 60)),
      attempted: end.untaken !== true,
    }
    await persist(() => lineCaps.settle(charge, used)).catch((error: unknown) =>
      failed(error, 'What a call did not use of its caps could not be given back'),
    )
    return end
  }
}
