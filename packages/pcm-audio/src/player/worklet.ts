/** What the player tells its worklet. */
export type ToWorklet =
  | { type: 'samples'; samples: Float32Array<ArrayBuffer> }
  /** Nothing more comes: what is there is played, however little it is. */
  | { type: 'end' }
  /** Drops what has not been played. */
  | { type: 'flush' }

/** What the worklet tells its player, some twenty times a second and at each change. */
export interface WorkletReport {
  /** Received, played and waiting, of all samples since the beginning. */
  takenSamples: number
  playedSamples: number
  bufferedSamples: number
  /** How many flushes it has carried out. */
  flushes: number
  /** How often the audio ran out before its end. */
  underruns: number
  /** Nothing waits and nothing sounds. */
  isDrained: boolean
}

export interface WorkletOptions {
  prebufferSamples: number
  fadeSamples: number
}

export const PROCESSOR_NAME = 'vaani-pcm-player'

/** What a worklet's global scope has beside that of a page; the DOM's declarations lack it. */
interface WorkletScope {
  AudioWorkletProcessor: new () => { readonly port: MessagePort }
  registerProcessor(name: string, processor: unknown): void
}

/**
 * Registers the processor, in a worklet. It refers to nothing outside, as its text may become a worklet's whole source.
 */
export function registerPlayer(name: string): void {
  const scope = globalThis as unknown as WorkletScope
  const REPORT_EVERY = 16

  class PlayerProcessor extends scope.AudioWorkletProcessor {
    // Only declared, and set below: fields of a class become calls of a bundler's helpers, which are not in its text.
    declare queue: Float32Array[]
    /** Of the first in the queue, the samples that were played. */
    declare offset: number
    declare taken: number
    declare buffered: number
    declare played: number
    declare underruns: number
    declare flushes: number
    declare isEnded: boolean
    declare isPlaying: boolean
    /** From 0, silence, to 1: moves by a step each sample where playing begins and ends, so that nothing clicks. */
    declare gain: number
    declare last: number
    declare wasDrained: boolean
    declare untilReport: number
    declare prebuffer: number
    declare fadeStep: number

    constructor(options: { processorOptions: WorkletOptions }) {
      super()
      this.queue = []
      this.offset = 0
      this.taken = 0
      this.buffered = 0
      this.played = 0
      this.underruns = 0
      this.flushes = 0
      this.isEnded = true
      this.isPlaying = false
      this.gain = 0
      this.last = 0
      this.wasDrained = true
      this.untilReport = 0
      this.prebuffer = options.processorOptions.prebufferSamples
      this.fadeStep = 1 / options.processorOptions.fadeSamples
      this.port.addEventListener('message', ({ data }: MessageEvent<ToWorklet>) => this.take(data))
      this.port.start()
    }

    take(message: ToWorklet): void {
      switch (message.type) {
        case 'samples':
          this.queue.push(message.samples)
          this.taken += message.samples.length
          this.buffered += message.samples.length
          this.isEnded = false
          return
        case 'end':
          this.isEnded = true
          return
        case 'flush':
          this.queue = []
          this.offset = 0
          this.buffered = 0
          this.isEnded = true
          this.isPlaying = false
          this.flushes++
          this.untilReport = 0
      }
    }

    next(): number {
      const [first] = this.queue
      const sample = first?.[this.offset++] ?? 0
      this.buffered--
      this.played++
      if (first !== undefined && this.offset >= first.length) {
        this.queue.shift()
        this.offset = 0
      }
      return sample
    }

    process(_: unknown, outputs: Float32Array[][]): boolean {
      const output = outputs[0]?.[0]
      if (output === undefined) return true
      if (!this.isPlaying && this.buffered > 0 && (this.isEnded || this.buffered >= this.prebuffer))
        this.isPlaying = true
      for (let index = 0; index < output.length; index++) {
        if (this.isPlaying && this.buffered === 0) {
          this.isPlaying = false
          if (!this.isEnded) this.underruns++
        }
        if (this.isPlaying) {
          this.gain = Math.min(1, this.gain + this.fadeStep)
          this.last = this.next()
        } else this.gain = Math.max(0, this.gain - this.fadeStep)
        // Where there is nothing to play, the last sample fades.
        output[index] = this.last * this.gain
      }
      const isDrained = this.buffered === 0 && this.gain === 0
      if (isDrained !== this.wasDrained || this.untilReport-- <= 0) this.report(isDrained)
      return true
    }

    report(isDrained: boolean): void {
      this.wasDrained = isDrained
      this.untilReport = REPORT_EVERY
      const report: WorkletReport = {
        takenSamples: this.taken,
        playedSamples: this.played,
        bufferedSamples: this.buffered,
        flushes: this.flushes,
        underruns: this.underruns,
        isDrained,
      }
      this.port.postMessage(report)
    }
  }
  scope.registerProcessor(name, PlayerProcessor)
}
