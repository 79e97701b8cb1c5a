import { type CheckResult, notRun, unsure } from '../check.ts'
import type { Frames } from './read-frames.ts'

const MODEL = 'block-motion/3'
/**
 * Limits of the mean difference of blocks over a quarter of a second. Measured: frozen 0.00, noisy still 0.60, moving 2
 * to 13.
 */
const MOTION = { frozen: 0.1, little: 0.8 }
/**
 * Limit of the video's difference from itself at a time shift, relative to its differences at slightly smaller and larger
 * shifts. Adjacent frames are no reference, because they share compression errors. Values on the videos that it was set on:
 * loops up to 0.27, except 0.43 for one that was resampled and compressed hard; uneven nods from 0.47; test pictures that
 * repeat in part from 0.56; others above 0.85.
 */
const LOOP = 0.36
const DARK_LUMA = 16
const BLOCK = 4
const MIN_SECONDS = 2
const MOTION_PER_SECOND = 4
/** Distance of the reference shifts. A longer one takes looser nods for loops; with a shorter one, noise hides loops. */
const BESIDE_SECONDS = 0.125
/** Shorter repetitions occur in human movement. */
const MIN_LAG_SECONDS = 0.75
/** Maximum shift as a share of the video, so that the overlap is long enough to compare. */
const MAX_LAG = 0.6

/** Checks that the video moves like one of a person: not frozen, not looped, not black. It does not prove liveness. */
export function checkMotion(frames: Frames | null): CheckResult {
  if (frames === null) return notRun('video_motion', 'no_frame_extractor')
  const { perSecond } = frames
  if (frames.frames.length < MIN_SECONDS * perSecond) return unsure('video_motion', 'too_few_frames')
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
  // A loop is several times as fast as `reduce`, and every frame is compared with most others.
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += Math.abs((a[index] ?? 0) - (b[index] ?? 0))
  return sum / a.length
}

/** Returns the difference of each frame from the one `lag` frames later. */
const differences = (blocks: readonly Float32Array[], lag: number): number[] =>
  blocks.slice(lag).map((block, index) => difference(block, blocks[index] ?? block))

function medianDifference(blocks: readonly Float32Array[], lag: number): number {
  const all = differences(blocks, lag)
  return all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0
}

/** Returns the lowest relative difference over all shifts, or 1 if no shift has less difference than those beside it. */
function measureRepetition(blocks: readonly Float32Array[], perSecond: number): number {
  const beside = Math.max(1, Math.round(BESIDE_SECONDS * perSecond))
  const minLag = Math.ceil(MIN_LAG_SECONDS * perSecond)
  const maxLag = Math.floor(blocks.length * MAX_LAG)
  const unlike = Array.from({ length: maxLag + beside + 1 }, (_, lag) =>
    lag < minLag - beside ? 0 : meanDifference(blocks, lag),
  )
  let least = 1
  for (let lag = minLag; lag <= maxLag; lag++) {
    // Take the maximum of each side, because a loop as short as the side would match again at its end.
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
