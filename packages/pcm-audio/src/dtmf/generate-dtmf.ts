import { DTMF_HIGH_HZ, DTMF_LOW_HZ, KEYPAD } from './keypad.ts'

export interface DtmfOptions {
  /** At least 8000. */
  sampleRateHz: number
  /** Duration of each tone; 100 by default. Receivers may miss tones shorter than 40 (ITU-T Q.24, table A-1). */
  toneMs?: number
  /** Silence after each tone; 100 by default. Receivers may miss pauses shorter than 40. */
  pauseMs?: number
  /** Level of the lower tone; -12 by default. A full-scale sine is 0. */
  lowDbfs?: number
  /** Level of the higher tone; -10 by default, because lines attenuate it more. */
  highDbfs?: number
}

/**
 * Generates the tones of keys (ITU-T Q.23), each followed by a pause. Frequencies are as exact as the playback clock.
 *
 * @throws RangeError for an unknown key, and if a rate, a duration or a level is out of range
 * @example
 * const samples = generateDtmf('0123#', { sampleRateHz: 8000 })
 * console.log(samples.length) // 8000
 */
export function generateDtmf(keys: string, options: DtmfOptions): Int16Array<ArrayBuffer> {
  const { sampleRateHz, toneMs = 100, pauseMs = 100, lowDbfs = -12, highDbfs = -10 } = options
  if (!Number.isFinite(sampleRateHz) || sampleRateHz < 8000)
    throw new RangeError('A sample rate for tones must be at least 8000 Hz')
  if (!(toneMs > 0 && pauseMs >= 0 && toneMs + pauseMs < Number.POSITIVE_INFINITY))
    throw new RangeError('A tone must be longer than 0 ms, and a pause not shorter')
  const low = 10 ** (lowDbfs / 20)
  const high = 10 ** (highDbfs / 20)
  if (!(low + high <= 1)) throw new RangeError('Both tones together must stay within full scale')
  const places = [...keys].map((key) => KEYPAD.indexOf(key))
  if (places.includes(-1)) throw new RangeError('Keys must be 0 to 9, *, # or A to D')
  const toSamples = (ms: number) => Math.round((ms * sampleRateHz) / 1000)
  const samples = new Int16Array(toSamples(places.length * (toneMs + pauseMs)))
  for (const [index, place] of places.entries()) {
    const start = toSamples(index * (toneMs + pauseMs))
    const lowStep = (2 * Math.PI * (DTMF_LOW_HZ[place >> 2] ?? 0)) / sampleRateHz
    const highStep = (2 * Math.PI * (DTMF_HIGH_HZ[place & 3] ?? 0)) / sampleRateHz
    const length = toSamples(toneMs)
    for (let n = 0; n < length; n++)
      samples[start + n] = Math.round(32_767 * (low * Math.sin(lowStep * n) + high * Math.sin(highStep * n)))
  }
  return samples
}
