import type { Point } from '../../faces/face-api/face-chip.ts'
import { applyWarp, fitWarp, IDENTITY, type Warp } from './warp.ts'

/** Of the 68 landmarks of iBUG, those by which faces are laid over each other: jaw, brows, root of the nose and corners of the eyes. */
const FRAME_OF_FACE = [...Array.from({ length: 28 }, (_, landmark) => landmark), 36, 39, 42, 45]
/** Repetitions, after which a print that is turned by 40° lies on itself. */
const STEPS = 6

/**
 * Looks at one frame through a warp, which takes places of the flattened face to places of the frame.
 *
 * @returns the 68 landmarks of the flattened face, once for each answer that was asked for
 */
export type Look = (warp: Warp, answers: 'one' | 'all') => Promise<readonly (readonly Point[])[]>

/** Several answers about the landmarks of one face. */
export type Answers = readonly (readonly Point[])[]

/** The face of one frame. */
export interface FlattenedFace {
  /** Landmarks of the upright face. */
  readonly upright: readonly Point[]
  /** Landmarks of the face laid over the same face in all frames. */
  readonly flattened: Answers
}

/**
 * Lays the faces of all frames over one of them, by warps that undo whatever a flat or bent picture does before a camera. What still differs
 * is not flat.
 *
 * A network of landmarks has learned heads, so it sees some depth in a picture that is turned. Therefore it looks again at the flattened
 * face, until flattening changes nothing. A flat picture is then the same picture in each frame, and has the same landmarks.
 */
export async function flattenFaces(looks: readonly Look[]): Promise<readonly FlattenedFace[]> {
  const first: (readonly Point[])[] = []
  for (const look of looks) first.push(meanOf(await look(IDENTITY, 'all')))
  const reference = first[indexOfMedoid(first)]
  if (reference === undefined) return []
  const target = frameOf(reference)
  const faces: FlattenedFace[] = []
  for (const [frame, look] of looks.entries()) {
    const upright = first[frame] ?? reference
    let warp = fitWarp(target, frameOf(upright))
    for (let step = 0; step < STEPS; step++) {
      const seen = meanOf(await look(warp, 'one'))
      const before = warp
      warp = fitWarp(
        target,
        frameOf(seen).map((point) => applyWarp(before, point)),
      )
    }
    faces.push({ upright, flattened: await look(warp, 'all') })
  }
  return faces
}

/** Returns the landmarks by which faces are laid over each other. */
export const frameOf = (landmarks: readonly Point[]): Point[] =>
  FRAME_OF_FACE.flatMap((index) => landmarks[index] ?? [])

/** Returns the face whose landmarks are nearest to those of all others. */
function indexOfMedoid(faces: readonly (readonly Point[])[]): number {
  const distances = faces.map((one) => faces.reduce((sum, other) => sum + distanceBetween(one, other), 0))
  return distances.indexOf(Math.min(...distances))
}

const distanceBetween = (one: readonly Point[], other: readonly Point[]): number =>
  one.reduce(
    (sum, { x, y }, index) => sum + Math.hypot(x - (other[index]?.x ?? x), y - (other[index]?.y ?? y)),
    0,
  )

/** Returns the mean of several answers, landmark by landmark. */
export function meanOf(answers: Answers): readonly Point[] {
  return (answers[0] ?? []).map((_, landmark) => {
    let [x, y] = [0, 0]
    for (const answer of answers) {
      x += (answer[landmark]?.x ?? 0) / answers.length
      y += (answer[landmark]?.y ?? 0) / answers.length
    }
    return { x, y }
  })
}
