import { createHash } from 'node:crypto'
import type { Box, RgbPicture } from '../../image/rgb-picture.ts'
import type { DetectedFace, FaceEngine } from '../face-engine.ts'
import { cutFaceChip, type Point } from './face-chip.ts'
import { type FaceNetworks, loadFaceApi } from './load-face-api.ts'

/**
 * Ways in which faces are looked for, until one is found. A picture is scaled to `side`: the larger finds smaller faces, such as that on a
 * passport. With a `margin`, a share of its sides that repeats its edges, a face that fills it is found.
 */
const ATTEMPTS = [
  { side: 416, margin: 0 },
  { side: 608, margin: 0 },
  { side: 416, margin: 0.6 },
] as const
/** The largest of a crowd that are described, which takes longest. One more than one is enough to know that somebody is not alone. */
const MOST_FACES = 5
/** Detections below this score are no faces. */
const MIN_CONFIDENCE = 0.5

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
  const digest = createHash('sha256')
  for (const weights of networks.weights) digest.update(weights)
  const model = `face-api/${networks.version}+${digest.digest('hex').slice(0, 12)}`

  return {
    async detect(pictures) {
      const faces: (readonly DetectedFace[])[] = []
      for (const picture of pictures) faces.push(await findFaces(networks, picture))
      return { model, minConfidence: MIN_CONFIDENCE, match: MATCH, faces }
    },
    similarity: (one, other) => Math.max(0, 1 - distance(one.embedding, other.embedding)),
    async [Symbol.asyncDispose]() {
      // Its WebAssembly memory is freed when the process ends.
    },
  }
}

/** Returns the faces of a picture, the largest first. */
async function findFaces(networks: FaceNetworks, picture: RgbPicture): Promise<readonly DetectedFace[]> {
  for (const { side, margin } of ATTEMPTS) {
    const [across, down] = [Math.round(margin * picture.width), Math.round(margin * picture.height)]
    const options = networks.detectorOptions(side, MIN_CONFIDENCE)
    const found = await withTensor(networks, widen(picture, across, down), (tensor) =>
      networks.detector.locateFaces(tensor, options),
    )
    const faces: DetectedFace[] = []
    const largest = found.toSorted((a, b) => b.box.width * b.box.height - a.box.width * a.box.height)
    for (const { score, box } of largest.slice(0, MOST_FACES)) {
      const { width, height } = box
      const inside = clip({ left: box.x - across, top: box.y - down, width, height }, picture)
      if (inside === null) continue
      const embedding = await describe(networks, picture, inside)
      faces.push({ box: inside, confidence: Math.min(1, score), embedding })
    }
    if (faces.length > 0) return faces
  }
  return []
}

/** Adds a margin that repeats the edges of a picture. */
function widen(picture: RgbPicture, across: number, down: number): RgbPicture {
  if (across === 0 && down === 0) return picture
  const [width, height] = [picture.width + 2 * across, picture.height + 2 * down]
  const data = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    const row = Math.min(picture.height - 1, Math.max(0, y - down)) * picture.width
    for (let x = 0; x < width; x++) {
      const from = (row + Math.min(picture.width - 1, Math.max(0, x - across))) * 3
      data.set(picture.data.subarray(from, from + 3), (y * width + x) * 3)
    }
  }
  return { data, width, height }
}

async function describe(networks: FaceNetworks, picture: RgbPicture, box: Box): Promise<Float32Array> {
  const landmarks = await withTensor(networks, cut(picture, box), (face) =>
    networks.landmarks.detectLandmarks(face),
  )
  const inPicture: readonly Point[] = landmarks.positions.map(({ x, y }) => ({
    x: box.left + x,
    y: box.top + y,
  }))
  return withTensor(networks, cutFaceChip(picture, inPicture), (chip) =>
    networks.recognizer.computeFaceDescriptor(chip),
  )
}

async function withTensor<Result>(
  networks: FaceNetworks,
  { data, width, height }: RgbPicture,
  use: (tensor: ReturnType<FaceNetworks['toTensor']>) => Promise<Result>,
): Promise<Result> {
  const tensor = networks.toTensor(data, width, height)
  try {
    return await use(tensor)
  } finally {
    tensor.dispose()
  }
}

/** Returns the part of a box that lies in the picture, in whole pixels, or null if none does. */
function clip({ left, top, width, height }: Box, picture: RgbPicture): Box | null {
  const [x0, y0] = [Math.max(0, Math.round(left)), Math.max(0, Math.round(top))]
  const x1 = Math.min(picture.width, Math.round(left + width))
  const y1 = Math.min(picture.height, Math.round(top + height))
  return x1 > x0 && y1 > y0 ? { left: x0, top: y0, width: x1 - x0, height: y1 - y0 } : null
}

function cut({ data, width: fullWidth }: RgbPicture, { left, top, width, height }: Box): RgbPicture {
  const part = new Uint8Array(width * height * 3)
  for (let row = 0; row < height; row++) {
    const from = ((top + row) * fullWidth + left) * 3
    part.set(data.subarray(from, from + width * 3), row * width * 3)
  }
  return { data: part, width, height }
}

function distance(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (const [index, value] of one.entries()) sum += (value - (other[index] ?? 0)) ** 2
  return Math.sqrt(sum)
}
