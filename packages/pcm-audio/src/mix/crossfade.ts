/**
 * Gain curves of a crossfade. `equal-power`: the squares of the gains sum to 1, so uncorrelated sounds keep their loudness.
 * `equal-gain`: the gains sum to 1, for two takes of the same sound, which `equal-power` would raise by up to 3 dB.
 */
export type CrossfadeCurve = 'equal-power' | 'equal-gain'

/** Fades one stream out and another in. */
export interface Crossfade {
  /** Samples left to fade; then 0, and only the second stream is heard. */
  readonly remaining: number
  /**
   * Takes the same number of samples of both streams and returns that number of mixed samples.
   *
   * @param into destination, which may be one of the inputs; a new array by default. With it, `push` allocates nothing
   * @throws RangeError if the lengths differ
   */
  push(from: Int16Array, to: Int16Array, into?: Int16Array): Int16Array
}

/**
 * Creates a crossfade. With `equal-power`, the gain of the old stream falls as a quarter of a cosine, and that of the new
 * one rises as the sine. Values beyond full scale are clamped. Chunk boundaries do not affect the result.
 *
 * @param options.curve `equal-power` by default
 * @throws RangeError if the length is not a whole number of at least 0
 * @example
 * const fade = createCrossfade({ samples: 160 })
 * console.log(fade.push(new Int16Array(100), new Int16Array(100)).length, fade.remaining) // 100 60
 */
export function createCrossfade(options: { samples: number; curve?: CrossfadeCurve }): Crossfade {
  const { samples, curve = 'equal-power' } = options
  if (!Number.isInteger(samples) || samples < 0)
    throw new RangeError('A crossfade must have a whole number of samples, at least 0')
  let done = 0
  return {
    get remaining() {
      return samples - done
    },
    push(from, to, into = new Int16Array(to.length)) {
      if (from.length !== to.length || into.length !== to.length)
        throw new RangeError('The streams of a crossfade must be pushed in equal lengths')
      const fading = Math.min(to.length, samples - done)
      for (let index = 0; index < fading; index++) {
        // Take the middle of each sample, so that the fade is symmetric.
        const place = (done + index + 0.5) / samples
        const rise = curve === 'equal-power' ? Math.sin((Math.PI / 2) * place) : place
        const fall = curve === 'equal-power' ? Math.cos((Math.PI / 2) * place) : 1 - place
        const mixed = Math.round((from[index] ?? 0) * fall + (to[index] ?? 0) * rise)
        into[index] = Math.max(-32_768, Math.min(32_767, mixed))
      }
      done += fading
      for (let index = fading; index < to.length; index++) into[index] = to[index] ?? 0
      return into
    },
  }
}

/**
 * Joins two arrays so that the end of the first fades into the start of the second. The result is shorter than both
 * together by the overlap.
 *
 * @throws RangeError if the overlap is not a whole number, or is longer than one of the arrays
 * @example
 * console.log(joinWithCrossfade(new Int16Array(500), new Int16Array(400), { samples: 100 }).length) // 800
 */
export function joinWithCrossfade(
  first: Int16Array,
  second: Int16Array,
  options: { samples: number; curve?: CrossfadeCurve },
): Int16Array<ArrayBuffer> {
  const { samples } = options
  if (samples > Math.min(first.length, second.length))
    throw new RangeError('A crossfade must not be longer than either of the arrays')
  const fade = createCrossfade(options)
  const start = first.length - samples
  const joined = new Int16Array(start + second.length)
  joined.set(first)
  fade.push(first.subarray(start), second.subarray(0, samples), joined.subarray(start, first.length))
  joined.set(second.subarray(samples), first.length)
  return joined
}
