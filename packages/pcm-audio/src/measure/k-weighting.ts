interface Biquad {
  b0: number
  b1: number
  b2: number
  a1: number
  a2: number
}

/**
 * Computes the two filters of K-weighting for any rate. BS.1770-5, Annex 1, tables 1 and 2 give them for 48 kHz only; the
 * analogue prototypes used here yield those numbers by the bilinear transform (De Man, "Evaluation of implementations of
 * the EBU R128 loudness measurement", AES 2018).
 */
function weightingFilters(sampleRateHz: number): { shelf: Biquad; highPass: Biquad } {
  const shelfK = Math.tan((Math.PI * 1681.974450955533) / sampleRateHz)
  const shelfQ = 0.7071752369554196
  const high = 10 ** (3.999843853973347 / 20)
  const band = high ** 0.4996667741545416
  const shelfScale = 1 + shelfK / shelfQ + shelfK ** 2
  const passK = Math.tan((Math.PI * 38.13547087602444) / sampleRateHz)
  const passQ = 0.5003270373238773
  const passScale = 1 + passK / passQ + passK ** 2
  return {
    shelf: {
      b0: (high + (band * shelfK) / shelfQ + shelfK ** 2) / shelfScale,
      b1: (2 * (shelfK ** 2 - high)) / shelfScale,
      b2: (high - (band * shelfK) / shelfQ + shelfK ** 2) / shelfScale,
      a1: (2 * (shelfK ** 2 - 1)) / shelfScale,
      a2: (1 - shelfK / shelfQ + shelfK ** 2) / shelfScale,
    },
    highPass: {
      b0: 1,
      b1: -2,
      b2: 1,
      a1: (2 * (passK ** 2 - 1)) / passScale,
      a2: (1 - passK / passQ + passK ** 2) / passScale,
    },
  }
}

/** K-weights one channel and adds up its power. */
export interface Weighting {
  /** Takes `count` samples from `start`, `stride` apart. */
  take(samples: Int16Array | Float32Array, start: number, stride: number, count: number): void
  /** Returns the power since the last call. */
  takePower(): number
}

/** Creates the filters of one channel. */
export function createWeighting(sampleRateHz: number): Weighting {
  const { shelf, highPass } = weightingFilters(sampleRateHz)
  // State of the filters, in transposed direct form II.
  let shelf1 = 0
  let shelf2 = 0
  let pass1 = 0
  let pass2 = 0
  let power = 0
  // Otherwise the decaying filters would reach subnormal numbers, which are many times slower.
  const settled = (value: number) => (Math.abs(value) < 1e-30 ? 0 : value)
  return {
    take(samples, start, stride, count) {
      const scale = samples instanceof Int16Array ? 1 / 32_768 : 1
      for (let index = start, left = count; left > 0; left--, index += stride) {
        const x = (samples[index] ?? 0) * scale
        const y = shelf.b0 * x + shelf1
        shelf1 = shelf.b1 * x - shelf.a1 * y + shelf2
        shelf2 = shelf.b2 * x - shelf.a2 * y
        const z = y + pass1
        pass1 = highPass.b1 * y - highPass.a1 * z + pass2
        pass2 = y - highPass.a2 * z
        power += z * z
      }
    },
    takePower() {
      const taken = power
      power = 0
      shelf1 = settled(shelf1)
      shelf2 = settled(shelf2)
      pass1 = settled(pass1)
      pass2 = settled(pass2)
      return taken
    },
  }
}
