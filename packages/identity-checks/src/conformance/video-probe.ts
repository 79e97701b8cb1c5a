import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MediaError } from '../media-error.ts'
import type { VideoProbe } from '../video/probe-video.ts'

export interface VideoProbeConformanceOptions {
  name: string
  createProbe(): VideoProbe | Promise<VideoProbe>
  /** Paths of a video and of files that are none, and how long the video is. */
  video: { file(): string; seconds: number }
  notVideos(): readonly string[]
}

/** Tests of a `VideoProbe`. */
export function runVideoProbeConformance(options: VideoProbeConformanceOptions): void {
  describe(`${options.name} as a video probe`, () => {
    let probe: VideoProbe
    beforeAll(async () => {
      probe = await options.createProbe()
    })
    afterAll(() => probe?.[Symbol.asyncDispose]())

    test('measures what is in a video', async () => {
      const { durationSeconds } = await probe.probe(options.video.file())
      expect(Math.abs(durationSeconds - options.video.seconds)).toBeLessThan(0.3)
    })

    test('refuses what is no video, by a code, and goes on', async () => {
      for (const file of options.notVideos()) {
        const error = await probe.probe(file).catch((caught: unknown) => caught)
        expect(error).toBeInstanceOf(MediaError)
      }
      expect((await probe.probe(options.video.file())).durationSeconds).toBeGreaterThan(0)
    })

    test('measures several at once', async () => {
      const file = options.video.file()
      const all = await Promise.all([probe.probe(file), probe.probe(file), probe.probe(file)])
      expect(new Set(all.map(({ durationSeconds }) => durationSeconds)).size).toBe(1)
    })
  })
}
