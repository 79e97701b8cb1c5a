import { type CheckResult, notRun } from '../check.ts'
import type { Frames } from './read-frames.ts'

const MODEL = 'block-motion/3'
/** Mean difference of blocks over a quarter of a second. Measured: frozen 0.00, a still with noise 0.60, moving 2 to 13. */
const MOTION = { frozen: 0.1, little: 0.8 }
/**
 * Of how unlike the video is to itself, shifted, to how unlike it is shifted a little less and a little more. Not to neighbouring
 * frames: those have their errors of compression in common. On the videos that it was set on: loops up to 0.27, but 0.43 for one that was
 * given another rate and compressed hard, uneven nods from 0.47, test pictures of which a part repeats from 0.56, others above 0.85.
 */
const LOOP = 0.36
const DARK_LUMA = 16
const BLOCK = 4
const MIN_SECONDS = 2
const MOTION_PER_SECOND = 4
/** An eighth of a second more or less: the longer, the looser a nod is taken for a loop; the shorter, the more it is drowned by noise. */
const BESIDE_SECONDS = 0.125
/** A shorter repetition is how people move. */
const MIN_LAG_SECONDS = 0.75
/** Of the video; what is left must be long enough to compare. */
const MAX_LAG = 0.6

/** Whether the video moves as one of a person does: not frozen, not looped, not black. No proof of life. */
export function checkMotion(frames: Frames | null): CheckResult {
  if (frames === null) return notRun('video_motion', 'no_frame_extractor')
  const { perSecond } = frames
  if (frames.frames.length < MIN_SECONDS * perSecond) return notRun('video_motion', 'too_few_frames')
  const blocks = frames.frames.map((frame) => averageBlocks(frame, frames))
  const motion = medianDifference(blocks, Math.max(1, Math.round(perSecond / MOTION_PER_SECOND)))
  const luma = Math.max(...blocks.map((block) => block.reduce((sum, value) => sum + value, 0) / block.length))
  const repetition = measureRepetition(blocks, perSecond)
  const { outcome, code, score } = judge({ motion, luma, repetition })
  const round = (value: number) => Math.round(value * 100) / 100
  return {
    check: 'video_motion',
    outcome,
    code,
    score,
    evidence: {
      motion: round(motion),
      motion_min: MOTION.little,
      repetition: round(repetition),
      repetition_min: LOOP,
      luma: round(luma),
      frames: frames.frames.length,
    },
    model: MODEL,
  }
}

function judge(measured: { motion: number; luma: number; repetition: number }) {
  const { motion, luma, repetition } = measured
  if (luma < DARK_LUMA) return { outcome: 'failed', code: 'video_black', score: 0 } as const
  if (motion < MOTION.frozen) return { outcome: 'failed', code: 'video_frozen', score: 0 } as const
  if (motion < MOTION.little) return { outcome: 'warning', code: 'video_frozen', score: 0.4 } as const
  if (repetition < LOOP) return { outcome: 'warning', code: 'video_looped', score: 0.4 } as const
  return { outcome: 'passed', code: 'video_moves', score: 1 } as const
}

function averageBlocks(frame: Uint8Array, { width, height }: Frames): Float32Array {
  const columns = width / BLOCK
  const blocks = new Float32Array(columns * (height / BLOCK))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const block = Math.floor(y / BLOCK) * columns + Math.floor(x / BLOCK)
      blocks[block] = (blocks[block] ?? 0) + (frame[y * width + x] ?? 0) / (BLOCK * BLOCK)
    }
  return blocks
}

function difference(a: Float32Array, b: Float32Array): number {
  // A loop, as every frame is compared with most others: several times as fast as `reduce`.
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += Math.abs((a[index] ?? 0) - (b[index] ?? 0))
  return sum / a.length
}

/** Of each frame to the one that is so many after it. */
const differences = (blocks: readonly Float32Array[], lag: number): number[] =>
  blocks.slice(lag).map((block, index) => difference(block, blocks[index] ?? block))

function medianDifference(blocks: readonly Float32Array[], lag: number): number {
  const all = differences(blocks, lag)
  return all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0
}

/** How unlike the video is to itself at the shift where it is most alike, to beside it; 1 where no shift is like another. */
function measureRepetition(blocks: readonly Float32Array[], perSecond: number): number {
  const beside = Math.max(1, Math.round(BESIDE_SECONDS * perSecond))
  const minLag = Math.ceil(MIN_LAG_SECONDS * perSecond)
  const maxLag = Math.floor(blocks.length * MAX_LAG)
  const unlike = Array.from({ length: maxLag + beside + 1 }, (_, lag) =>
    lag < minLag - beside ? 0 : meanDifference(blocks, lag),
  )
  let least = 1
  for (let lag = minLag; lag <= maxLag; lag++) {
    // The most unlike of each side, as a loop that is as short as that is alike at its end again.
    const before = Math.max(...unlike.slice(lag - beside, lag))
    const after = Math.max(...unlike.slice(lag + 1, lag + beside + 1))
    least = Math.min(least, (unlike[lag] ?? 0) / Math.max((before + after) / 2, 1e-6))
  }
  return least
}

function meanDifference(blocks: readonly Float32Array[], lag: number): number {
  const all = differences(blocks, lag)
  return all.reduce((sum, value) => sum + value, 0) / Math.max(1, all.length)
}
