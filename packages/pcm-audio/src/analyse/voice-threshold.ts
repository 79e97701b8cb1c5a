/** How quickly the noise is learnt in pauses; the voice changes slower. */
const NOISE_HOPS = 20
const VOICE_HOPS = 200
/** The noise is learnt faster at first. */
const SETTLING_HOPS = 300
const SETTLING_FACTOR = 5
/** The threshold is so many mean deviations above the noise, but at most this part of the way to the voice. */
const NOISE_DEVIATIONS = 2.25
const LEAST_DEVIATION_DB = 0.24
const PART_OF_THE_WAY = 0.55
/** A voice in progress continues down to a threshold that is this part lower, but still clearly above the noise. */
const HYSTERESIS = 0.4
const LEAST_CONTINUED_DB = 2.5
/** Evidence within so many dB of the threshold counts partly as noise and partly as voice. */
const DOUBT_DB = 1.4
/** Before any noise and any voice were heard. */
const FIRST_NOISE_DB = 1
const FIRST_VOICE_DB = 12
const LEAST_DISTANCE_DB = 5
/** Noise that grows is not a voice: its mean is at least this quantile of all evidence. */
const QUIET_QUANTILE = 0.3
const QUIET_STEP_DB = 0.02
/** No more of it is taken for noise, because a speaker may talk without a pause. */
const MOST_QUIET_DB = 6

/** Threshold between the evidence of noise and that of a voice, which it learns as two clusters. */
export interface VoiceThreshold {
  /** What a voice must exceed to start. */
  readonly startDb: number
  /** What a voice in progress must exceed. */
  readonly continueDb: number
  learn(evidenceDb: number): void
  reset(): void
}

/**
 * Creates a threshold that adapts to how unsteady the noise is, such as the babble of others, and to how far the talker stands out from it.
 *
 * @param marginDb how much further a voice must stand out
 */
export function createVoiceThreshold(marginDb: number): VoiceThreshold {
  let hops = 0
  let noiseDb = FIRST_NOISE_DB
  let deviationDb = 1
  let voiceDb = FIRST_VOICE_DB
  let quietDb = 0

  const aboveNoiseDb = () =>
    Math.min(
      marginDb + NOISE_DEVIATIONS * Math.max(deviationDb, LEAST_DEVIATION_DB),
      Math.max(marginDb, PART_OF_THE_WAY * (voiceDb - noiseDb)),
    )

  return {
    get startDb() {
      return noiseDb + aboveNoiseDb()
    },
    get continueDb() {
      return noiseDb + Math.max(LEAST_CONTINUED_DB, (1 - HYSTERESIS) * aboveNoiseDb())
    },
    learn(evidenceDb) {
      const asVoice = 1 / (1 + Math.exp((noiseDb + aboveNoiseDb() - evidenceDb) / DOUBT_DB))
      const noiseStep = ((1 - asVoice) / NOISE_HOPS) * (hops < SETTLING_HOPS ? SETTLING_FACTOR : 1)
      hops++
      noiseDb += noiseStep * (evidenceDb - noiseDb)
      deviationDb += noiseStep * (Math.abs(evidenceDb - noiseDb) - deviationDb)
      voiceDb += (asVoice / VOICE_HOPS) * (evidenceDb - voiceDb)
      const step = QUIET_STEP_DB * (evidenceDb > quietDb ? QUIET_QUANTILE : QUIET_QUANTILE - 1)
      quietDb = Math.min(quietDb + step, MOST_QUIET_DB)
      noiseDb = Math.max(noiseDb, quietDb)
      voiceDb = Math.max(voiceDb, noiseDb + LEAST_DISTANCE_DB)
    },
    reset() {
      hops = 0
      noiseDb = FIRST_NOISE_DB
      deviationDb = 1
      voiceDb = FIRST_VOICE_DB
      quietDb = 0
    },
  }
}
