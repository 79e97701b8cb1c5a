import { AudioError } from '../decode-audio/audio-error.ts'
import { decodeAudio } from '../decode-audio/decode-audio.ts'
import { detectWatermarks } from '../watermark/detect.ts'
import type { WatermarkDetection } from '../watermark/key-search.ts'

/** The highest band of the mark ends at 7970 Hz. */
const SEARCH_RATE_HZ = 16_000

/** A recording, and what to search it for. */
export interface RecordingToSearch {
  /** Path of a file of any type that `decodeAudio` knows. */
  file: string
  /** Keys that may have marked the recording, each of 32 bytes. */
  keys: readonly Uint8Array[]
  /** Longer recordings are refused. */
  maxSeconds: number
}

export interface RecordingSearch {
  durationSeconds: number
  /** The result of each key. */
  detections: WatermarkDetection[]
}

/** @throws AudioError */
export async function searchRecording(recording: RecordingToSearch): Promise<RecordingSearch> {
  const { file, keys, maxSeconds } = recording
  const samples = await decodeAudio({ file }, { sampleRateHz: SEARCH_RATE_HZ, maxSeconds })
  // Floating-point files can contain anything.
  if (!samples.every(Number.isFinite))
    throw new AudioError('damaged', 'contains samples that are not numbers')
  return {
    durationSeconds: samples.length / SEARCH_RATE_HZ,
    detections: detectWatermarks(samples, { keys, sampleRateHz: SEARCH_RATE_HZ }),
  }
}
