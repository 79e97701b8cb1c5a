import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RgbPicture } from '../image/rgb-picture.ts'
import type { LivenessEngine } from '../liveness/liveness-engine.ts'
import { MODEL_NAME } from './model-name.ts'

export interface LivenessConformanceOptions {
  name: string
  createEngine(): LivenessEngine | Promise<LivenessEngine>
  /** Frames that the engine passes, and frames that it fails. */
  live(): Promise<readonly RgbPicture[]>
  notLive(): Promise<readonly RgbPicture[]>
}

/** Tests a `LivenessEngine`. They cannot test whether it is right about people. */
export function runLivenessEngineConformance(options: LivenessConformanceOptions): void {
  describe(`${options.name} as a liveness engine`, () => {
    let engine: LivenessEngine
    beforeAll(async () => {
      engine = await options.createEngine()
    }, 60_000)
    afterAll(() => engine?.[Symbol.asyncDispose]())

    test('has a model name and consistent limits', () => {
      expect(engine.model).toMatch(MODEL_NAME)
      expect(engine.thresholds.passed).toBeGreaterThan(0)
      expect(engine.thresholds.warning).toBeLessThanOrEqual(engine.thresholds.passed)
    })

    test('separates live frames from others', async () => {
      const live = await engine.judge(await options.live())
      const notLive = await engine.judge(await options.notLive())
      expect(live).toBeGreaterThanOrEqual(engine.thresholds.passed)
      expect(live).toBeLessThanOrEqual(1)
      expect(notLive).toBeLessThan(engine.thresholds.warning)
      expect(notLive).toBeGreaterThanOrEqual(0)
    })

    test('returns the same for the same frames', async () => {
      const frames = await options.live()
      expect(await engine.judge(frames)).toBe(await engine.judge(frames))
    })

    test('returns NaN without frames', async () => {
      expect(await engine.judge([])).toBeNaN()
    })
  })
}
