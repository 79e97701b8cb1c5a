import type { Point } from '../../faces/face-api/face-chip.ts'
import { type FlattenedFace, frameOf, meanOf } from './flatten-faces.ts'

/** Upper and lower inner lip, landmarks of iBUG. */
const LIPS = [
  [61, 67],
  [62, 66],
  [63, 65],
] as const
const EYES = { left: [36, 37, 38, 39, 40, 41], right: [42, 43, 44, 45, 46, 47] } as const
/** The least noise that is assumed, in distances of the eyes, because few answers may agree by chance. */
const LEAST_NOISE = 0.006
/**
 * Steps from one frame to the next are ranked, and this share of them may be larger than the step that counts. So a cut to another face, or a
 * few photographs in turn, are not motion.
 */
const LARGEST_STEPS = 0.25

/** How the face of a video moves. Lengths are in distances of the eyes. */
export interface HeadMotion {
  /** Steps of the opening of the lips in the flattened face, as a multiple of the noise of the landmarks. */
  readonly lips: number
  /** How much the upright face changes its form, as it does if a head or a picture turns. */
  readonly turning: number
}

/** Measures faces of consecutive frames. Needs two or more. */
export function measureMotion(faces: readonly FlattenedFace[]): HeadMotion {
  const eyes = distanceOfEyes(meanOf(faces.map(({ flattened }) => meanOf(flattened))))
  const openings = faces.map(({ flattened }) => flattened.map((answer) => openingOf(answer) / eyes))
  const noise = Math.max(LEAST_NOISE, median(openings.map(deviationOf)))
  const means = openings.map(average)
  const steps = means.slice(1).map((mean, index) => Math.abs(mean - (means[index] ?? mean)))
  const counted = steps.toSorted((a, b) => b - a)[Math.floor(LARGEST_STEPS * steps.length)] ?? 0
  return { lips: counted / noise, turning: turningOf(faces.map(({ upright }) => upright)) }
}

/** Returns the root mean square of the distances of landmarks from their means over time. */
function turningOf(faces: readonly (readonly Point[])[]): number {
  const mean = meanOf(faces)
  const eyes = distanceOfEyes(mean)
  const frame = frameOf(mean)
  const squares = faces.map((face) =>
    average(
      frameOf(face).map(
        ({ x, y }, index) => (x - (frame[index]?.x ?? x)) ** 2 + (y - (frame[index]?.y ?? y)) ** 2,
      ),
    ),
  )
  return Math.sqrt(average(squares)) / eyes
}

const distanceBetween = (one: Point | undefined, other: Point | undefined): number =>
  one === undefined || other === undefined ? 0 : Math.hypot(one.x - other.x, one.y - other.y)

const openingOf = (landmarks: readonly Point[]): number =>
  average(LIPS.map(([upper, lower]) => distanceBetween(landmarks[upper], landmarks[lower])))

function distanceOfEyes(landmarks: readonly Point[]): number {
  const middle = (eye: readonly number[]): Point | undefined =>
    meanOf(eye.map((landmark) => landmarks.slice(landmark, landmark + 1)))[0]
  return distanceBetween(middle(EYES.left), middle(EYES.right))
}

const average = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Returns the standard deviation of a sample. */
function deviationOf(values: readonly number[]): number {
  const mean = average(values)
  const sum = values.reduce((total, value) => total + (value - mean) ** 2, 0)
  return Math.sqrt(sum / Math.max(1, values.length - 1))
}
