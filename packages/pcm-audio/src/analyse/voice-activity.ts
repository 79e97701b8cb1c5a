import { createVoiceMeasure } from './voice-measure.ts'
import { createVoiceThreshold } from './voice-threshold.ts'

/** Start or end of a voice. */
export interface VoiceEvent {
  kind: 'start' | 'end'
  /** Milliseconds from the first sample: when the voice was first heard, or when the hangover after it elapsed. */
  atMs: number
}

/** Detects voice activity in a stream. */
export interface VoiceActivityDetector {
  /** Takes any number of samples and returns the voices that started or ended in them; allocates only the events. */
  push(samples: Int16Array): VoiceEvent[]
  /** Ends a voice in progress and resets the detector. */
  flush(): VoiceEvent[]
  /** Whether a voice is in progress. */
  readonly isSpeaking: boolean
}

export interface VoiceActivityOptions {
  /** From 8000 to 48000. */
  sampleRateHz: number
  /**
   * Time that a voice must be heard before it starts; 40 by default. A shorter attack is quicker but takes clicks for
   * voices.
   */
  attackMs?: number
  /** Time that a voice must be absent before it ends; 200 by default. A longer hangover bridges longer gaps between words. */
  hangoverMs?: number
  /**
   * How much further than the noise itself a voice must stand out, as a mean over the bands; 0.3 by default. A higher
   * threshold takes less noise for voices.
   */
  thresholdDb?: number
  /** A quieter sound is never a voice; -60 by default. A full-scale sine is 0. */
  minimumLevelDbfs?: number
}

/** A voice has harmonics, so at some point its spectrum must be this much less flat than noise. */
const LEAST_PEAKINESS_DB = 1.25
/** A voice starts once its evidence above the threshold adds up to this over its hops. */
const LEAST_EXCESS_DB = 10
/** Interval between measurements, each over the last 32 ms. */
const HOP_MS = 10

/**
 * Creates a detector of voices in unknown noise. Every 10 ms it measures how far the sound stands out from a floor that
 * tracks the noise up and down, band by band from 100 to 3800 Hz, and adds to that how much the sound has a pitch. The
 * threshold lies above what the noise itself reaches, as in a crowd, but at most about half-way to what the talker reaches:
 * once somebody has spoken, quieter people behind are noise. A steady tone counts as a voice for up to 2 s, and a loud click
 * for the duration of the hangover. Chunk boundaries do not affect the result; memory is constant.
 *
 * @throws RangeError if a rate or a duration is out of range
 * @example
 * const detector = createVoiceActivityDetector({ sampleRateHz: 16_000 })
 * console.log(detector.push(new Int16Array(16_000)), detector.isSpeaking) // [] false
 */
export function createVoiceActivityDetector(options: VoiceActivityOptions): VoiceActivityDetector {
  const { sampleRateHz, attackMs = 40, hangoverMs = 200, thresholdDb = 0.3, minimumLevelDbfs = -60 } = options
  if (!Number.isInteger(sampleRateHz) || sampleRateHz < 8000 || sampleRateHz > 48_000)
    throw new RangeError('A sample rate for voices must be a whole number of hertz from 8000 to 48000')
  if (!(attackMs >= 0 && hangoverMs >= 0 && attackMs < 10_000 && hangoverMs < 60_000))
    throw new RangeError('An attack must be from 0 to 10 s, a hangover from 0 to 60 s')
  const attackHops = Math.max(1, Math.round(attackMs / HOP_MS))
  const hangoverHops = Math.round(hangoverMs / HOP_MS)
  const measure = createVoiceMeasure(sampleRateHz)
  const threshold = createVoiceThreshold(thresholdDb)
  let hops = 0
  let heardHops = 0
  let missedHops = 0
  let excessDb = 0
  let peakinessDb = 0
  let isSpeaking = false

  function decide(events: VoiceEvent[]): void {
    hops++
    const { evidenceDb, levelDbfs } = measure
    const leastDb = isSpeaking ? threshold.continueDb : threshold.startDb
    const isHeard = evidenceDb > leastDb && levelDbfs > minimumLevelDbfs
    heardHops = isHeard ? heardHops + 1 : 0
    missedHops = isHeard ? 0 : missedHops + 1
    excessDb = isHeard ? excessDb + evidenceDb - leastDb : 0
    peakinessDb = isHeard ? Math.max(peakinessDb, measure.peakinessDb) : 0
    threshold.learn(evidenceDb)
    if (
      !isSpeaking &&
      heardHops >= attackHops &&
      excessDb >= LEAST_EXCESS_DB &&
      peakinessDb >= LEAST_PEAKINESS_DB
    ) {
      isSpeaking = true
      events.push({ kind: 'start', atMs: (hops - heardHops) * HOP_MS })
    } else if (isSpeaking && missedHops > hangoverHops) {
      isSpeaking = false
      events.push({ kind: 'end', atMs: hops * HOP_MS })
    }
  }

  return {
    push(samples) {
      const events: VoiceEvent[] = []
      for (let at = 0; at < samples.length;) {
        const taken = measure.take(samples, at)
        at += taken
        if (measure.isReady) decide(events)
      }
      return events
    },
    flush() {
      const events: VoiceEvent[] = isSpeaking ? [{ kind: 'end', atMs: hops * HOP_MS }] : []
      measure.reset()
      threshold.reset()
      hops = heardHops = missedHops = excessDb = peakinessDb = 0
      isSpeaking = false
      return events
    },
    get isSpeaking() {
      return isSpeaking
    },
  }
}
