import { createRandom } from '../../scripts/random.ts'
import type { RgbPicture } from '../../src/image/rgb-picture.ts'

/** Side of a frame, as engines get it. */
const SIDE = 640
const PRINT_FRAMES = 10
/** Focal length of the camera and distance of the print, in pixels: near, so that a tilt shows strong perspective. */
const FOCAL = 700
const GRAIN = 6

/** Where a print is at one time. Angles are in radians and shifts in pixels; `bend` is the angle that its width spans. */
interface Pose {
  readonly yaw?: number
  readonly pitch?: number
  readonly roll?: number
  readonly x?: number
  readonly y?: number
  readonly scale?: number
  readonly bend?: number
}
type Path = (time: number, random: () => number) => Pose

const wave = (time: number, turns: number, phase = 0) => Math.sin(2 * Math.PI * (turns * time + phase))
const jitter = (random: () => number, range: number) => (2 * random() - 1) * range

/** Ways to show a photograph to a camera. */
const PATHS = {
  'a still': () => ({}),
  'held in a hand': (_time: number, random: () => number) => ({
    x: jitter(random, 6),
    y: jitter(random, 6),
    roll: jitter(random, 0.02),
    yaw: jitter(random, 0.05),
    pitch: jitter(random, 0.05),
  }),
  'panned and zoomed': (time) => ({
    x: 90 * wave(time, 1.5),
    y: 60 * wave(time, 1, 0.2),
    scale: 0.9 + 0.25 * wave(time, 1),
  }),
  'turned sideways': (time) => ({ yaw: 0.7 * wave(time, 2), roll: 0.05 * wave(time, 1) }),
  'turned all ways': (time) => ({
    yaw: 0.6 * wave(time, 2),
    pitch: 0.5 * wave(time, 1.3, 0.1),
    roll: 0.25 * wave(time, 0.8),
    x: 30 * wave(time, 1),
  }),
  'bent and turned': (time) => ({ bend: 1.4, yaw: 0.6 * wave(time, 2), pitch: 0.15 * wave(time, 1) }),
  'bent more and less': (time) => ({
    bend: 0.9 + 0.9 * wave(time, 1.7),
    yaw: 0.4 * wave(time, 1.1),
    pitch: 0.2 * wave(time, 0.7),
  }),
} satisfies Record<string, Path>
export type PrintPath = keyof typeof PATHS
export const PRINT_PATHS: readonly PrintPath[] = Object.keys(PATHS).filter(
  (path): path is PrintPath => path in PATHS,
)

/** Renders the frames of a video of a photograph that is shown to a pinhole camera, before a plain wall. */
export function* renderPrint(photograph: RgbPicture, path: PrintPath, seed: number): Generator<RgbPicture> {
  const random = createRandom(seed)
  const poseAt: Path = PATHS[path]
  for (let frame = 0; frame < PRINT_FRAMES; frame++)
    yield renderPose(photograph, poseAt(frame / PRINT_FRAMES, random), random)
}

/** Renders two photographs that are shown in turn: the other one takes the place of the first for a while. */
export function* renderInTurn(one: RgbPicture, other: RgbPicture, seed: number): Generator<RgbPicture> {
  const random = createRandom(seed)
  for (let frame = 0; frame < PRINT_FRAMES; frame++) {
    const isOther = frame >= 0.3 * PRINT_FRAMES && frame < 0.7 * PRINT_FRAMES
    yield renderPose(isOther ? other : one, PATHS['held in a hand'](0, random), random)
  }
}

/** Renders a print whose lower half, from the lips down, is cut and slides up and down before something dark. */
export function* renderPuppet(photograph: RgbPicture, seed: number): Generator<RgbPicture> {
  const random = createRandom(seed)
  const { data, width, height } = photograph
  // A head that is cut with half a face around it has its lips here.
  const lips = Math.round(0.66 * height)
  for (let frame = 0; frame < PRINT_FRAMES; frame++) {
    const gap = Math.round(0.04 * height * random())
    const moved = new Uint8Array(data)
    moved.fill(30, lips * width * 3, (lips + gap) * width * 3)
    moved.set(data.subarray(lips * width * 3, (height - gap) * width * 3), (lips + gap) * width * 3)
    yield renderPose({ data: moved, width, height }, PATHS['held in a hand'](0, random), random)
  }
}

