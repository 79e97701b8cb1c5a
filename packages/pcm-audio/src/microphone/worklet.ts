export interface MicrophoneWorkletOptions {
  /** Frames that are sent at a time. */
  blockFrames: number
  channels: number
}

export const MICROPHONE_PROCESSOR_NAME = 'vaani-pcm-microphone'

/** The worklet-only part of a worklet's global scope, which the DOM's types lack. */
interface WorkletScope {
  AudioWorkletProcessor: new () => { readonly port: MessagePort }
  registerProcessor(name: string, processor: unknown): void
}

/**
 * Registers the processor, in a worklet. It must not refer to anything outside, because its text may become the whole
 * source of a worklet.
 */
export function registerMicrophone(name: string): void {
  const scope = globalThis as unknown as WorkletScope

  /** Sends what it hears in blocks of interleaved samples. */
  class MicrophoneProcessor extends scope.AudioWorkletProcessor {
    // Declared here and set below, because bundlers turn class fields into calls of helpers outside this text.
    declare channels: number
    declare blockSamples: number
    declare block: Float32Array<ArrayBuffer>
    declare filled: number

    constructor(options: { processorOptions: MicrophoneWorkletOptions }) {
      super()
      this.channels = options.processorOptions.channels
      this.blockSamples = options.processorOptions.blockFrames * this.channels
      this.block = new Float32Array(this.blockSamples)
      this.filled = 0
    }

    process([input = []]: Float32Array[][]): boolean {
      const frames = input[0]?.length ?? 0
      for (let frame = 0; frame < frames; frame++) {
        for (let channel = 0; channel < this.channels; channel++)
          this.block[this.filled++] = input[channel]?.[frame] ?? 0
        if (this.filled === this.blockSamples) {
          this.port.postMessage(this.block, [this.block.buffer])
          this.block = new Float32Array(this.blockSamples)
          this.filled = 0
        }
      }
      return true
    }
  }
  scope.registerProcessor(name, MicrophoneProcessor)
}
