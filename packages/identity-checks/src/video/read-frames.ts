import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { RgbPicture } from '../image/rgb-picture.ts'

/** Small grey pictures of a video, evenly in time. */
export interface Frames {
  readonly width: number
  readonly height: number
  readonly perSecond: number
  readonly frames: readonly Uint8Array[]
}

/** What engines look at: in colour, larger, fewer. */
const PICTURE_WIDTH = 640
const PICTURE_HEIGHT = 640
const PICTURES_PER_SECOND = 1
const MAX_PICTURES = 6

const WIDTH = 160
const HEIGHT = 120
/** As phones record, or half of it, so that a loop is a whole number of frames, or near it. */
const PER_SECOND = 15
const MAX_FRAMES = 150
const TIMEOUT_MS = 8000

/** Only what a phone records, as each decoder is a way in. */
const OPTIONS =
  '-v error -nostdin -threads 1 -protocol_whitelist file,pipe -format_whitelist mov,matroska -codec_whitelist h264,hevc,vp8,vp9,av1,libdav1d,libvpx-vp9,aac,opus,vorbis'

interface RawVideo {
  width: number
  height: number
  perSecond: number
  maxFrames: number
  bytesPerPixel: 1 | 3
}

/**
 * Frames of a video by the program ffmpeg, in a process of its own with an empty environment; null where it is not on
 * this machine. A damaged file gives the frames that could be read.
 */
export async function readFrames(file: string, program = 'ffmpeg'): Promise<Frames | null> {
  const size = { width: WIDTH, height: HEIGHT, perSecond: PER_SECOND }
  const frames = await readRaw(file, program, { ...size, maxFrames: MAX_FRAMES, bytesPerPixel: 1 })
  return frames && { ...size, frames }
}

/** A few pictures of a video in colour, one for each second, padded to a square; null where ffmpeg is not there. */
export async function readPictures(file: string, program = 'ffmpeg'): Promise<readonly RgbPicture[] | null> {
  const size = { width: PICTURE_WIDTH, height: PICTURE_HEIGHT }
  const pace = { perSecond: PICTURES_PER_SECOND, maxFrames: MAX_PICTURES }
  const frames = await readRaw(file, program, { ...size, ...pace, bytesPerPixel: 3 })
  return frames?.map((data) => ({ ...size, data })) ?? null
}

async function readRaw(file: string, program: string, video: RawVideo): Promise<Uint8Array[] | null> {
  const { width, height, perSecond, maxFrames, bytesPerPixel } = video
  const filter = [
    `fps=${perSecond}`,
    `scale=${width}:${height}:force_original_aspect_ratio=decrease`,
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2`,
  ].join(',')
  const pixels = bytesPerPixel === 1 ? 'gray' : 'rgb24'
  const output = `-an -sn -dn -vf ${filter} -frames:v ${maxFrames} -f rawvideo -pix_fmt ${pixels} pipe:1`
  const child = spawn(program, [...OPTIONS.split(' '), '-i', file, ...output.split(' ')], {
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  const closed = once(child, 'close')
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  try {
    await closed
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  const bytes = Buffer.concat(chunks)
  const size = width * height * bytesPerPixel
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
}
