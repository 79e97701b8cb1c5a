import type { IncomingRefusal } from '@vaani/telephony'
import type { IncomingRing, WorkerCall } from '@vaani/telephony/line'
import type { Provider, RawCallback } from '../provider/provider.ts'
import { mediaUrlOf } from './open-call.ts'

/** The webhook of a call that comes in, which the provider waits for. */
export interface Ringing {
  /** What to tell the provider. */
  readonly instructions: Promise<string>
  /** The provider waits no longer. */
  readonly giveUp: () => void
}

/** The calls that come in, and ring until they are answered or refused. */
export interface RingingCalls {
  /** Takes the webhook of a call. Returns undefined if it is not authentic, or is none. */
  ring(raw: RawCallback): Ringing | undefined
  answer(incomingId: number, call: WorkerCall): void
  refuse(incomingId: number, reason: IncomingRefusal): void
}

/** Below the 15 seconds that Twilio waits for instructions (https://www.twilio.com/docs/api/errors/11200). */
const LONGEST_RING_MS = 12_000
/** Beyond it, callers hear that it is busy. */
const MOST = 1000

/** Creates it, without calls. */
export function createRingingCalls(options: {
  readonly provider: Pick<Provider, 'incoming' | 'isAuthentic'>
  readonly publicUrl: string
  /** Takes a call, and returns the token that its media must show. */
  readonly take: (call: WorkerCall, callSid: string) => string
  /** Ends a call before it began, because nobody waits for it any more. */
  readonly miss: (call: WorkerCall) => void
  readonly onRing: (ring: IncomingRing) => void
  readonly onGone: (incomingId: number) => void
  /** Runs an action later. Returns the function that cancels it. */
  readonly after: (delayMs: number, action: () => void) => () => void
}): RingingCalls {
  const { provider, publicUrl, take, miss, onRing, onGone, after } = options
  const { incoming } = provider
  const ringing = new Map<number, { readonly callSid: string; readonly tell: (text: string) => void }>()
  let lastId = 0

  const find = (incomingId: number) => {
    const call = ringing.get(incomingId)
    ringing.delete(incomingId)
    return call
  }
  const refuse = (incomingId: number, reason: IncomingRefusal) =>
    find(incomingId)?.tell(incoming?.refuse(reason) ?? '')

  return {
    ring(raw) {
      if (!incoming || !provider.isAuthentic({ ...raw, url: `${publicUrl}/incoming` })) return undefined
      const call = incoming.readCall(raw.body)
      if (!call) return undefined
      if (ringing.size >= MOST)
        return { instructions: Promise.resolve(incoming.refuse('busy')), giveUp: () => undefined }
      const { callSid, ...parties } = call
      const incomingId = (lastId += 1)
      const { promise, resolve } = Promise.withResolvers<string>()
      const giveUp = () => {
        if (!ringing.has(incomingId)) return
        refuse(incomingId, 'unavailable')
        onGone(incomingId)
      }
      const cancel = after(LONGEST_RING_MS, giveUp)
      const tell = (text: string) => {
        cancel()
        resolve(text)
      }
      ringing.set(incomingId, { callSid, tell })
      onRing({ incomingId, ...parties })
      return { instructions: promise, giveUp }
    },
    answer(incomingId, call) {
      const found = find(incomingId)
      if (!found || !incoming) return miss(call)
      found.tell(incoming.connect(mediaUrlOf(publicUrl), take(call, found.callSid)))
    },
    refuse,
  }
}
