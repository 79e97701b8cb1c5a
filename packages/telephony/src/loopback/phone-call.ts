import { FRAME_DURATION_MS } from '../carrier.ts'
import type { CarrierEvent } from '../carrier.ts'
import { heardFrames, playedFrames, playFrame, skipClearedFrames, type FrameRing } from './frame-ring.ts'
import type { PhoneCallRequest } from './messages.ts'
import { createPlayedStretches } from './played-stretches.ts'
import type { CallEnding, PhoneBehaviour } from './test-numbers.ts'
import type { WavRecorder } from './wav-recorder.ts'

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
  readonly request: PhoneCallRequest
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
  readonly #request: PhoneCallRequest
  readonly #behaviour: PhoneBehaviour
  readonly #ringMs: number
  readonly #emit: (event: CarrierEvent) => void
  readonly #ring: FrameRing
  #state: 'ringing' | 'answered' | 'ended' = 'ringing'
  #rangMs = 0
  #pressed = 0
  #recorder: WavRecorder | undefined
  readonly #played = createPlayedStretches()

  constructor(options: SimulatedCallOptions) {
    this.#options = options
    const { request, behaviour, ringMs, emit } = options
    this.#request = request
    this.#behaviour = behaviour
    this.#ringMs = ringMs
    this.#emit = emit
    const { ring } = request
    this.#ring = ring
  }

  tick(): boolean {
    if (this.#state === 'ringing') this.#ringOnce()
    else if (this.#state === 'answered') {
      playFrame(this.#ring, (frame) => this.#hear(frame))
      this.#actAt(heardFrames(this.#ring) * FRAME_DURATION_MS)
      return true
    }
    return false
  }

  afterTick(): void {
    this.#recorder?.flush()
  }

  async written(): Promise<void> {
    await this.#recorder?.written()
  }

  hangUp(): void {
    if (this.#state === 'ended') return
    void this.#end({ outcome: this.#state === 'ringing' ? 'canceled' : 'completed', endedBy: 'agent' })
  }

  async #end(ending: CallEnding): Promise<void> {
    const played = this.#state === 'answered' ? { played: this.#played.list() } : {}
    this.#state = 'ended'
    const durationMs = heardFrames(this.#ring) * FRAME_DURATION_MS
    const ended = { type: 'ended', ...ending, durationMs, ...played } as const
    if (!this.#recorder || this.#request.recordingPath === undefined) return this.#emit(ended)
    const { failure } = await this.#recorder.finish()
    if (failure === undefined)
      this.#emit({ ...ended, recording: { path: this.#request.recordingPath, durationMs } })
    else this.#emit({ ...ended, recordingFailure: failure })
  }

  #answer(): void {
    this.#state = 'answered'
    if (this.#request.recordingPath !== undefined)
      this.#recorder = this.#options.startRecorder(this.#request.recordingPath)
    this.#emit({ type: 'answered', atMs: this.#options.epochMs() })
  }

  #ringOnce(): void {
    const { refuses, neverAnswers } = this.#behaviour
    if (refuses && !refuses.rings) return void this.#end(refuses.ending)
    if (this.#rangMs === 0) this.#emit({ type: 'ringing' })
    skipClearedFrames(this.#ring)
    this.#rangMs += FRAME_DURATION_MS
    if (!neverAnswers && this.#rangMs >= this.#ringMs)
      return refuses ? void this.#end(refuses.ending) : this.#answer()
    // A trunk responds 487 to the INVITE of a caller that gave up and sent CANCEL.
    if (this.#rangMs >= this.#request.ringTimeoutMs)
      void this.#end({ outcome: 'no_answer', endedBy: 'agent', sipStatus: 487 })
  }

  #hear(frame: Int16Array | null): void {
    this.#recorder?.hear(frame)
    if (frame) this.#played.add(playedFrames(this.#ring), heardFrames(this.#ring))
    if (!this.#request.receiveAudio) return
    const samples = new Int16Array(this.#ring.frameSamples)
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
