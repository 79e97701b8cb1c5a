/** Every score that is stored or sent is 0 to 1 or null, whatever was measured and whatever an engine returns. */
import fc from 'fast-check'
import sharp, { type OverlayOptions } from 'sharp'
import { thorough } from '@vaani/test-services/thorough'
import { describe, expect, test } from 'vitest'
import type { CheckResult } from './check.ts'
import { checkFaces } from './faces/check-faces.ts'
import type { FaceEngine } from './faces/face-engine.ts'
import { checkDocumentQuality } from './image/document-quality.ts'
import { openImage } from './image/open-image.ts'
import { checkRecapture } from './image/recapture.ts'
import type { RgbPicture } from './image/rgb-picture.ts'
import { checkLiveness } from './liveness/check-liveness.ts'
import type { LivenessEngine } from './liveness/liveness-engine.ts'
import type { Mrz } from './mrz/parse-mrz.ts'
import { checkPrintedFields } from './ocr/check-printed-fields.ts'

const isScore = ({ score }: CheckResult): boolean => score === null || (score >= 0 && score <= 1)

const colours = fc.constantFrom('#ffffff', '#000000', '#808080', '#c02020', '#fdfdf8')
/** A plain picture, on which a card, noise or a grid may lie. */
const pictures = fc.record({
  background: colours,
  card: fc.option(colours),
  noise: fc.constantFrom(0, 1, 40),
  gridPixels: fc.option(fc.integer({ min: 2, max: 9 })),
  width: fc.integer({ min: 512, max: 700 }),
  height: fc.integer({ min: 512, max: 700 }),
})
type Drawing = typeof pictures extends fc.Arbitrary<infer Value> ? Value : never

async function draw({ background, card, noise, gridPixels, width, height }: Drawing) {
  const layers: OverlayOptions[] = []
  if (card !== null) {
    const size = { width: Math.round(width / 3), height: Math.round(height / 3) }
    layers.push({ input: { create: { ...size, channels: 3, background: card } } })
  }
  if (gridPixels !== null) {
    const line = { create: { width: 1, height, channels: 3 as const, background: '#000000' } }
    const count = Math.floor(width / gridPixels)
    layers.push(
      ...Array.from({ length: Math.min(count, 100) }, (_, index) => ({
        input: line,
        left: index * gridPixels,
        top: 0,
      })),
    )
  }
  const plain = sharp({ create: { width, height, channels: 3, background } }).composite(layers)
  const raw = await plain.removeAlpha().raw().toBuffer()
  let seed = 7
  const spread = raw.map((value) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return Math.max(0, Math.min(255, value + ((seed / 2 ** 32) * 2 - 1) * noise))
  })
  return openImage(
    await sharp(spread, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer(),
  )
}

describe('a score', () => {
  test.each(['#ffffff', '#000000'] as const)('of a picture that is all %s is 0 to 1', async (background) => {
    const image = await draw({ background, card: null, noise: 0, gridPixels: null, width: 800, height: 600 })
    expect(await checkRecapture(image)).toMatchObject({ outcome: 'passed', score: 1 })
    expect(isScore(await checkDocumentQuality(image))).toBe(true)
  })

  test('of any picture is 0 to 1', async () => {
    await fc.assert(
      fc.asyncProperty(pictures, async (drawing) => {
        const image = await draw(drawing)
        return [await checkDocumentQuality(image), await checkRecapture(image)].every(isScore)
      }),
      { numRuns: thorough({ usual: 4, long: 40 }) },
    )
  })

  test('of printed fields is 0 to 1 or null, whatever the confidence of the page reader', () => {
    fc.assert(
      fc.property(fc.double(), (confidence) =>
        isScore(
          checkPrintedFields({ text: 'ERIKSSON', sure: '', confidence }, {
            surname: 'ERIKSSON',
            dateOfBirth: null,
          } as Mrz),
        ),
      ),
    )
  })
})

const picture: RgbPicture = { data: new Uint8Array(3), width: 1, height: 1 }
const frames = [0, 1000, 2000].map((timeMs) => ({ picture, timeMs }))
const engine = { [Symbol.asyncDispose]: async () => undefined }
const judgesAs = (score: number | null): LivenessEngine => ({
  ...engine,
  judge: async () => ({ model: 'test/1', score, thresholds: { passed: 0.9, warning: 0.6 } }),
})
const face = {
  box: { left: 0, top: 0, width: 1, height: 1 },
  confidence: 1,
  embedding: new Float32Array(1),
}
const findsLikeness = (likeness: number): FaceEngine => ({
  ...engine,
  detect: async (pictures) => ({
    model: 'test/1',
    minConfidence: 0.5,
    match: { passed: 0.7, warning: 0.5 },
    faces: pictures.map(() => [face]),
  }),
  similarity: () => likeness,
})
const match = async (likeness: number): Promise<CheckResult> => {
  const readPortraits = async () => [{ picture, source: 'document' as const }]
  const pictures = frames.map((frame) => frame.picture)
  const [, result] = await checkFaces({ engine: findsLikeness(likeness), frames: pictures, readPortraits })
  return result
}

describe('an engine', () => {
  test.each([1.5, 83, -0.2])(
    'that returns %d is at fault, so its check neither passes nor fails',
    async (score) => {
      const fault = expect.objectContaining({ name: 'EngineError', code: 'score_invalid' })
      await expect(checkLiveness(judgesAs(score), frames)).rejects.toThrow(fault)
      await expect(match(score)).rejects.toThrow(fault)
    },
  )

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('that returns %d has not answered', async (score) => {
    await expect(checkLiveness(judgesAs(score), frames)).rejects.toMatchObject({ code: 'answer_invalid' })
    await expect(match(score)).rejects.toMatchObject({ code: 'score_invalid' })
  })

  test('may return rounding errors, which are removed', async () => {
    expect(await checkLiveness(judgesAs(1 + 1e-7), frames)).toMatchObject({ outcome: 'passed', score: 1 })
    expect(await match(-1e-7)).toMatchObject({ outcome: 'failed', score: 0 })
  })

  test('may decline to judge liveness, but not the likeness of two faces', async () => {
    expect(await checkLiveness(judgesAs(null), frames)).toMatchObject({
      outcome: 'warning',
      score: null,
    })
    await expect(match(Number.NaN)).rejects.toMatchObject({ code: 'score_invalid' })
  })
})
