import { createHash } from 'node:crypto'
import type { Box, RgbPicture } from '../../image/rgb-picture.ts'
import type { DetectedFace, FaceEngine } from '../face-engine.ts'
import { cutFaceChip } from './face-chip.ts'
import { findFaces, findLandmarks, MIN_CONFIDENCE, withTensor } from './find-faces.ts'
import { type FaceNetworks, loadFaceApi } from './load-face-api.ts'

/** The largest of a crowd that are described, which takes longest. One more than one is enough to know that somebody is not alone. */
const MOST_FACES = 5

/**
 * Similarity is 1 minus the distance of two descriptors, whose author takes 0.6 for the same person: http://dlib.net/face_recognition.py.html.
 * `pnpm bench real` measures both errors; docs/measured/real.md has those of these limits.
 */
const MATCH = { passed: 0.45, warning: 0.37 }

/**
 * Creates a face engine with `@vladmandic/face-api` on WebAssembly, which is installed with this package. It runs three networks: one finds
 * faces, one their 68 landmarks, and dlib's ResNet describes each face by 128 numbers.
 *
 * The author of the last one put it in the public domain. It was trained on three million pictures of 7,485 people, from the sets
 * FaceScrub, VGG Face and the web (https://github.com/davisking/dlib-models). Nothing was measured here about differences by age, sex or
 * skin colour.
 *
 * @example
 * await using engine = await createFaceApiEngine()
 * const { faces } = await engine.detect([picture])
 */
export async function createFaceApiEngine(): Promise<FaceEngine> {
  const networks = await loadFaceApi()
  await warmUp(networks)
  const digest = createHash('sha256')
  for (const weights of networks.weights) digest.update(weights)
  const model = `face-api/${networks.version}+${digest.digest('hex').slice(0, 12)}`

  return {
    async detect(pictures) {
      const faces: (readonly DetectedFace[])[] = []
      for (const picture of pictures) {
        const described: DetectedFace[] = []
        for (const face of await findFaces(networks, picture, MOST_FACES))
          described.push({ ...face, embedding: await describe(networks, picture, face.box) })
        faces.push(described)
      }
      return { model, minConfidence: MIN_CONFIDENCE, match: MATCH, faces }
    },
    similarity: (one, other) => Math.max(0, 1 - distance(one.embedding, other.embedding)),
    async [Symbol.asyncDispose]() {
      // Its WebAssembly memory is freed when the process ends.
    },
  }
}

/**
 * Runs the networks on a picture without a face. The first runs move weights into WebAssembly and have its code compiled again, which takes
 * seven times as long as a later run: better while a server starts than while somebody waits.
 */
async function warmUp(networks: FaceNetworks): Promise<void> {
  const picture = { data: new Uint8Array(WARM_SIDE ** 2 * 3).fill(128), width: WARM_SIDE, height: WARM_SIDE }
  await findFaces(networks, picture, 1)
  await describe(networks, picture, { left: 0, top: 0, width: WARM_SIDE, height: WARM_SIDE })
}
const WARM_SIDE = 150

async function describe(networks: FaceNetworks, picture: RgbPicture, box: Box): Promise<Float32Array> {
  const landmarks = await findLandmarks(networks, picture, box)
  return withTensor(networks, cutFaceChip(picture, landmarks), (chip) =>
    networks.recognizer.computeFaceDescriptor(chip),
  )
}

function distance(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (const [index, value] of one.entries()) sum += (value - (other[index] ?? 0)) ** 2
  return Math.sqrt(sum)
}
