import { type CallFailureReason, type Id, LIMITS, STREAM_VOICES } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Pool } from 'pg'
import type { DoNotCallPort } from '../do-not-call/port.ts'
import type { SpeechPort } from '../speech/port.ts'
import type { Carriers } from './carriers/carriers.ts'
import type { LineTurns } from './line-turns.ts'
import { failureOf, type NumberBar } from './number-bar.ts'
import type { DialWithinCaps } from './paid-time.ts'
import { runSession } from './session.ts'

export interface Announcement {
  /** Id of what the call is about; unique among the calls in progress. */
  id: string
  accountId: Id<'account'>
  livemode: boolean
  to: string
  /** Name of the carrier. */
  carrier: string
  language: string
  text: string
  /** 1 is the usual speed of speech. */
  speed: number
  /** Aborting hangs up. */
  signal: AbortSignal
}

/**
 * Dials a number, says a text and hangs up. The call is no agent's: it is not recorded, has no transcript and sends no events. The
 * rules of a line and the account's caps hold as for every call, but it takes none of the line's counted channels; the do-not-call lists are
 * read right before the dial.
 *
 * @returns why the call failed; null if the text was said
 * @throws Error if the database does not respond. Nothing was dialled then
 */
export type Announce = (announcement: Announcement) => Promise<CallFailureReason | null>

export const createAnnounce =
  ({
    carriers,
    chooseSpeaker,
    doNotCall,
    clock,
    numberBar,
    lineTurns,
    dialWithinCaps,
    pool,
  }: {
    carriers: Pick<Carriers, 'find'>
    chooseSpeaker: SpeechPort['chooseSpeaker']
    doNotCall: DoNotCallPort
    clock: Clock
    numberBar: NumberBar
    lineTurns: Pick<LineTurns, 'waitOn'>
    dialWithinCaps: DialWithinCaps
    pool: Pool
  }): Announce =>
  async ({ id, accountId, livemode, to, language, text, speed, signal, ...wanted }) => {
    const carrier = carriers.find(wanted.carrier)
    if (carrier === undefined) return 'carrier-error'
    const barred = numberBar.find({ accountId, livemode, to, carrier: wanted.carrier }, 'dial', clock.nowMs())
    if (barred !== null) return failureOf(barred)
    const { engine, voice } = await chooseSpeaker({
      principal: { accountId, livemode },
      language,
      voice: STREAM_VOICES[0],
      builtInVoices: STREAM_VOICES,
    })
    if (!(await lineTurns.waitOn(wanted.carrier, signal))) return 'interrupted'
    if (await doNotCall.refuses(pool, { accountId, livemode, to }, 'dial')) return 'do-not-call'
    const { completed, end } = await dialWithinCaps(
      { callId: id, accountId, livemode, to, carrier: wanted.carrier },
      (paidTime) =>
        runSession({
          callId: id,
          connect: (request) => carrier.dial({ ...request, to, ringTimeoutMs: LIMITS.ringSeconds * 1000 }),
          greeting: { text, language },
          // The account's lexicon must not change what is said in the server's name.
          engine,
          voice,
          tenant: accountId,
          speed,
          reports: { ringing: async () => undefined, answered: async () => undefined },
          paidTime,
          signal,
        }),
      (write) => write(),
    )
    return completed ? null : (end.failureReason ?? 'carrier-error')
  }
