/** A module with engines that know only colours, like one that an operator writes. */
import { cosineSimilarity } from '../src/faces/cosine-similarity.ts'
import type { DetectedFace, FaceEngine } from '../src/faces/face-engine.ts'
import type { RgbPicture } from '../src/image/rgb-picture.ts'
import type { LivenessEngine } from '../src/liveness/liveness-engine.ts'

const MODEL = 'colours/1'

function meanColour(picture: RgbPicture, from = 0, to = picture.width): [number, number, number] {
  const sums: [number, number, number] = [0, 0, 0]
  for (let y = 0; y < picture.height; y++)
    for (let x = from; x < to; x++)
      for (const colour of [0, 1, 2] as const)
        sums[colour] += picture.data[(y * picture.width + x) * 3 + colour] ?? 0
  const count = Math.max(1, (to - from) * picture.height)
  return [sums[0] / count, sums[1] / count, sums[2] / count]
}

function findFaces(picture: RgbPicture): DetectedFace[] {
  const { width, height } = picture
  const middle = Math.floor(width / 2)
  return [
    { left: 0, right: middle, inset: 0 },
    { left: middle, right: width, inset: 0.1 * height },
  ]
    .map(({ left, right, inset }): DetectedFace => {
      const colour = meanColour(picture, left, right)
      return {
        box: { left, top: inset, width: right - left, height: height - 2 * inset },
        confidence: colour[0] / 255,
        embedding: Float32Array.from(colour, (value) => (value - 100) / 100),
      }
    })
    .filter(({ box, confidence }) => confidence > 0.5 && box.width > 0)
}

/** Both interfaces, so that one file serves either setting. */
export const createEngine = (): Omit<FaceEngine & LivenessEngine, typeof Symbol.asyncDispose> => ({
  detect: async (pictures) => ({
    model: MODEL,
    minConfidence: 0.9,
    match: { passed: 0.9, warning: 0.6 },
    faces: pictures.map(findFaces),
  }),
  similarity: (one, other) => cosineSimilarity(one.embedding, other.embedding),
  async judge(frames) {
    const greens = frames.map(({ picture }) => meanColour(picture)[1] / 255)
    const score = greens.toSorted((a, b) => a - b)[greens.length >> 1] ?? null
    return { model: MODEL, score, thresholds: { passed: 0.7, warning: 0.4 } }
  },
})
