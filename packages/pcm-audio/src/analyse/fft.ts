/** A discrete Fourier transform of one power-of-two length, with its tables precomputed. */
export interface Fft {
  readonly size: number
  /**
   * Transforms complex numbers in place, unscaled: `X[k] = Σ x[n] e^(-2πikn/size)`. Allocates nothing.
   *
   * @throws RangeError if an array does not have `size` elements
   */
  forward(real: Float64Array, imaginary: Float64Array): void
}

function requirePowerOfTwo(size: number, least: number): void {
  if (!Number.isInteger(size) || size < least || size > 65_536 || (size & (size - 1)) !== 0)
    throw new RangeError(`The size of a transform must be a power of two from ${least} to 65536`)
}

/**
 * Creates a radix-2 transform with decimation in time (Cooley and Tukey 1965; Oppenheim and Schafer, Discrete-Time Signal
 * Processing, 9.2).
 *
 * @throws RangeError if the size is not a power of two from 1 to 65536
 * @example
 * const real = Float64Array.of(1, 0, 0, 0)
 * const imaginary = new Float64Array(4)
 * createFft(4).forward(real, imaginary)
 * console.log(real) // Float64Array [1, 1, 1, 1]
 */
export function createFft(size: number): Fft {
  requirePowerOfTwo(size, 1)
  const half = size >> 1
  const cosine = Float64Array.from({ length: half }, (_, k) => Math.cos((2 * Math.PI * k) / size))
  const sine = Float64Array.from({ length: half }, (_, k) => -Math.sin((2 * Math.PI * k) / size))
  const reversed = new Uint32Array(size)
  for (let index = 1; index < size; index++)
    reversed[index] = ((reversed[index >> 1] ?? 0) >> 1) | (index & 1 ? half : 0)

  function reorder(values: Float64Array): void {
    for (let index = 0; index < size; index++) {
      const other = reversed[index] ?? 0
      if (other <= index) continue
      const kept = values[index] ?? 0
      values[index] = values[other] ?? 0
      values[other] = kept
    }
  }

  return {
    size,
    forward(real, imaginary) {
      if (real.length !== size || imaginary.length !== size)
        throw new RangeError(`The transform takes arrays of ${size} elements`)
      reorder(real)
      reorder(imaginary)
      for (let span = 1, stride = half; span < size; span <<= 1, stride >>= 1)
        for (let start = 0; start < size; start += span << 1)
          for (let step = 0; step < span; step++) {
            const upper = start + step
            const lower = upper + span
            const c = cosine[step * stride] ?? 0
            const s = sine[step * stride] ?? 0
            const a = real[lower] ?? 0
            const b = imaginary[lower] ?? 0
            const turnedReal = a * c - b * s
            const turnedImaginary = a * s + b * c
            const keptReal = real[upper] ?? 0
            const keptImaginary = imaginary[upper] ?? 0
            real[lower] = keptReal - turnedReal
            imaginary[lower] = keptImaginary - turnedImaginary
            real[upper] = keptReal + turnedReal
            imaginary[upper] = keptImaginary + turnedImaginary
          }
    },
  }
}

/**
 * Returns the periodic Hann window, `0.5 - 0.5 cos(2πn/length)` (Harris 1978). It suits spectra of a stream, because
 * overlapping halves of consecutive windows add up to one.
 *
 * @throws RangeError if the length is not a whole number above 0
 * @example
 * console.log(hannWindow(4)) // Float64Array [0, 0.5, 1, 0.5]
 */
export function hannWindow(length: number): Float64Array<ArrayBuffer> {
  if (!Number.isInteger(length) || length < 1)
    throw new RangeError('A window must have a whole number of samples, at least 1')
  return Float64Array.from({ length }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / length))
}

/**
 * Creates a function that computes the unscaled power `|X[k]|²` of `size` real samples for `k = 0 … size / 2`. It packs
 * even and odd samples into one complex transform of half the length (Press et al., Numerical Recipes, 12.3). The function
 * allocates nothing; it writes to `into`, which has `size / 2 + 1` elements.
 *
 * @throws RangeError if the size is not a power of two from 2 to 65536; the function throws it if a length is wrong
 * @example
 * const powerOf = createPowerSpectrum(4)
 * const power = new Float64Array(3)
 * powerOf(Float64Array.of(1, -1, 1, -1), power)
 * console.log(power) // Float64Array [0, 0, 16]
 */
export function createPowerSpectrum(size: number): (samples: Float64Array, into: Float64Array) => void {
  requirePowerOfTwo(size, 2)
  const half = size >> 1
  const fft = createFft(half)
  const real = new Float64Array(half)
  const imaginary = new Float64Array(half)
  const cosine = Float64Array.from({ length: half + 1 }, (_, k) => Math.cos((2 * Math.PI * k) / size))
  const sine = Float64Array.from({ length: half + 1 }, (_, k) => Math.sin((2 * Math.PI * k) / size))
  return (samples, into) => {
    if (samples.length !== size || into.length !== half + 1)
      throw new RangeError(`The spectrum takes ${size} samples and gives ${half + 1} powers`)
    for (let index = 0; index < half; index++) {
      real[index] = samples[index * 2] ?? 0
      imaginary[index] = samples[index * 2 + 1] ?? 0
    }
    fft.forward(real, imaginary)
    for (let k = 0; k <= half; k++) {
      const here = k % half
      const mirror = (half - k) % half
      const a = real[here] ?? 0
      const b = imaginary[here] ?? 0
      const c = real[mirror] ?? 0
      const d = imaginary[mirror] ?? 0
      const evenReal = (a + c) / 2
      const evenImaginary = (b - d) / 2
      const oddReal = (b + d) / 2
      const oddImaginary = (c - a) / 2
      const turnReal = cosine[k] ?? 0
      const turnImaginary = sine[k] ?? 0
      const x = evenReal + turnReal * oddReal + turnImaginary * oddImaginary
      const y = evenImaginary + turnReal * oddImaginary - turnImaginary * oddReal
      into[k] = x * x + y * y
    }
  }
}
