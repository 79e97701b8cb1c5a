/** Messages from the player to its worklet. */
export type ToWorklet =
  /** Whole frames, interleaved. */
  | { type: 'samples'; samples: Float32Array<ArrayBuffer> }
  /** Ends the audio: the rest is played even if it is shorter than the prebuffer. */
  | { type: 'end' }
  /** Drops all unplayed audio. */
  | { type: 'flush' }

/** Report of the worklet to its player, about twenty times a second and at each change. */
export interface WorkletReport {
  /** Frames of all channels received and played since the start, and frames waiting now. */
  takenFrames: number
  playedFrames: number
  bufferedFrames: number
  /** Number of flushes carried out. */
  flushes: number
  /** Number of times the audio ran out before its end. */
  underruns: number
  /** Whether nothing is waiting and the output is silent. */
  isDrained: boolean
}

export interface WorkletOptions {
  prebufferFrames: number
  fadeFrames: number
  channels: number
}

export const PLAYER_PROCESSOR_NAME = 'vaani-pcm-player'

/** The worklet-only part of a worklet's global scope, which the DOM's types lack. */
interface WorkletScope {
  AudioWorkletProcessor: new () => { readonly port: MessagePort }
  registerProcessor(name: string, processor: unknown): void
}

/**
 * Registers the processor, in a worklet. It must not refer to anything outside, because its text may become the whole
 * source of a worklet.
 */
export function registerPlayer(name: string): void {
  const scope = globalThis as unknown as WorkletScope
  const REPORT_EVERY = 16

  class PlayerProcessor extends scope.AudioWorkletProcessor {
    // Declared here and set below, because bundlers turn class fields into calls of helpers outside this text.
    declare queue: Float32Array[]
    /** Number of samples played from the first array in the queue. */
    declare offset: number
    declare taken: number
    declare buffered: number
    declare played: number
    declare underruns: number
    declare flushes: number
    declare isEnded: boolean
    declare isPlaying: boolean
    declare channels: number
    /** From 0 to 1. Changes by one step per frame when playback starts or stops, so that nothing clicks. */
    declare gain: number
    /** The last sample of each channel. */
    declare last: Float32Array
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
      this.channels = options.processorOptions.channels
      this.last = new Float32Array(this.channels)
      this.wasDrained = true
      this.untilReport = 0
      this.prebuffer = options.processorOptions.prebufferFrames
      this.fadeStep = 1 / options.processorOptions.fadeFrames
      this.port.addEventListener('message', ({ data }: MessageEvent<ToWorklet>) => this.take(data))
      this.port.start()
    }

    take(message: ToWorklet): void {
      switch (message.type) {
        case 'samples':
          this.queue.push(message.samples)
          this.taken += message.samples.length / this.channels
          this.buffered += message.samples.length / this.channels
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

    /** Takes the next frame. */
    next(): void {
      const [first] = this.queue
      for (let channel = 0; channel < this.channels; channel++)
        this.last[channel] = first?.[this.offset++] ?? 0
      this.buffered--
      this.played++
      if (first !== undefined && this.offset >= first.length) {
        this.queue.shift()
        this.offset = 0
      }
    }

    process(_: unknown, outputs: Float32Array[][]): boolean {
      const output = outputs[0] ?? []
      const frames = output[0]?.length ?? 0
      if (!this.isPlaying && this.buffered > 0 && (this.isEnded || this.buffered >= this.prebuffer))
        this.isPlaying = true
      for (let index = 0; index < frames; index++) {
        if (this.isPlaying && this.buffered === 0) {
          this.isPlaying = false
          if (!this.isEnded) this.underruns++
        }
        if (this.isPlaying) {
          this.gain = Math.min(1, this.gain + this.fadeStep)
          this.next()
        } else this.gain = Math.max(0, this.gain - this.fadeStep)
        // If there is nothing to play, the last sample fades out.
        for (let channel = 0; channel < output.length; channel++) {
          const samples = output[channel]
          if (samples !== undefined) samples[index] = (this.last[channel] ?? 0) * this.gain
        }
      }
      const isDrained = this.buffered === 0 && this.gain === 0
      if (isDrained !== this.wasDrained || this.untilReport-- <= 0) this.report(isDrained)
      return true
    }

    report(isDrained: boolean): void {
      this.wasDrained = isDrained
      this.untilReport = REPORT_EVERY
      const report: WorkletReport = {
        takenFrames: this.taken,
        playedFrames: this.played,
        bufferedFrames: this.buffered,
        flushes: this.flushes,
        underruns: this.underruns,
        isDrained,
      }
      this.port.postMessage(report)
    }
  }
  scope.registerProcessor(name, PlayerProcessor)
}
