import { createFft, createPowerSpectrum, hannWindow } from '@vaani/pcm-audio'
import { ANALYSIS_RATE_HZ, FRAMES_PER_SECOND, type VoiceTrack } from './track-voice.ts'

const SIZE = 1024
const BINS = SIZE / 2 + 1
/** Decibels of a power whose natural logarithm is 1. */
const DB = 10 / Math.LN10
/** Quefrencies above this many samples (2.2 ms) are the pitch, up to 450 Hz, and not the vocal tract. */
const SMOOTHING = 36
const LOWEST_HZ = 200
const HIGHEST_HZ = 6000
/** Points per octave: a step is 1.5 %. */
const POINTS_PER_OCTAVE = 48
export const ENVELOPE_POINTS = Math.floor(Math.log2(HIGHEST_HZ / LOWEST_HZ) * POINTS_PER_OCTAVE) + 1

/** Frequency of a point of an envelope. */
export const envelopeHz = (point: number): number => LOWEST_HZ * 2 ** (point / POINTS_PER_OCTAVE)
export const octaves = (points: number): number => points / POINTS_PER_OCTAVE

/**
 * Computes the average spectral envelope of the voiced frames, in dB at points that are evenly spaced in octaves, by cepstral
 * smoothing (Oppenheim and Schafer, Discrete-Time Signal Processing, 13.10). Averaged over many vowels, it shows the length of
 * the vocal tract and the tilt of the voice rather than what is said.
 *
 * @param frames which frames of the track to average, by default all voiced ones
 */
export function longTermEnvelope(
  samples: Float32Array,
  track: VoiceTrack,
  isWanted: (frame: number) => boolean = () => true,
): Float64Array {
  const powerOf = createPowerSpectrum(SIZE)
  const window = hannWindow(SIZE)
  const windowed = new Float64Array(SIZE)
  const power = new Float64Array(BINS)
  const sum = new Float64Array(BINS)
  let count = 0
  const step = ANALYSIS_RATE_HZ / FRAMES_PER_SECOND
  for (const [frame, hz] of track.pitchHz.entries()) {
    const start = frame * step - SIZE / 2 + step / 2
    if (hz === 0 || start < 0 || start + SIZE > samples.length || !isWanted(frame)) continue
    for (let index = 0; index < SIZE; index++)
      windowed[index] = (window[index] ?? 0) * (samples[start + index] ?? 0)
    powerOf(windowed, power)
    for (let bin = 0; bin < BINS; bin++) sum[bin] = (sum[bin] ?? 0) + Math.log((power[bin] ?? 0) + 1e-9)
    count++
  }
  const smooth = smoothCepstrally(sum.map((value) => (value / Math.max(1, count)) * DB))
  return Float64Array.from({ length: ENVELOPE_POINTS }, (_, point) => {
    const bin = (envelopeHz(point) * SIZE) / ANALYSIS_RATE_HZ
    const below = Math.floor(bin)
    const [lower = 0, upper = 0] = [smooth[below], smooth[below + 1]]
    return lower + (upper - lower) * (bin - below)
  })
}

/** Smooths a spectrum. Smoothing is linear, so that of the average is the average of the smooth ones. */
function smoothCepstrally(spectrum: Float64Array): Float64Array {
  const fft = createFft(SIZE)
  const real = Float64Array.from({ length: SIZE }, (_, bin) => spectrum[bin < BINS ? bin : SIZE - bin] ?? 0)
  const imaginary = new Float64Array(SIZE)
  // Real and even: its transform is its own inverse, except for the scale.
  fft.forward(real, imaginary)
  real.fill(0, SMOOTHING + 1, SIZE - SMOOTHING)
  imaginary.fill(0)
  fft.forward(real, imaginary)
  return real.subarray(0, BINS).map((value) => value / SIZE)
}
