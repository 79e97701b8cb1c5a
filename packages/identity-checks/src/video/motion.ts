import { type CheckResult, notRun } from '../check.ts'
import type { Frames } from './read-frames.ts'

const MODEL = 'block-motion/1'
/** Mean difference of 8 by 8 blocks from frame to frame. Measured: frozen 0.00, a still with noise 0.40, moving 2 to 13. */
const MOTION = { frozen: 0.1, little: 0.8 }
/** Of the best match of the video with itself, shifted, to the difference of neighbours. Measured: looped 0.3, others above 1. */
const LOOP = 0.5
const DARK_LUMA = 16
const BLOCK = 8
const MIN_FRAMES = 8
/** In frames: a shorter repetition is how people move. */
const MIN_LAG = 3

/** Whether the video moves as one of a person does: not frozen, not looped, not black. No proof of life. */
export function checkMotion(frames: Frames | null): CheckResult {
  if (frames === null) return notRun('video_motion', 'no_frame_extractor')
  if (frames.frames.length < MIN_FRAMES) return notRun('video_motion', 'too_few_frames')
  const blocks = frames.frames.map((frame) => averageBlocks(frame, frames))
  const differences = blocks.slice(1).map((block, index) => difference(block, blocks[index] ?? block))
  const motion = differences.toSorted((a, b) => a - b)[differences.length >> 1] ?? 0
  const luma = Math.max(...blocks.map((block) => block.reduce((sum, value) => sum + value, 0) / block.length))
  const repetition = measureRepetition(blocks) / Math.max(motion, 1e-6)
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
      repetition: round(Math.min(repetition, 100)),
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
  return a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length
}

/** How unlike the video is to itself, at the shift where it is most alike. */
function measureRepetition(blocks: readonly Float32Array[]): number {
  let least = Number.POSITIVE_INFINITY
  for (let lag = MIN_LAG; lag <= blocks.length / 2; lag++) {
    const pairs = blocks.slice(lag).map((block, index) => difference(block, blocks[index] ?? block))
    least = Math.min(least, pairs.reduce((sum, value) => sum + value, 0) / pairs.length)
  }
  return least
}
