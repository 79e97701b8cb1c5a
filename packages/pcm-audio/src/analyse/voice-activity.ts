import { createVoiceMeasure } from './voice-measure.ts'

/** A voice begins or ends. */
export interface VoiceEvent {
  kind: 'start' | 'end'
  /** In milliseconds from the first sample: where it was first heard, or where the hang-over after it ran out. */
  atMs: number
}

/** Follows whether somebody speaks in a stream. */
export interface VoiceActivityDetector {
  /** Takes any number of samples, gives what began or ended in them; allocates for nothing else. */
  push(samples: Int16Array): VoiceEvent[]
  /** Ends a voice that still speaks; the detector is then as new. */
  flush(): VoiceEvent[]
  /** Whether somebody speaks at this moment. */
  readonly isSpeaking: boolean
}

export interface VoiceActivityOptions {
  /** From 8000 to 48000. */
  sampleRateHz: number
  /** How long a voice must be heard before it begins; 40 by default. Less is quicker, and takes clicks for voices. */
  attackMs?: number
  /** How long a voice must not be heard before it ends; 200 by default. More bridges longer gaps between words. */
  hangoverMs?: number
  /** How far a voice must stand out of the noise, as a mean over the bands; 0.6 by default. More hears less noise. */
  thresholdDb?: number
  /** What is quieter than this is no voice, whatever it is; -60 by default, where a full-scale sine is 0. */
  minimumLevelDbfs?: number
}

/** A voice has harmonics: something in it must be this much less flat than noise. */
const LEAST_PEAKINESS_DB = 1.5
/** Measures are taken this often, over the last 32 ms. */
const HOP_MS = 10

/**
 * Makes a detector of voices in noise that it does not know. Each 10 ms it measures how far the sound stands out of the
 * noise, band by band from 100 to 3800 Hz, and how peaky its spectrum is, both against a noise floor that follows the
 * noise up and down. The threshold rises where the noise itself is unsteady, as that of a crowd is. A steady tone is a voice
 * for a second and a half, and a loud click for a hang-over. How the input is cut changes nothing; memory is constant.
 *
 * @throws RangeError where a rate or a duration cannot be
 * @example
 * const detector = createVoiceActivityDetector({ sampleRateHz: 16_000 })
 * console.log(detector.push(new Int16Array(16_000)), detector.isSpeaking) // [] false
 */
export function createVoiceActivityDetector(options: VoiceActivityOptions): VoiceActivityDetector {
  const { sampleRateHz, attackMs = 40, hangoverMs = 200, thresholdDb = 0.6, minimumLevelDbfs = -60 } = options
  if (!Number.isInteger(sampleRateHz) || sampleRateHz < 8000 || sampleRateHz > 48_000)
    throw new RangeError('Voices are heard at a whole number of hertz from 8000 to 48000')
  if (!(attackMs >= 0 && hangoverMs >= 0 && attackMs < 10_000 && hangoverMs < 60_000))
    throw new RangeError('An attack must be from 0 to 10 s, a hang-over from 0 to 60 s')
  const attackHops = Math.max(1, Math.round(attackMs / HOP_MS))
  const hangoverHops = Math.round(hangoverMs / HOP_MS)
  const measure = createVoiceMeasure(sampleRateHz)
  let hops = 0
  let heardHops = 0
  let missedHops = 0
  let peakinessDb = 0
  let isSpeaking = false

  function decide(events: VoiceEvent[]): void {
    hops++
    const isHeard =
      measure.prominenceDb > thresholdDb + measure.unsteadinessDb && measure.levelDbfs > minimumLevelDbfs
    heardHops = isHeard ? heardHops + 1 : 0
    missedHops = isHeard ? 0 : missedHops + 1
    peakinessDb = isHeard ? Math.max(peakinessDb, measure.peakinessDb) : 0
    if (!isSpeaking && heardHops >= attackHops && peakinessDb >= LEAST_PEAKINESS_DB) {
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
      hops = heardHops = missedHops = peakinessDb = 0
      isSpeaking = false
      return events
    },
    get isSpeaking() {
      return isSpeaking
    },
  }
}
