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
/**
 * Of a video's own frames every first, second or so on, never some between them: a loop is then compared with the same frames of
 * itself. Of 24 frames a second that are sampled 15 times, those that repeat are mostly not the ones that were taken.
 */
const RATE = { min: 4, max: 30, unknown: 15 }
const MAX_SECONDS = 10
const TIMEOUT_MS = 8000

/** Only what a phone records, as each decoder is a way in. */
const OPTIONS =
  '-v error -nostdin -threads 1 -protocol_whitelist file,pipe -format_whitelist mov,matroska -codec_whitelist h264,hevc,vp8,vp9,av1,libdav1d,libvpx-vp9,aac,opus,vorbis'

/**
 * Frames of a video by the program ffmpeg, in a process of its own with an empty environment; null where it is not on
 * this machine. A damaged file gives the frames that could be read.
 */
export async function readFrames(file: string, program = 'ffmpeg'): Promise<Frames | null> {
  const own = `source_fps*ceil(${RATE.min}/source_fps)/ceil(source_fps/${RATE.max})`
  const bytes = await run(program, file, {
    rate: `'if(between(source_fps,0.1,1000000),${own},${RATE.unknown})'`,
    width: WIDTH,
    height: HEIGHT,
    // Its header tells the rate that came of it.
    output: `-t ${MAX_SECONDS} -f yuv4mpegpipe -pix_fmt gray`,
  })
  return bytes && splitY4m(bytes)
}

/** A few pictures of a video in colour, one for each second, padded to a square; null where ffmpeg is not there. */
export async function readPictures(file: string, program = 'ffmpeg'): Promise<readonly RgbPicture[] | null> {
  const size = { width: PICTURE_WIDTH, height: PICTURE_HEIGHT }
  const output = `-frames:v ${MAX_PICTURES} -f rawvideo -pix_fmt rgb24`
  const bytes = await run(program, file, { ...size, rate: String(PICTURES_PER_SECOND), output })
  const length = size.width * size.height * 3
  return bytes && split(bytes, { length }).map((data) => ({ ...size, data }))
}

/** YUV4MPEG2: a line of parameters, then each frame after a line of its own. */
function splitY4m(bytes: Buffer): Frames {
  const headerLength = bytes.indexOf('\n') + 1
  const header = bytes.toString('latin1', 0, headerLength)
  const [, frames, seconds] = / F(\d+):(\d+)/.exec(header) ?? []
  return {
    width: WIDTH,
    height: HEIGHT,
    perSecond: frames === undefined ? RATE.unknown : Number(frames) / Number(seconds),
    frames: split(bytes.subarray(headerLength), { before: 'FRAME\n'.length, length: WIDTH * HEIGHT }),
  }
}

function split(bytes: Buffer, { before = 0, length }: { before?: number; length: number }): Buffer[] {
  const step = before + length
  return Array.from({ length: Math.floor(bytes.length / step) }, (_, index) =>
    bytes.subarray(index * step + before, (index + 1) * step),
  )
}

interface Sampling {
  /** Frames a second, in the language of the filter `fps`. */
  rate: string
  width: number
  height: number
  output: string
}

async function run(
  program: string,
  file: string,
  { rate, width, height, output }: Sampling,
): Promise<Buffer | null> {
  const filter = [
    `fps=${rate}`,
    `scale=${width}:${height}:force_original_aspect_ratio=decrease`,
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2`,
  ].join(',')
  const options = [...OPTIONS.split(' '), '-i', file, '-an', '-sn', '-dn', '-vf', filter]
  const child = spawn(program, [...options, ...output.split(' '), 'pipe:1'], {
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
  return Buffer.concat(chunks)
}
