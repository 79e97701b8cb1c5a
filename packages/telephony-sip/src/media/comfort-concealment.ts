import {
  type ComfortNoise,
  createComfortNoise,
  createLossConcealment,
  type LossConcealment,
  parseComfortNoise,
} from '@vaani/pcm-audio'

/** Fills holes with comfort noise in the far end's pauses, and with similar sound elsewhere. */
export interface ComfortConcealment extends LossConcealment {
  /** Takes the payload of a comfort noise packet (RFC 3389), which starts or continues a pause. */
  pause(payload: Uint8Array): void
}

/** Longest payload that is used: the level and 32 coefficients. Each costs a multiplication for each sample. */
const MAX_PAYLOAD_BYTES = 33

export function createComfortConcealment(options: { readonly sampleRateHz: number }): ComfortConcealment {
  const concealment = createLossConcealment(options)
  let noise: ComfortNoise | undefined
  /** `announced` until the sound before the pause has been played. */
  let state: 'sound' | 'announced' | 'noise' = 'sound'
  return {
    get isSilent() {
      return state === 'noise' || concealment.isSilent
    },
    push(samples, into) {
      if (state === 'noise' && samples.length > 0) state = 'sound'
      return concealment.push(samples, into)
    },
    conceal(into) {
      if (state === 'sound' || noise === undefined) return concealment.conceal(into)
      state = 'noise'
      return noise.read(into)
    },
    pause(payload) {
      if (payload.length === 0) return
      const description = parseComfortNoise(payload.subarray(0, MAX_PAYLOAD_BYTES))
      if (noise === undefined) noise = createComfortNoise(description)
      else noise.set(description)
      if (state === 'sound') state = 'announced'
    },
  }
}
