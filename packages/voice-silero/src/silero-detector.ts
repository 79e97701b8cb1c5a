import type { VoiceEvent } from '@vaani/pcm-audio'
import { type InferenceSession, Tensor } from 'onnxruntime-web/wasm'
import type { SileroDetector, SileroOptions } from './types.ts'

const WINDOW_MS = 32
/** The model takes the end of the last window before each window, by the `OnnxWrapper` of snakers4/silero-vad. */
const CONTEXT_MS = 4
/** A voice in progress is absent below the threshold less this, by the `VADIterator` of snakers4/silero-vad. */
const HYSTERESIS = 0.15
/** Two layers of 128 cells. */
const STATE_SHAPE = [2, 1, 128] as const
const STATE_LENGTH = 256

/** Creates a detector that runs in the session of a model. */
export const createSileroDetector = (session: InferenceSession, options: SileroOptions): SileroDetector =>
  new WindowedDetector(session, options)

class WindowedDetector implements SileroDetector {
  readonly #session: InferenceSession
  readonly #samplesPerMs: number
  readonly #attackWindows: number
  readonly #hangoverMs: number
  readonly #threshold: number
  readonly #rate: Tensor
  readonly #input: Float32Array
  #state = new Float32Array(STATE_LENGTH)
  #filled = 0
  #windows = 0
  #heardWindows = 0
  #missedWindows = 0
  #isSpeaking = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(session: InferenceSession, options: SileroOptions) {
    const { sampleRateHz, attackMs = WINDOW_MS, hangoverMs = 200, threshold = 0.5 } = options
    if (sampleRateHz !== 8000 && sampleRateHz !== 16_000)
      throw new RangeError('The sample rate for Silero must be 8000 or 16000')
    if (!(attackMs >= 0 && hangoverMs >= 0 && attackMs < 10_000 && hangoverMs < 60_000))
      throw new RangeError('An attack must be from 0 to 10 s, a hangover from 0 to 60 s')
    if (!(threshold > 0 && threshold < 1)) throw new RangeError('A threshold must be above 0 and below 1')
    this.#session = session
    this.#samplesPerMs = sampleRateHz / 1000
    this.#attackWindows = Math.max(1, Math.round(attackMs / WINDOW_MS))
    this.#hangoverMs = hangoverMs
    this.#threshold = threshold
    this.#rate = new Tensor('int64', BigInt64Array.of(BigInt(sampleRateHz)), [])
    this.#input = new Float32Array((CONTEXT_MS + WINDOW_MS) * this.#samplesPerMs)
  }

  push(samples: Int16Array): Promise<VoiceEvent[]> {
    const copy = samples.slice()
    return this.#after(() => this.#take(copy))
  }

  flush(): Promise<VoiceEvent[]> {
    return this.#after(() => this.#end())
  }

  get isSpeaking() {
    return this.#isSpeaking
  }

  #after(step: () => VoiceEvent[] | Promise<VoiceEvent[]>): Promise<VoiceEvent[]> {
    const answer = this.#last.then(step)
    // The caller has the error; the next step must not fail by it.
    this.#last = answer.catch(() => undefined)
    return answer
  }

  async #take(samples: Int16Array): Promise<VoiceEvent[]> {
    const events: VoiceEvent[] = []
    const contextLength = CONTEXT_MS * this.#samplesPerMs
    const windowLength = WINDOW_MS * this.#samplesPerMs
    for (const sample of samples) {
      this.#input[contextLength + this.#filled++] = sample / 32_768
      if (this.#filled < windowLength) continue
      const event = this.#decide(await this.#probability())
      if (event !== undefined) events.push(event)
      this.#input.copyWithin(0, windowLength)
      this.#filled = 0
    }
    return events
  }

  async #probability(): Promise<number> {
    const { output, stateN } = await this.#session.run({
      input: new Tensor('float32', this.#input, [1, this.#input.length]),
      state: new Tensor('float32', this.#state, STATE_SHAPE),
      sr: this.#rate,
    })
    if (!(output?.data instanceof Float32Array && stateN?.data instanceof Float32Array))
      throw new TypeError('The model has other outputs than Silero VAD 6.0')
    this.#state.set(stateN.data)
    return output.data[0] ?? 0
  }

  #decide(probability: number): VoiceEvent | undefined {
    this.#windows++
    this.#heardWindows = probability >= this.#threshold ? this.#heardWindows + 1 : 0
    this.#missedWindows = probability < this.#threshold - HYSTERESIS ? this.#missedWindows + 1 : 0
    if (!this.#isSpeaking && this.#heardWindows >= this.#attackWindows) {
      this.#isSpeaking = true
      return { kind: 'start', atMs: (this.#windows - this.#heardWindows) * WINDOW_MS }
    }
    if (this.#isSpeaking && this.#missedWindows * WINDOW_MS > this.#hangoverMs) {
      this.#isSpeaking = false
      return { kind: 'end', atMs: this.#windows * WINDOW_MS }
    }
    return undefined
  }

  #end(): VoiceEvent[] {
    const atMs = this.#windows * WINDOW_MS + Math.floor(this.#filled / this.#samplesPerMs)
    const events: VoiceEvent[] = this.#isSpeaking ? [{ kind: 'end', atMs }] : []
    this.#input.fill(0)
    this.#state.fill(0)
    this.#filled = this.#windows = this.#heardWindows = this.#missedWindows = 0
    this.#isSpeaking = false
    return events
  }
}
