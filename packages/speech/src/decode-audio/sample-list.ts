import { AudioError } from './audio-error.ts'

/** Collects samples of a length that is not known before. */
export interface SampleList {
  /** @throws AudioError `too_long` */
  push(samples: Float32Array): void
  join(): Float32Array<ArrayBuffer>
}

export function createSampleList(maxSamples: number): SampleList {
  const parts: Float32Array[] = []
  let length = 0
  return {
    push(samples) {
      length += samples.length
      if (length > maxSamples) throw new AudioError('too_long', 'is too long')
      parts.push(samples)
    },
    join() {
      const joined = new Float32Array(length)
      let at = 0
      for (const part of parts) {
        joined.set(part, at)
        at += part.length
      }
      return joined
    },
  }
}
