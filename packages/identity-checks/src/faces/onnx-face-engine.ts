import path from 'node:path'
import { EngineError } from '../engine/engine-error.ts'
import type { Box, RgbPicture } from '../image/rgb-picture.ts'
import { faceManifest, readManifest } from '../onnx/manifest.ts'
import { openOnnxModel } from '../onnx/onnx-model.ts'
import { cosineSimilarity } from './cosine-similarity.ts'
import type { DetectedFace, FaceEngine } from './face-engine.ts'

/** Maximum number of faces embedded per picture, the largest first. */
const MOST_FACES = 5

/**
 * Creates a face engine from two ONNX models of the operator: a detector with scores and boxes, like UltraFace, and an
 * embedder, like ArcFace. A JSON manifest describes them. Similarity is the cosine of the embeddings, or 0 if negative.
 *
 * @param options.manifest path of the manifest; paths of the weights are relative to it
 * @param options.directory directory where `onnxruntime-node` is installed; by default that of the process
 * @throws EngineError
 */
export async function createOnnxFaceEngine(options: {
  manifest: string
  directory?: string | undefined
}): Promise<FaceEngine> {
  const { name, version, detector, embedder, match } = await readManifest(options.manifest, faceManifest)
  const place = { manifestDirectory: path.dirname(options.manifest), directory: options.directory }
  const finder = await openOnnxModel(detector, place)
  const describer = await openOnnxModel(embedder, place)

  async function findBoxes(picture: RgbPicture): Promise<{ box: Box; confidence: number }[]> {
    const [scores, boxes] = await finder.run(picture, [detector.scores, detector.boxes])
    if (scores === undefined || boxes === undefined) return []
    const count = boxes.length / 4
    const perBox = scores.length / count
    if (count > 0 && perBox !== 1 && perBox !== 2)
      throw new EngineError('manifest_invalid', 'The detector must output one or two scores per box')
    const found = Array.from({ length: count }, (_, index) => {
      const [left = 0, top = 0, right = 0, bottom = 0] = boxes.subarray(index * 4, index * 4 + 4)
      const box = {
        left: left * picture.width,
        top: top * picture.height,
        width: (right - left) * picture.width,
        height: (bottom - top) * picture.height,
      }
      return { box, confidence: scores[index * perBox + perBox - 1] ?? 0 }
    }).filter(({ box, confidence }) => confidence >= detector.minConfidence && areaOf(box) > 0)
    return leaveOneOfEach(found, detector.maxOverlap)
  }

  async function findFaces(picture: RgbPicture): Promise<readonly DetectedFace[]> {
    const found = (await findBoxes(picture)).toSorted((a, b) => areaOf(b.box) - areaOf(a.box))
    const faces: DetectedFace[] = []
    for (const { box, confidence } of found.slice(0, MOST_FACES)) {
      const around = grow(box, embedder.margin)
      const [embedding = new Float32Array(0)] = await describer.run(
        picture,
        [embedder.output ?? null],
        around,
      )
      faces.push({ box, confidence, embedding })
    }
    return faces
  }

  return {
    async detect(pictures) {
      const faces: (readonly DetectedFace[])[] = []
      for (const picture of pictures) faces.push(await findFaces(picture))
      return {
        model: `${name}/${version}+${finder.digest}+${describer.digest}`,
        minConfidence: detector.minConfidence,
        match,
        faces,
      }
    },
    similarity: (one, other) => cosineSimilarity(one.embedding, other.embedding),
    async [Symbol.asyncDispose]() {
      await finder[Symbol.asyncDispose]()
      await describer[Symbol.asyncDispose]()
    },
  }
}

const areaOf = ({ width, height }: Box): number => Math.max(0, width) * Math.max(0, height)

const grow = ({ left, top, width, height }: Box, margin: number): Box => ({
  left: left - margin * width,
  top: top - margin * height,
  width: width * (1 + 2 * margin),
  height: height * (1 + 2 * margin),
})

/** Keeps the most confident of overlapping boxes (non-maximum suppression). */
function leaveOneOfEach<Found extends { box: Box; confidence: number }>(
  found: readonly Found[],
  maxOverlap: number,
): Found[] {
  const kept: Found[] = []
  for (const candidate of found.toSorted((a, b) => b.confidence - a.confidence))
    if (kept.every(({ box }) => overlap(box, candidate.box) <= maxOverlap)) kept.push(candidate)
  return kept
}

/** Computes the intersection over union of two boxes. */
function overlap(a: Box, b: Box): number {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left)
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top)
  const shared = Math.max(0, width) * Math.max(0, height)
  return shared / (areaOf(a) + areaOf(b) - shared)
}
