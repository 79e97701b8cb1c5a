import type { CarrierEvent } from '../carrier.ts'
import type { WorkerCallRequest } from '../line/messages.ts'
import { createWavRecorder } from '../line/wav-recorder.ts'
import { addGap } from '../pacing-histogram.ts'
import { createPhoneCall } from './phone-call.ts'
import type { PhoneCall } from './phone-call.ts'
import { behaviourOf } from './test-numbers.ts'

/** Source of time. */
export interface PhoneClock {
  /** Never goes back; only differences are meaningful. */
  monotonicMs(): number
  /** Unix time in milliseconds. */
  epochMs(): number
}

/** All calls of one media worker. */
export interface PhoneExchange {
  dial(request: WorkerCallRequest): void
  hangUp(id: number): void
  /** Advances every call by one frame: all of them hear theirs before any does work that can wait. */
  tick(): void
  /** Resolves when every recording has caught up. Only time that runs faster than real time must wait for the disk. */
  written(): Promise<void>
}

/** Creates an exchange without calls. `onIdle` is called when its last call has ended. */
export function createPhoneExchange(options: {
  readonly sampleRateHz: number
  readonly ringMs: number
  readonly clock: PhoneClock
  readonly pacingCells: Int32Array<SharedArrayBuffer>
  readonly emit: (id: number, event: CarrierEvent) => void
  readonly onIdle: () => void
}): PhoneExchange {
  const { sampleRateHz, ringMs, clock, pacingCells, emit, onIdle } = options
  const calls = new Map<number, { readonly phone: PhoneCall; heardAtMs?: number }>()

  return {
    dial(request) {
      const phone = createPhoneCall({
        request,
        behaviour: behaviourOf(request.to),
        ringMs,
        epochMs: clock.epochMs,
        startRecorder: (path) =>
          createWavRecorder({ path, sampleRateHz, frameSamples: request.ring.frameSamples }),
        emit(event) {
          emit(request.id, event)
          if (event.type === 'ended' && calls.delete(request.id) && calls.size === 0) onIdle()
        },
      })
      calls.set(request.id, { phone })
    },
    hangUp: (id) => calls.get(id)?.phone.hangUp(),
    tick() {
      for (const call of calls.values()) {
        if (!call.phone.tick()) continue
        const nowMs = clock.monotonicMs()
        if (call.heardAtMs !== undefined) addGap(pacingCells, nowMs - call.heardAtMs)
        call.heardAtMs = nowMs
      }
      for (const { phone } of calls.values()) phone.afterTick()
    },
    async written() {
      await Promise.all([...calls.values()].map(({ phone }) => phone.written()))
    },
  }
}
