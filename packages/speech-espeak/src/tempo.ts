import { SAMPLE_RATE_HZ } from './messages.ts'

/** Periods of voices from 400 to 65 Hz. */
const SHORTEST = Math.round(SAMPLE_RATE_HZ / 400)
const LONGEST = Math.round(SAMPLE_RATE_HZ / 65)
/** Every so many samples are compared to find a period, which is exact enough for a join. */
const STRIDE = 3

/** Changes the tempo of speech in pieces. */
export interface Tempo {
  push(samples: Int16Array<ArrayBuffer>): Int16Array<ArrayBuffer>
  /** Returns the rest, at most two periods, which keeps its tempo. */
  flush(): Int16Array<ArrayBuffer>
}

/**
 * Makes speech faster by `factor`, 0.5 to 2, and keeps its pitch: leaves out single periods of the voice or repeats them, fading from one to
 * the next, and copies what is between them, as the library Sonic by Bill Cox does.
 */
export function createTempo(factor: number): Tempo {
  let waiting = new Int16Array()
  /** Samples to copy until a period is left out or repeated. */
  let toCopy = 0

  /** Takes one period away, or adds one. */
  function change(at: number, made: Int16Array<ArrayBuffer>[]): number {
    const period = periodAt(waiting, at)
    const [first, second] = [waiting.slice(at, at + period), waiting.slice(at + period, at + 2 * period)]
    if (factor > 1) {
      made.push(fade(first, second))
      toCopy += (period * (2 - factor)) / (factor - 1)
      return at + 2 * period
    }
    made.push(first, fade(second, first))
    toCopy += (period * (2 * factor - 1)) / (1 - factor)
    return at + period
  }

  return {
    push(samples) {
      waiting = join([waiting, samples])
      if (factor === 1) return this.flush()
      const made: Int16Array<ArrayBuffer>[] = []
      let at = 0
      for (;;) {
        const end = Math.min(waiting.length, at + Math.floor(toCopy))
        made.push(waiting.slice(at, end))
        toCopy -= end - at
        at = end
        if (toCopy >= 1 || waiting.length - at < 2 * LONGEST) break
        at = change(at, made)
      }
      waiting = waiting.slice(at)
      return join(made)
    },
    flush() {
      const rest = waiting
      waiting = new Int16Array()
      return rest
    },
  }
}

/** Finds after how many samples the sound is most like itself: the least mean difference. */
function periodAt(samples: Int16Array, at: number): number {
  let [best, least] = [LONGEST, Number.POSITIVE_INFINITY]
  for (let period = SHORTEST; period <= LONGEST; period++) {
    let difference = 0
    for (let index = at; index < at + LONGEST && difference < least; index += STRIDE)
      difference += Math.abs((samples[index] ?? 0) - (samples[index + period] ?? 0))
    if (difference < least) [best, least] = [period, difference]
  }
  return best
}

/** Fades from one sound to another of the same length. */
const fade = (from: Int16Array, to: Int16Array): Int16Array<ArrayBuffer> =>
  Int16Array.from(from, (sample, index) => {
    const share = (index + 0.5) / from.length
    return Math.round(sample * (1 - share) + (to[index] ?? 0) * share)
  })

function join(parts: readonly Int16Array[]): Int16Array<ArrayBuffer> {
  const whole = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
