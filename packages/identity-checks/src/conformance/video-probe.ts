import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MediaError } from '../media/media-error.ts'
import type { VideoProbe } from '../video/probe-video.ts'

export interface VideoProbeConformanceOptions {
  name: string
  createProbe(): VideoProbe | Promise<VideoProbe>
  /** Path and duration of a video, and paths of files that are not videos. */
  video: { file(): string; seconds: number }
  notVideos(): readonly string[]
}

/** Tests a `VideoProbe`. */
export function runVideoProbeConformance(options: VideoProbeConformanceOptions): void {
  describe(`${options.name} as a video probe`, () => {
    let probe: VideoProbe
    beforeAll(async () => {
      probe = await options.createProbe()
    })
    afterAll(() => probe?.[Symbol.asyncDispose]())

    test('measures the duration of a video', async () => {
      const { durationSeconds } = await probe.probe(options.video.file())
      expect(Math.abs(durationSeconds - options.video.seconds)).toBeLessThan(0.3)
    })

    test('refuses files that are not videos with a MediaError, and keeps working', async () => {
      for (const file of options.notVideos()) {
        const error = await probe.probe(file).catch((caught: unknown) => caught)
        expect(error).toBeInstanceOf(MediaError)
      }
      expect((await probe.probe(options.video.file())).durationSeconds).toBeGreaterThan(0)
    })

    test('measures several videos concurrently', async () => {
      const file = options.video.file()
      const all = await Promise.all([probe.probe(file), probe.probe(file), probe.probe(file)])
      expect(new Set(all.map(({ durationSeconds }) => durationSeconds)).size).toBe(1)
    })
  })
}
