import { decodeInt16, encodePcm, mulaw } from '@vaani/pcm-audio'
import { expect } from 'vitest'

const FRAME_MS = 20

/** A frame of a tone that goes on from frame to frame. */
export function toneFrame(index: number, sampleRateHz: number): Int16Array {
  const length = (sampleRateHz * FRAME_MS) / 1000
  return Int16Array.from({ length }, (_, n) =>
    Math.round(9000 * Math.sin((2 * Math.PI * 437 * (index * length + n)) / sampleRateHz)),
  )
}

export const toneFrames = (count: number, sampleRateHz = 16_000): Int16Array[] =>
  Array.from({ length: count }, (_, index) => toneFrame(index, sampleRateHz))

export const pauses = (count: number): null[] => Array.from({ length: count }, () => null)

export const throughMulaw = (frame: Int16Array): Int16Array => decodeInt16(encodePcm(frame, mulaw), mulaw)

export const join = (frames: readonly Int16Array[]): Int16Array =>
  Int16Array.from(frames.flatMap((frame) => [...frame]))

/** Asserts that samples were heard after silence, bit for bit. */
export function expectHeard(heard: readonly Int16Array[], wanted: Int16Array): void {
  const all = join(heard)
  const start = all.findIndex((sample) => sample !== 0) - wanted.findIndex((sample) => sample !== 0)
  expect(start).toBeGreaterThanOrEqual(0)
  expect(all.subarray(start, start + wanted.length)).toEqual(wanted)
}
