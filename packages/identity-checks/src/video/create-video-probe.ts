import { type CheckRunnerOptions, createCheckRunner } from '../runner/check-runner.ts'
import type { VideoProbe } from './probe-video.ts'

const PLACES = 2

/**
 * Makes a probe of videos alone. It works in processes that are killed if a file holds them up.
 *
 * @example
 * await using probe = createVideoProbe()
 * const { durationSeconds } = await probe.probe('/private/video.mp4')
 */
export const createVideoProbe = (options: Partial<CheckRunnerOptions> = {}): VideoProbe =>
  createCheckRunner({ places: PLACES, ...options })
