import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Small grey pictures of a video, evenly in time. */
export interface Frames {
  readonly width: number
  readonly height: number
  readonly perSecond: number
  readonly frames: readonly Uint8Array[]
}

const WIDTH = 320
const HEIGHT = 240
const PER_SECOND = 4
const MAX_FRAMES = 48
const TIMEOUT_MS = 8000

/** Only what a phone records, as each decoder is a way in. */
const OPTIONS =
  '-v error -nostdin -threads 1 -protocol_whitelist file,pipe -format_whitelist mov,matroska -codec_whitelist h264,hevc,vp8,vp9,av1,libdav1d,libvpx-vp9,aac,opus,vorbis'
const FILTER = [
  `fps=${PER_SECOND}`,
  `scale=${WIDTH}:${HEIGHT}:force_original_aspect_ratio=decrease`,
  `pad=${WIDTH}:${HEIGHT}:(ow-iw)/2:(oh-ih)/2`,
].join(',')

/**
 * Frames of a video by the program ffmpeg, in a process of its own with an empty environment; null where it is not on
 * this machine. A damaged file gives the frames that could be read.
 */
export async function readFrames(file: string, program = 'ffmpeg'): Promise<Frames | null> {
  const output = `-an -sn -dn -vf ${FILTER} -frames:v ${MAX_FRAMES} -f rawvideo -pix_fmt gray pipe:1`
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
  const size = WIDTH * HEIGHT
  const count = Math.floor(bytes.length / size)
  return {
    width: WIDTH,
    height: HEIGHT,
    perSecond: PER_SECOND,
    frames: Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size)),
  }
}
