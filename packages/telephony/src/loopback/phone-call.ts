import { FRAME_DURATION_MS } from '../carrier.ts'
import type { CarrierEvent } from '../carrier.ts'
import { createCallAudio } from '../line/call-audio.ts'
import type { CallAudio } from '../line/call-audio.ts'
import type { WorkerCallRequest } from '../line/messages.ts'
import type { WavRecorder } from '../line/wav-recorder.ts'
import type { CallEnding, PhoneBehaviour } from './test-numbers.ts'

/** One call at the simulated phone. It has no clock: each `tick` is one frame of phone time. */
export interface PhoneCall {
  /** Advances the call by one frame. Returns whether the phone heard a frame, of speech or of silence. */
  tick(): boolean
  /** Does the work that can wait until every call has had its frame. */
  afterTick(): void
  /** Resolves when the disk has caught up. */
  written(): Promise<void>
  hangUp(): void
}

interface SimulatedCallOptions {
  readonly request: WorkerCallRequest
  readonly behaviour: PhoneBehaviour
  readonly ringMs: number
  readonly epochMs: () => number
  readonly startRecorder: (path: string) => WavRecorder
  readonly emit: (event: CarrierEvent) => void
}

/** Creates a call that begins to ring at its first tick. `emit` gets `ended` last, once the recording is complete. */
export const createPhoneCall = (options: SimulatedCallOptions): PhoneCall => new SimulatedCall(options)

class SimulatedCall implements PhoneCall {
  readonly #options: SimulatedCallOptions
  readonly #request: WorkerCallRequest
  readonly #behaviour: PhoneBehaviour
  readonly #ringMs: number
  readonly #emit: (event: CarrierEvent) => void
  readonly #audio: CallAudio
  #state: 'ringing' | 'answered' | 'ended' = 'ringing'
  #rangMs = 0
  #pressed = 0

  constructor(options: SimulatedCallOptions) {
    this.#options = options
    const { request, behaviour, ringMs, emit } = options
    this.#request = request
    this.#behaviour = behaviour
    this.#ringMs = ringMs
    this.#emit = emit
    this.#audio = createCallAudio({ request, startRecorder: options.startRecorder })
  }

  tick(): boolean {
    if (this.#state === 'ringing') this.#ringOnce()
    else if (this.#state === 'answered') {
      this.#audio.play((frame) => this.#hear(frame))
      this.#actAt(this.#audio.heardMs())
      return true
    }
    return false
  }

  afterTick(): void {
    this.#audio.flush()
  }

  async written(): Promise<void> {
    await this.#audio.written()
  }

  hangUp(): void {
    if (this.#state === 'ended') return
    void this.#end({ outcome: this.#state === 'ringing' ? 'canceled' : 'completed', endedBy: 'agent' })
  }

  async #end(ending: CallEnding): Promise<void> {
    this.#state = 'ended'
    this.#emit(await this.#audio.end(ending))
  }

  #answer(): void {
    this.#state = 'answered'
    this.#audio.answer()
    this.#emit({ type: 'answered', atMs: this.#options.epochMs() })
  }

  #ringOnce(): void {
    const { refuses, neverAnswers } = this.#behaviour
    if (refuses && !refuses.rings) return void this.#end(refuses.ending)
    if (this.#rangMs === 0) this.#emit({ type: 'ringing' })
    this.#audio.wait()
    this.#rangMs += FRAME_DURATION_MS
    if (!neverAnswers && this.#rangMs >= this.#ringMs)
      return refuses ? void this.#end(refuses.ending) : this.#answer()
    // A trunk responds 487 to the INVITE of a caller that gave up and sent CANCEL.
    if (this.#rangMs >= this.#request.ringTimeoutMs)
      void this.#end({ outcome: 'no_answer', endedBy: 'agent', sipStatus: 487 })
  }

  #hear(frame: Int16Array | null): void {
    if (!this.#request.receiveAudio) return
    const samples = new Int16Array(this.#request.ring.frameSamples)
    if (frame && this.#behaviour.echoes) samples.set(frame)
    this.#emit({ type: 'audio', samples })
  }

  #actAt(answeredMs: number): void {
    const { presses, ends } = this.#behaviour
    const digit = presses?.digits[this.#pressed]
    if (presses && digit !== undefined && answeredMs >= presses.afterMs + this.#pressed * presses.everyMs) {
      this.#pressed += 1
      this.#emit({ type: 'dtmf', digit })
    }
    if (ends && answeredMs >= ends.afterMs) void this.#end(ends.ending)
    else if (answeredMs >= this.#request.maxDurationMs) {
      void this.#end({ outcome: 'duration_limit', endedBy: 'duration_limit' })
    }
  }
}
