import type { Box, RgbPicture } from '../../image/rgb-picture.ts'
import type { Point } from './face-chip.ts'
import type { FaceNetworks } from './load-face-api.ts'

/**
 * Ways in which faces are looked for, until one is found. A picture is scaled to `side`: the larger finds smaller faces, such as that on a
 * passport. With a `margin`, a share of its sides that repeats its edges, a face that fills it is found.
 */
const ATTEMPTS = [
  { side: 416, margin: 0 },
  { side: 608, margin: 0 },
  { side: 416, margin: 0.6 },
] as const
/** Detections below this score are no faces. */
export const MIN_CONFIDENCE = 0.5

/** A face that the detector found, inside the picture and in whole pixels. */
export interface FoundFace {
  readonly box: Box
  readonly confidence: number
}

/** Returns the faces of a picture, the largest first. */
export async function findFaces(
  networks: FaceNetworks,
  picture: RgbPicture,
  maxFaces: number,
): Promise<readonly FoundFace[]> {
  for (const { side, margin } of ATTEMPTS) {
    const [across, down] = [Math.round(margin * picture.width), Math.round(margin * picture.height)]
    const options = networks.detectorOptions(side, MIN_CONFIDENCE)
    const found = await withTensor(networks, widen(picture, across, down), (tensor) =>
      networks.detector.locateFaces(tensor, options),
    )
    const largest = found.toSorted((a, b) => b.box.width * b.box.height - a.box.width * a.box.height)
    const faces = largest.slice(0, maxFaces).flatMap(({ score, box: { x, y, width, height } }) => {
      const box = clip({ left: x - across, top: y - down, width, height }, picture)
      return box === null ? [] : [{ box, confidence: Math.min(1, score) }]
    })
    if (faces.length > 0) return faces
  }
  return []
}

/** Returns the 68 landmarks of the face in a box, in pixels of the picture. */
export async function findLandmarks(
  networks: FaceNetworks,
  picture: RgbPicture,
  box: Box,
): Promise<readonly Point[]> {
  const { positions } = await withTensor(networks, cut(picture, box), (face) =>
    networks.landmarks.detectLandmarks(face),
  )
  return positions.map(({ x, y }) => ({ x: box.left + x, y: box.top + y }))
}

export async function withTensor<Result>(
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

/** Adds a margin that repeats the edges of a picture. */
function widen(picture: RgbPicture, across: number, down: number): RgbPicture {
  if (across === 0 && down === 0) return picture
  const [width, height] = [picture.width + 2 * across, picture.height + 2 * down]
  const data = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    const line = cutLine(picture, Math.min(picture.height - 1, Math.max(0, y - down)))
    const start = y * width * 3
    data.set(line, start + across * 3)
    for (let x = 0; x < across; x++) {
      data.set(line.subarray(0, 3), start + x * 3)
      data.set(line.subarray(-3), start + (width - 1 - x) * 3)
    }
  }
  return { data, width, height }
}

const cutLine = ({ data, width }: RgbPicture, y: number): Uint8Array =>
  data.subarray(y * width * 3, (y + 1) * width * 3)

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
