import { dbfsToAmplitude } from '../measure/dbfs.ts'

export interface SilenceTrimOptions {
  sampleRateHz: number
  /** Samples below this level are silence; -50 by default. */
  silenceDbfs?: number
  /** Silence to keep before the first sound and after the last; 50 by default. */
  keepMs?: number
  /** Longer pauses are cut to this length, in their middle; 10,000 by default. It also bounds the memory. */
  longestPauseMs?: number
}

/** Removes silence. */
export interface SilenceTrimmer {
  /** Takes any number of samples and returns those that are certain to stay. A pause is held back until a sound ends it. */
  push(samples: Int16Array): Int16Array<ArrayBuffer>
  /** Returns the silence to keep at the end, and resets the trimmer. */
  flush(): Int16Array<ArrayBuffer>
}

/** Creates a buffer of the last `capacity` samples. */
function createTail(capacity: number) {
  const ring = new Int16Array(capacity)
  let pushed = 0
  return {
    push(sample: number) {
      if (capacity > 0) ring[pushed++ % capacity] = sample
    },
    get length() {
      return Math.min(pushed, capacity)
    },
    /** Moves the samples to an array, the oldest first, and returns their number. */
    moveTo(into: Int16Array, at: number): number {
      const count = Math.min(pushed, capacity)
      for (let index = 0; index < count; index++)
        into[at + index] = ring[(pushed - count + index) % capacity] ?? 0
      pushed = 0
      return count
    },
  }
}

/**
 * Creates a trimmer of the silence before and after sound and in overlong pauses. The remaining samples are unchanged.
 *
 * @throws RangeError if a rate or a time is out of range
 * @example
 * const trimmer = createSilenceTrimmer({ sampleRateHz: 8000, keepMs: 0 })
 * console.log(trimmer.push(Int16Array.of(0, 0, 5000, 0)), trimmer.flush()) // Int16Array [5000], Int16Array []
 */
export function createSilenceTrimmer(options: SilenceTrimOptions): SilenceTrimmer {
  const { sampleRateHz, silenceDbfs = -50, keepMs = 50, longestPauseMs = 10_000 } = options
  const toSamples = (ms: number): number => {
    const samples = Math.round((ms * sampleRateHz) / 1000)
    if (!(sampleRateHz > 0 && samples >= 0 && samples <= 2 ** 28))
      throw new RangeError('A rate must be above 0, and times must be finite and not negative')
    return samples
  }
  const silence = 32_768 * dbfsToAmplitude(silenceDbfs)
  const keep = toSamples(keepMs)
  const longest = toSamples(longestPauseMs)
  // A cut pause ends in as much silence as is kept before the first sound, if there is room.
  const tailOfPause = Math.min(keep, Math.floor(longest / 2))
  const lead = createTail(keep)
  const tail = createTail(tailOfPause)
  let head = new Int16Array(Math.min(longest - tailOfPause, 4096))
  let held = 0
  let hasSound = false

  function hold(sample: number): void {
    if (!hasSound) lead.push(sample)
    else if (held === longest - tailOfPause) tail.push(sample)
    else {
      if (held === head.length) {
        const larger = new Int16Array(Math.min(longest - tailOfPause, held * 2))
        larger.set(head)
        head = larger
      }
      head[held++] = sample
    }
  }

  return {
    push(samples) {
      const output = new Int16Array(lead.length + held + tail.length + samples.length)
      let given = 0
      for (const sample of samples) {
        if (Math.abs(sample) < silence) {
          hold(sample)
          continue
        }
        given += lead.moveTo(output, given)
        output.set(head.subarray(0, held), given)
        given += held
        held = 0
        given += tail.moveTo(output, given)
        output[given++] = sample
        hasSound = true
      }
      return output.slice(0, given)
    },
    flush() {
      const rest = head.slice(0, hasSound ? Math.min(keep, held) : 0)
      lead.moveTo(new Int16Array(keep), 0)
      tail.moveTo(new Int16Array(tailOfPause), 0)
      held = 0
      hasSound = false
      return rest
    },
  }
}

/**
 * Trims a whole recording; see `createSilenceTrimmer`.
 *
 * @example
 * console.log(trimSilence(Int16Array.of(0, 900, 0), { sampleRateHz: 8000, keepMs: 0 })) // Int16Array [900]
 */
export function trimSilence(samples: Int16Array, options: SilenceTrimOptions): Int16Array<ArrayBuffer> {
  const trimmer = createSilenceTrimmer(options)
  const sound = trimmer.push(samples)
  const end = trimmer.flush()
  const whole = new Int16Array(sound.length + end.length)
  whole.set(sound)
  whole.set(end, sound.length)
  return whole
}
