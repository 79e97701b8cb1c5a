import { CarrierError } from '../carrier-error.ts'
import type { AnswerRequest, CarrierCall, IncomingCall, IncomingRefusal } from '../carrier.ts'

/** What a worker says of a call that comes in, and rings. */
export interface IncomingRing {
  readonly incomingId: number
  readonly to?: string
  readonly from?: string
}

/** Main thread's side of the calls that come in. */
export interface IncomingCalls {
  /** Sets who takes them. */
  listen(receive: (call: IncomingCall) => void): void
  isListening(): boolean
  /** Hands a call that rings to the listener. */
  ring(announced: IncomingRing): void
  /** The caller has given up. */
  forget(incomingId: number): void
  /** No call rings any more: the worker has crashed, or the carrier closes. */
  forgetAll(): void
}

/** Creates it, for a worker that is told by `answer` and `refuse`. */
export function createIncomingCalls(line: {
  readonly answer: (request: AnswerRequest, incomingId: number) => CarrierCall
  readonly refuse: (incomingId: number, reason: IncomingRefusal) => void
}): IncomingCalls {
  const ringing = new Map<number, AbortController>()
  let listener: ((call: IncomingCall) => void) | undefined

  const forget = (incomingId: number): void => {
    ringing.get(incomingId)?.abort()
    ringing.delete(incomingId)
  }
  return {
    listen(receive) {
      listener = receive
    },
    isListening: () => listener !== undefined,
    ring({ incomingId, to, from }) {
      if (!listener) return line.refuse(incomingId, 'unavailable')
      const gone = new AbortController()
      ringing.set(incomingId, gone)
      listener({
        ...(to !== undefined && { to }),
        ...(from !== undefined && { from }),
        gone: gone.signal,
        answer(request) {
          // A caller who has given up meanwhile ends the call as canceled.
          if (!ringing.delete(incomingId) && !gone.signal.aborted)
            throw new CarrierError('not_ringing', 'The call was answered or refused before')
          return line.answer(request, incomingId)
        },
        refuse(reason) {
          if (ringing.delete(incomingId)) line.refuse(incomingId, reason)
        },
      })
    },
    forget,
    forgetAll() {
      for (const incomingId of ringing.keys()) forget(incomingId)
    },
  }
}
