/** Place and size of a face in a frame, in pixels. */
export interface Placed {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly timeMs: number
}

/** Shift between two frames, in sizes of the face, and ratio of sizes, beyond which they do not show the same face in one take. */
const MOST = { shift: 0.5, ratio: 1.5, gapMs: 1100 }

/** Returns the longest part of a video in which one face stays in view, without a cut. */
export function longestTake<Face extends Placed>(faces: readonly Face[]): readonly Face[] {
  const takes: Face[][] = []
  for (const face of faces) {
    const take = takes.at(-1)
    const before = take?.at(-1)
    if (take !== undefined && before !== undefined && follows(before, face)) take.push(face)
    else takes.push([face])
  }
  return takes.reduce<readonly Face[]>((longest, take) => (take.length > longest.length ? take : longest), [])
}

function follows(before: Placed, face: Placed): boolean {
  const shift = Math.hypot(face.x - before.x, face.y - before.y) / before.size
  const ratio = Math.max(face.size / before.size, before.size / face.size)
  return shift <= MOST.shift && ratio <= MOST.ratio && face.timeMs - before.timeMs <= MOST.gapMs
}
