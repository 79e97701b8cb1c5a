import type { CheckResult } from '../check.ts'
import { MediaError } from '../media-error.ts'

export interface ProbedVideo {
  /** From the first packet to the end of the last: what is really there. */
  readonly durationSeconds: number
  /** What the file says of itself, which a cut file keeps saying; null if it says nothing. */
  readonly announcedSeconds: number | null
  readonly packets: number
  readonly codec: string | null
  readonly width: number
  readonly height: number
}

export interface VideoProbe extends AsyncDisposable {
  /**
   * What a video file holds, by its packets and not by what it says of itself.
   *
   * @param options.owner whose share of the places it takes
   * @throws MediaError `unknown_type`, `damaged`, `no_video`, `decoding_timeout`
   */
  probe(file: string, options?: { owner?: string }): Promise<ProbedVideo>
}

const MODEL = 'packet-walk/1'

/** @throws MediaError `too_short`, `too_long` by what is really there */
export function requireDuration(
  video: ProbedVideo,
  bounds: { minSeconds: number; maxSeconds: number },
): void {
  const { minSeconds, maxSeconds } = bounds
  const wanted = `must last ${minSeconds} to ${maxSeconds} seconds`
  // A frame more or less is no reason to refuse.
  if (video.durationSeconds < minSeconds - 0.1) throw new MediaError('too_short', wanted)
  if (video.durationSeconds > maxSeconds + 0.1) throw new MediaError('too_long', wanted)
}

const DIFFERENCE_SECONDS = 0.3

/** Whether a video is whole: a cut file goes on announcing the length that it had. */
export function checkVideoIntegrity(video: ProbedVideo): CheckResult {
  const { durationSeconds, announcedSeconds, packets } = video
  const difference = announcedSeconds === null ? 0 : Math.abs(announcedSeconds - durationSeconds)
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
