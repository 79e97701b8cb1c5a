import { type CheckRunnerOptions, createCheckRunner } from './check-runner.ts'
import type { VideoProbe } from '../video/probe-video.ts'

const PLACES = 2

/**
 * Creates a probe for videos only. It works in processes that are killed if a file keeps them busy too long.
 *
 * @example
 * await using probe = createVideoProbe()
 * const { durationSeconds } = await probe.probe('/private/video.mp4')
 */
export const createVideoProbe = (options: Partial<CheckRunnerOptions> = {}): VideoProbe =>
  createCheckRunner({ places: PLACES, ...options })
