import { CarrierError } from '../carrier-error.ts'
import { EVENT_LIMIT } from '../carrier.ts'
import type { CallEnded, CarrierCall, CarrierEvent } from '../carrier.ts'
import { createEventStream } from '../event-stream.ts'
import {
  clearFrames,
  framesPlayed,
  playedFrames,
  roomFor,
  wakeWriter,
  writeFrame,
  writtenFrames,
} from './frame-ring.ts'
import type { FrameRing } from './frame-ring.ts'

/** The speaker's side of one call, and the input for its events. */
export interface LineCall {
  readonly call: CarrierCall
  receive(event: CarrierEvent): void
}

/** Creates the call object for its user. `requestHangUp` must notify the playing thread. */
export function createLineCall(options: {
  readonly callId: string
  readonly ring: FrameRing
  readonly requestHangUp: () => void
}): LineCall {
  const { callId, ring, requestHangUp } = options
  const events = createEventStream<CarrierEvent>({
    limit: EVENT_LIMIT,
    mayDrop: (event) => event.type === 'audio' || event.type === 'dtmf',
  })
  const end = Promise.withResolvers<CallEnded>()
  let hasEnded = false
  // Each send waits for the one before, so that frames stay in order even if sends are not awaited.
  let lastSend = Promise.resolve()
  let clears = 0

  const isOver = () => hasEnded
  const queue = async (frames: Int16Array, isUnwanted: () => boolean) => {
    let start = 0
    while (start < frames.length && !isUnwanted()) {
      if (writeFrame(ring, frames.subarray(start, start + ring.frameSamples))) start += ring.frameSamples
      else await roomFor(ring, (frames.length - start) / ring.frameSamples)
    }
  }

  const call: CarrierCall = {
    callId,
    events,
    ended: end.promise,
    async send(frames) {
      if (frames.length % ring.frameSamples !== 0) {
        throw new CarrierError(
          'invalid_frame',
          `send accepts only whole frames of ${ring.frameSamples} samples`,
        )
      }
      const clearsBefore = clears
      lastSend = lastSend.then(() => queue(frames, () => hasEnded || clears !== clearsBefore))
      await lastSend
    },
    clear() {
      clears += 1
      clearFrames(ring)
      wakeWriter(ring)
    },
    async drained() {
      await lastSend
      const sent = writtenFrames(ring)
      while (!isOver() && playedFrames(ring) < sent) await framesPlayed(ring, sent)
    },
    hangUp() {
      if (!hasEnded) requestHangUp()
    },
  }
  return {
    call,
    receive(event) {
      events.push(event)
      if (event.type !== 'ended') return
      hasEnded = true
      events.end()
      end.resolve(event)
      wakeWriter(ring)
    },
  }
}