type Vector = readonly [x: number, y: number, z: number]

function renderPose(photograph: RgbPicture, pose: Pose, random: () => number): RgbPicture {
  const { yaw = 0, pitch = 0, roll = 0, x = 0, y = 0, scale = 1, bend = 0 } = pose
  const largest = Math.max(photograph.width, photograph.height)
  const pixels = (0.95 * SIDE * scale) / largest
  const width = pixels * photograph.width
  /** Turns a vector of the camera into the axes of the print. */
  const toPrint = (one: Vector): Vector => {
    const [x1, z1] = turn(one[0], one[2], yaw)
    const [y2, z2] = turn(one[1], z1, pitch)
    const [x3, y3] = turn(x1, y2, roll)
    return [x3, y3, z2]
  }
  const camera = toPrint([-x, -y, -FOCAL])
  const data = new Uint8Array(SIDE * SIDE * 3)
  const colour = new Float64Array(3)
  for (let row = 0; row < SIDE; row++)
    for (let column = 0; column < SIDE; column++) {
      const ray = toPrint([column - SIDE / 2, row - SIDE / 2, FOCAL])
      const hit = bend < 0.02 ? hitPlane(camera, ray) : hitCylinder(camera, ray, width / bend)
      colour.fill(90 + column / 16)
      if (hit !== null)
        readPixel(
          photograph,
          hit.across / pixels + photograph.width / 2,
          hit.down / pixels + photograph.height / 2,
          colour,
        )
      const grain = jitter(random, GRAIN)
      for (let channel = 0; channel < 3; channel++)
        data[(row * SIDE + column) * 3 + channel] = Math.min(255, Math.max(0, (colour[channel] ?? 0) + grain))
    }
  return { data, width: SIDE, height: SIDE }
}

const turn = (one: number, other: number, angle: number): readonly [number, number] => [
  Math.cos(angle) * one - Math.sin(angle) * other,
  Math.sin(angle) * one + Math.cos(angle) * other,
]

/** Place on the print, from its middle. */
interface Hit {
  readonly across: number
  readonly down: number
}

function hitPlane(from: Vector, ray: Vector): Hit {
  const distance = -from[2] / ray[2]
  return { across: from[0] + distance * ray[0], down: from[1] + distance * ray[1] }
}

/** Meets a cylinder with an upright axis, which bulges towards the camera. */
function hitCylinder(from: Vector, ray: Vector, radius: number): Hit | null {
  const depth = from[2] - radius
  const a = ray[0] ** 2 + ray[2] ** 2
  const b = from[0] * ray[0] + depth * ray[2]
  const c = from[0] ** 2 + depth ** 2 - radius ** 2
  const root = b * b - a * c
  if (root < 0) return null
  const distance = (-b - Math.sqrt(root)) / a
  const [x, z] = [from[0] + distance * ray[0], depth + distance * ray[2]]
  return { across: radius * Math.atan2(x, -z), down: from[1] + distance * ray[1] }
}

/** Reads the colour between pixels; leaves it as it is outside the picture. */
function readPixel({ data, width, height }: RgbPicture, x: number, y: number, into: Float64Array): void {
  const [left, top] = [Math.floor(x), Math.floor(y)]
  if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) return
  const [right, down] = [x - left, y - top]
  for (let channel = 0; channel < 3; channel++) {
    const at = (top * width + left) * 3 + channel
    const upper = (data[at] ?? 0) * (1 - right) + (data[at + 3] ?? 0) * right
    const lower = (data[at + width * 3] ?? 0) * (1 - right) + (data[at + width * 3 + 3] ?? 0) * right
    into[channel] = upper * (1 - down) + lower * down
  }
}
