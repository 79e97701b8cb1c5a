import { createPowerSpectrum, hannWindow } from '@vaani/pcm-audio'

const RATE_HZ = 16_000
const BLOCK = 512

/** Returns the energy of a band of 16 kHz audio relative to that of everything. */
export function bandEnergy(samples: Int16Array, lowHz: number, highHz: number): number {
  const window = hannWindow(BLOCK)
  const powerOf = createPowerSpectrum(BLOCK)
  const power = new Float64Array(BLOCK / 2 + 1)
  let inBand = 0
  let all = 0
  for (let start = 0; start + BLOCK <= samples.length; start += BLOCK) {
    powerOf(
      window.map((weight, index) => weight * (samples[start + index] ?? 0)),
      power,
    )
    for (const [bin, value] of power.entries()) {
      const hz = (bin * RATE_HZ) / BLOCK
      all += value
      if (hz >= lowHz && hz <= highHz) inBand += value
    }
  }
  return inBand / all
}
