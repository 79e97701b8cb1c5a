import { randomUUID } from 'node:crypto'
import { open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AudioError } from './audio-error.ts'
import { checkBoxes } from './check-boxes.ts'
import { decodeWavFile } from './decode-wav.ts'
import { PROCESSOR_SECONDS, runFfmpeg } from './run-ffmpeg.ts'
import { SNIFF_BYTES, sniffAudio } from './sniff-audio.ts'

export interface DecodeAudioOptions {
  /** Rate of the result. */
  sampleRateHz: number
  /** Longer audio is refused. */
  maxSeconds: number
  /** Where bytes that ffmpeg decodes are written for that time, readable by this user only. Default: that of the system. */
  directory?: string
  /** Path or name of ffmpeg. */
  program?: string
  /** CPU time that ffmpeg may take. */
  processorSeconds?: number
  signal?: AbortSignal
}

/**
 * Decodes WAV, MP3, Ogg (Vorbis, Opus, FLAC), FLAC, MP4 (AAC, ALAC, Opus) or WebM (Vorbis, Opus) to mono samples from -1 to 1.
 * The type is detected by content. WAV is decoded in the calling thread, in slices of about a millisecond; the rest needs
 * ffmpeg on the PATH, which runs in a process of its own with limits of time and memory. Of a damaged file that is not WAV,
 * returns what can be decoded.
 *
 * @throws AudioError
 * @example
 * const samples = await decodeAudio({ file: 'voice.m4a' }, { sampleRateHz: 16_000, maxSeconds: 60 })
 * console.log(samples.length / 16_000, 'seconds')
 */
export async function decodeAudio(
  source: Uint8Array | { file: string },
  options: DecodeAudioOptions,
): Promise<Float32Array<ArrayBuffer>> {
  if (!(source instanceof Uint8Array)) return decodeFile(source.file, options)
  const file = path.join(options.directory ?? tmpdir(), `vaani-audio-${randomUUID()}`)
  try {
    await writeFile(file, source, { flag: 'wx', mode: 0o600 })
    return await decodeFile(file, options)
  } finally {
    await rm(file, { force: true })
  }
}

async function decodeFile(file: string, options: DecodeAudioOptions): Promise<Float32Array<ArrayBuffer>> {
  const {
    sampleRateHz,
    maxSeconds,
    signal,
    program = 'ffmpeg',
    processorSeconds = PROCESSOR_SECONDS,
  } = options
  if (signal?.aborted === true) throw new AudioError('aborted', 'was not decoded')
  const type = sniffAudio(await readStart(file))
  if (type === null) throw new AudioError('unknown_type', 'is not WAV, MP3, Ogg, FLAC, MP4 or WebM audio')
  if (type === 'mp4') await checkBoxes(file)
  const wanted = { sampleRateHz, maxSamples: Math.ceil(maxSeconds * sampleRateHz), signal }
  const samples =
    type === 'wav'
      ? await decodeWavFile(file, wanted)
      : await runFfmpeg(file, { ...wanted, type, program, processorSeconds })
  if (samples.length === 0) throw new AudioError('damaged', 'is damaged, or contains no audio')
  // A WAV of floating-point samples may hold anything.
  if (!samples.every(Number.isFinite)) throw new AudioError('damaged', 'has samples that are not numbers')
  return samples
}

async function readStart(file: string): Promise<Uint8Array> {
  await using handle = await open(file)
  const { buffer, bytesRead } = await handle.read(new Uint8Array(SNIFF_BYTES), 0, SNIFF_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}
