import type { IncomingRefusal } from '@vaani/telephony'
import type { IncomingLineCall, UserAgent } from '../agent/user-agent.ts'
import type { LineWorkerReport } from './line-options.ts'
import type { FarEnd } from './sip-call.ts'

/** The calls that come in, by the numbers under which the main thread knows them. */
export interface AnnouncedCalls {
  /** Returns the caller, to be answered. One who is gone ends the call as canceled. */
  farEnd(incomingId: number): FarEnd
  refuse(incomingId: number, reason: IncomingRefusal): void
}

/** Tells the main thread of the calls that come in. */
export function announceIncoming(
  agent: Pick<UserAgent, 'onIncoming'>,
  report: (message: LineWorkerReport) => void,
): AnnouncedCalls {
  const ringing = new Map<number, IncomingLineCall>()
  const ids = new WeakMap<IncomingLineCall, number>()
  let lastId = 0
  const take = (incomingId: number): IncomingLineCall | undefined => {
    const call = ringing.get(incomingId)
    ringing.delete(incomingId)
    return call
  }

  agent.onIncoming({
    onCall(call) {
      const incomingId = (lastId += 1)
      ringing.set(incomingId, call)
      ids.set(call, incomingId)
      const { to, from } = call
      report({
        type: 'incoming',
        incomingId,
        ...(to !== undefined && { to }),
        ...(from !== undefined && { from }),
      })
    },
    onGone(call) {
      const incomingId = ids.get(call)
      if (incomingId !== undefined && take(incomingId)) report({ type: 'gone', incomingId })
    },
  })
  return {
    farEnd: (incomingId) => ({
      connect(media, listener) {
        const call = take(incomingId)
        if (call) return call.answer(media, listener)
        listener.onEnded({ outcome: 'canceled', endedBy: 'callee' })
        return { hangUp() {}, setHold: async () => false }
      },
      decline: () => take(incomingId)?.refuse('unavailable'),
    }),
    refuse: (incomingId, reason) => take(incomingId)?.refuse(reason),
  }
}
