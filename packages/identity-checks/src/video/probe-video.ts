import type { CheckResult } from '../check.ts'
import { MediaError } from '../media/media-error.ts'

export interface ProbedVideo {
  /** Actual duration, from the first packet to the end of the last. */
  readonly durationSeconds: number
  /** The same with the sound, which may go on after the last picture. */
  readonly wholeSeconds: number
  /** Duration in the file's metadata, which a truncated file keeps; null if there is none. */
  readonly announcedSeconds: number | null
  readonly packets: number
  readonly codec: string | null
  readonly width: number
  readonly height: number
}

export interface VideoProbe extends AsyncDisposable {
  /**
   * Measures a video file by its packets instead of its metadata.
   *
   * @param options.owner owner whose share of the places it uses
   * @throws MediaError `unknown_type`, `damaged`, `no_video`, `decoding_timeout`
   */
  probe(file: string, options?: { owner?: string }): Promise<ProbedVideo>
}

const MODEL = 'packet-walk/1'

/** Checks the actual duration. @throws MediaError `too_short`, `too_long` */
export function requireDuration(
  video: ProbedVideo,
  bounds: { minSeconds: number; maxSeconds: number },
): void {
  const { minSeconds, maxSeconds } = bounds
  const wanted = `must last ${minSeconds} to ${maxSeconds} seconds`
  // Tolerate a frame more or less.
  if (video.durationSeconds < minSeconds - 0.1) throw new MediaError('too_short', wanted)
  if (video.durationSeconds > maxSeconds + 0.1) throw new MediaError('too_long', wanted)
}

const DIFFERENCE_SECONDS = 0.3

/** Checks whether a video is complete. The metadata of a truncated file keeps the original length. */
export function checkVideoIntegrity(video: ProbedVideo): CheckResult {
  const { durationSeconds, wholeSeconds, announcedSeconds, packets } = video
  const difference = announcedSeconds === null ? 0 : Math.abs(announcedSeconds - wholeSeconds)
  const isWhole = difference <= DIFFERENCE_SECONDS
  return {
    check: 'video_integrity',
    outcome: isWhole ? 'passed' : 'failed',
    code: isWhole ? 'video_whole' : 'video_cut',
    score: isWhole ? 1 : 0,
    evidence: {
      duration_seconds: Math.round(durationSeconds * 100) / 100,
      difference_seconds: Math.round(difference * 100) / 100,
      difference_seconds_max: DIFFERENCE_SECONDS,
      packets,
    },
    model: MODEL,
  }
}
