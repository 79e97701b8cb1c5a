import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DetectedFace, FaceEngine } from '../faces/face-engine.ts'
import type { RgbPicture } from '../image/rgb-picture.ts'
import { MODEL_NAME } from '../engine/model-name.ts'

export interface FaceConformanceOptions {
  name: string
  createEngine(): FaceEngine | Promise<FaceEngine>
  /** Pictures suitable for the engine. */
  pictures: {
    /** One face. */
    face(): Promise<RgbPicture>
    /** The same face in a slightly different picture. */
    sameFace(): Promise<RgbPicture>
    /** Another person's face. */
    otherFace(): Promise<RgbPicture>
    twoFaces(): Promise<RgbPicture>
    noFace(): Promise<RgbPicture>
  }
}

/** Tests a `FaceEngine`. */
export function runFaceEngineConformance(options: FaceConformanceOptions): void {
  describe(`${options.name} as a face engine`, () => {
    let engine: FaceEngine
    beforeAll(async () => {
      engine = await options.createEngine()
    }, 60_000)
    afterAll(() => engine?.[Symbol.asyncDispose]())
    const { pictures } = options
    const { sureOfAll, sure, only } = createReader(() => engine)

    test('detects nothing in no pictures, and has a model name and consistent limits', async () => {
      const { faces, model, match } = await engine.detect([])
      expect(faces).toEqual([])
      expect(model).toMatch(MODEL_NAME)
      expect(match.passed).toBeGreaterThan(0)
      expect(match.warning).toBeLessThanOrEqual(match.passed)
    })

    test('returns the faces of each picture in its place', async () => {
      const asked = [await pictures.noFace(), await pictures.face(), await pictures.twoFaces()]
      expect((await sureOfAll(asked)).map(({ length }) => length)).toEqual([0, 1, 2])
    })

    test('finds one face within the picture, and none if there is none', async () => {
      const picture = await pictures.face()
      const faces = await sure(picture)
      expect(faces).toHaveLength(1)
      for (const { box, confidence } of faces) {
        expect(confidence).toBeLessThanOrEqual(1)
        expect(box.width * box.height).toBeGreaterThan(0)
        expect(box.left + box.width / 2).toBeLessThan(picture.width)
        expect(box.top + box.height / 2).toBeLessThan(picture.height)
      }
      expect(await sure(await pictures.noFace())).toEqual([])
    })

    test('finds two faces, the largest first', async () => {
      const areas = (await sure(await pictures.twoFaces())).map(({ box }) => box.width * box.height)
      expect(areas).toHaveLength(2)
      expect(areas).toEqual(areas.toSorted((a, b) => b - a))
    })

    test('ranks the same face above another, and identical pictures at 1', async () => {
      const face = await only(await pictures.face())
      const same = await only(await pictures.sameFace())
      const other = await only(await pictures.otherFace())
      const { match } = await engine.detect([])
      expect(engine.similarity(face, face)).toBeCloseTo(1, 3)
      expect(engine.similarity(face, same)).toBeGreaterThanOrEqual(match.passed)
      expect(engine.similarity(face, other)).toBeLessThan(engine.similarity(face, same))
      expect(engine.similarity(face, other)).toBeCloseTo(engine.similarity(other, face), 5)
      for (const likeness of [engine.similarity(face, other), engine.similarity(same, other)]) {
        expect(likeness).toBeGreaterThanOrEqual(0)
        expect(likeness).toBeLessThanOrEqual(1)
      }
    })

    test('returns the same for the same picture, in sequence and concurrently', async () => {
      const picture = await pictures.face()
      const first = await engine.detect([picture])
      const [second, third] = await Promise.all([engine.detect([picture]), engine.detect([picture])])
      expect(second).toEqual(first)
      expect(third).toEqual(first)
    })

    test('survives pictures of any size', async () => {
      for (const [width, height] of [
        [1, 1],
        [3, 700],
        [700, 3],
        [64, 64],
      ] as const)
        expect(await sure({ data: new Uint8Array(width * height * 3).fill(128), width, height })).toEqual([])
    })
  })
}

/** What an engine finds, without the faces of which it is not sure. */
function createReader(engine: () => FaceEngine) {
  const sureOfAll = async (all: readonly RgbPicture[]): Promise<readonly (readonly DetectedFace[])[]> => {
    const { faces, minConfidence } = await engine().detect(all)
    return faces.map((found) => found.filter(({ confidence }) => confidence >= minConfidence))
  }
  const sure = async (picture: RgbPicture): Promise<readonly DetectedFace[]> =>
    (await sureOfAll([picture])).flat()
  const only = async (picture: RgbPicture): Promise<DetectedFace> => {
    const [face] = await sure(picture)
    if (face === undefined) throw new Error('No face was found')
    return face
  }
  return { sureOfAll, sure, only }
}
