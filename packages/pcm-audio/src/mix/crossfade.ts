/**
 * How two streams share a crossfade. `equal-power`: the squares of the gains sum to 1, so two sounds that have nothing to
 * do with each other keep their loudness. `equal-gain`: the gains themselves sum to 1, for two takes of the same sound,
 * which equal power would raise by up to 3 dB.
 */
export type CrossfadeCurve = 'equal-power' | 'equal-gain'

/** Fades one stream out and another in. */
export interface Crossfade {
  /** Samples still to be faded; 0 once all is of the second stream. */
  readonly remaining: number
  /**
   * Takes as many samples of both streams, gives as many that are mixed.
   *
   * @param into where they are written, which may be one of the inputs; a new array by default. With it, nothing is allocated
   * @throws RangeError where the lengths differ
   */
  push(from: Int16Array, to: Int16Array, into?: Int16Array): Int16Array
}

/**
 * Makes a crossfade: the gain of the old stream falls as a cosine over a quarter turn, that of the new one rises as the
 * sine. What passes full scale is clamped. How the input is cut changes nothing.
 *
 * @param options.curve `equal-power` by default
 * @throws RangeError where the length is no whole number from 0
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
        // The middle of each sample, so that both ends are alike.
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
 * Joins two stretches so that the end of the first fades into the start of the second. The result is shorter than both
 * together by the samples that overlap.
 *
 * @throws RangeError where the overlap is no whole number, or longer than one of them
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
    throw new RangeError('A crossfade must not be longer than what it joins')
  const fade = createCrossfade(options)
  const start = first.length - samples
  const joined = new Int16Array(start + second.length)
  joined.set(first)
  fade.push(first.subarray(start), second.subarray(0, samples), joined.subarray(start, first.length))
  joined.set(second.subarray(samples), first.length)
  return joined
}
