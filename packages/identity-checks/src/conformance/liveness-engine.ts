import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LivenessEngine, LivenessJudgement } from '../liveness/liveness-engine.ts'
import { MODEL_NAME } from '../engine/model-name.ts'
import type { Frame } from '../video/frame.ts'

export interface LivenessConformanceOptions {
  name: string
  createEngine(): LivenessEngine | Promise<LivenessEngine>
  /** Frames that the engine passes, and frames that it fails. */
  live(): Promise<readonly Frame[]>
  notLive(): Promise<readonly Frame[]>
}

/** Tests a `LivenessEngine`. They cannot test whether it is right about people. */
export function runLivenessEngineConformance(options: LivenessConformanceOptions): void {
  describe(`${options.name} as a liveness engine`, () => {
    let engine: LivenessEngine
    beforeAll(async () => {
      engine = await options.createEngine()
    }, 60_000)
    afterAll(() => engine?.[Symbol.asyncDispose]())

    let judgements: Promise<readonly [live: LivenessJudgement, notLive: LivenessJudgement]> | undefined
    /** Judges both once, at the same time, because a judgement may take seconds. */
    const judgeBoth = () => (judgements ??= Promise.all([judge(options.live), judge(options.notLive)]))
    const judge = async (film: () => Promise<readonly Frame[]>) => engine.judge(await film())

    test('judges no frames without a score, and has a model name and consistent limits', async () => {
      const { model, score, thresholds } = await engine.judge([])
      expect(score).toBeNull()
      expect(model).toMatch(MODEL_NAME)
      expect(thresholds.passed).toBeGreaterThan(0)
      expect(thresholds.warning).toBeLessThanOrEqual(thresholds.passed)
    })

    test('separates live frames from others', async () => {
      const [live, notLive] = await judgeBoth()
      expect(live.score).toBeGreaterThanOrEqual(live.thresholds.passed)
      expect(live.score).toBeLessThanOrEqual(1)
      expect(notLive.score).toBeLessThan(notLive.thresholds.warning)
      expect(notLive.score).toBeGreaterThanOrEqual(0)
    })

    test('returns the same for the same frames, in sequence and concurrently', async () => {
      const [live] = await judgeBoth()
      const frames = await options.live()
      expect(await Promise.all([engine.judge(frames), engine.judge(frames)])).toEqual([live, live])
    })

    test('survives pictures of any size', async () => {
      for (const [width, height] of [
        [1, 1],
        [3, 700],
      ] as const) {
        const picture = { data: new Uint8Array(width * height * 3).fill(128), width, height }
        const { score } = await engine.judge([{ picture, timeMs: 0 }])
        expect(score ?? 0).toBeGreaterThanOrEqual(0)
        expect(score ?? 0).toBeLessThanOrEqual(1)
      }
    })
  })
}
