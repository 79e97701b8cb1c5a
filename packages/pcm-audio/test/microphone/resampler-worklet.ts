/** Runs in an AudioWorklet. */
import { createResampler } from '../../src/index.ts'

declare const AudioWorkletProcessor: new () => { readonly port: MessagePort }
declare function registerProcessor(name: string, processor: unknown): void

/** What the page waits for. */
export interface WorkletResult {
  readonly kernel: string
  readonly samples: number
  readonly peak: number
  readonly hasAtob: boolean
}

function resample(): WorkletResult {
  const hasAtob = 'atob' in globalThis
  try {
    const resampler = createResampler({ fromHz: 48_000, toHz: 16_000 })
    const tone = Int16Array.from({ length: 48_000 }, (_, index) => 10_000 * Math.sin(index / 20))
    const samples = resampler.push(tone)
    const count = samples.length + resampler.flush().length
    return { kernel: resampler.kernel, samples: count, peak: Math.max(...samples), hasAtob }
  } catch (error) {
    return { kernel: String(error), samples: 0, peak: 0, hasAtob }
  }
}

registerProcessor(
  'resampler-test',
  class extends AudioWorkletProcessor {
    constructor() {
      super()
      this.port.postMessage(resample())
    }
    process(): boolean {
      return false
    }
  },
)
