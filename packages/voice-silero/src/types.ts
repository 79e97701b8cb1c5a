import type { VoiceEvent } from '@vaani/pcm-audio'

/** A loaded model, which serves any number of streams. */
export interface SileroModel {
  /**
   * Creates a detector for one stream.
   *
   * @throws RangeError if an option is out of range
   */
  createDetector(options: SileroOptions): SileroDetector
  /** Frees the memory of the model. Its detectors then reject. */
  close(): Promise<void>
}

/**
 * Detects voice activity in a stream, like the detector of `@vaani/pcm-audio`, but with promises, because the model runs
 * asynchronously.
 */
export interface SileroDetector {
  /**
   * Takes any number of samples, which it copies, and returns the voices that started or ended in them. Calls are answered
   * in order; await each, so that none pile up.
   */
  push(samples: Int16Array): Promise<VoiceEvent[]>
  /** Ends a voice in progress and resets the detector. Less than a window of samples may be left unjudged. */
  flush(): Promise<VoiceEvent[]>
  /** Whether a voice was in progress at the last answer. */
  readonly isSpeaking: boolean
}

export interface SileroOptions {
  /** The rates of the model; bring others to 16,000 with `createResampler`. */
  sampleRateHz: 8000 | 16_000
  /** Time that a voice must be heard before it starts, in windows of 32 ms; 32 by default, which is one. */
  attackMs?: number
  /** Time that a voice must be absent before it ends; 200 by default. */
  hangoverMs?: number
  /** Probability of a voice, above 0 and below 1; 0.5 by default, as the authors of the model recommend. */
  threshold?: number
}
