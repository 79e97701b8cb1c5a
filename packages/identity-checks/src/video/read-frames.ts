import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { MediaError } from '../media/media-error.ts'
import type { Frame } from './frame.ts'

/** Small grey pictures of a video, evenly spaced in time. */
export interface Frames {
  readonly width: number
  readonly height: number
  readonly perSecond: number
  readonly frames: readonly Uint8Array[]
}

/** Pictures for engines are in colour, larger and fewer. */
const PICTURE_WIDTH = 640
const PICTURE_HEIGHT = 640

/** Pictures to take of a video, from its start. */
export interface PictureSampling {
  readonly perSecond: number
  readonly max: number
}
/** A face needs only a few pictures, because it does not change. */
export const FACE_SAMPLING: PictureSampling = { perSecond: 1, max: 6 }
/** Liveness is judged by the whole of the longest video. */
export const LIVENESS_SAMPLING: PictureSampling = { perSecond: 2, max: 20 }

const WIDTH = 160
const HEIGHT = 120
/**
 * Frames per second. Only every n-th of the video's own frames is sampled, so that repetitions of a loop are sampled at the
 * same frames. At other rates, such as 15 out of 24, mostly different frames of each repetition would be sampled.
 */
const RATE = { min: 4, max: 30, unknown: 15 }
const MAX_SECONDS = 10

/**
 * CPU time instead of wall time, so that a busy machine does not leave fewer frames to judge. Ten seconds of the largest
 * video at 60 frames per second take 20.
 */
const PROCESSOR_SECONDS = 30
/** Wall time after which ffmpeg is stuck, because it waits only for the disk. */
const STUCK_MS = 300_000
/** 4K. The 16 frames that a decoder may have to keep then take 350 MB. */
const MAX_PIXELS = 4096 * 2304

/**
 * Allows only formats that phones record, because each decoder is attack surface. Only `-v info` logs the signal that
 * ended it.
 */
const OPTIONS = `-v info -hide_banner -nostats -nostdin -threads 1 -max_pixels ${MAX_PIXELS} -protocol_whitelist file,pipe -format_whitelist mov,matroska -codec_whitelist h264,hevc,vp8,vp9,av1,libdav1d,libvpx-vp9,aac,opus,vorbis`

export interface FrameOptions {
  /** Path or name of the program. */
  program?: string
  processorSeconds?: number
}
const DEFAULTS = { program: 'ffmpeg', processorSeconds: PROCESSOR_SECONDS }

/**
 * Reads frames of a video with ffmpeg, in a separate process whose environment contains only `PATH`. Returns null if ffmpeg
 * is not installed. For a damaged file, returns the frames that could be read.
 *
 * @throws MediaError `decoding_timeout`
 */
export async function readFrames(file: string, options: FrameOptions = {}): Promise<Frames | null> {
  const own = `source_fps*ceil(${RATE.min}/source_fps)/ceil(source_fps/${RATE.max})`
  const bytes = await run({ ...DEFAULTS, ...options }, file, {
    rate: `'if(between(source_fps,0.1,1000000),${own},${RATE.unknown})'`,
    width: WIDTH,
    height: HEIGHT,
    // The header of this format contains the resulting rate.
    output: `-t ${MAX_SECONDS} -f yuv4mpegpipe -pix_fmt gray`,
  })
  return bytes && splitY4m(bytes)
}

/**
 * Reads pictures of a video in colour, evenly spaced in time and padded to a square. Returns null if ffmpeg is not installed.
 *
 * @throws MediaError `decoding_timeout`
 */
export async function readPictures(
  file: string,
  { perSecond, max }: PictureSampling,
  options: FrameOptions = {},
): Promise<readonly Frame[] | null> {
  const size = { width: PICTURE_WIDTH, height: PICTURE_HEIGHT }
  const output = `-frames:v ${max} -f rawvideo -pix_fmt rgb24`
  const bytes = await run({ ...DEFAULTS, ...options }, file, { ...size, rate: String(perSecond), output })
  const length = size.width * size.height * 3
  return (
    bytes &&
    split(bytes, { length }).map((data, index) => ({
      picture: { ...size, data },
      timeMs: Math.round((index * 1000) / perSecond),
    }))
  )
}

/** Splits YUV4MPEG2: a line of parameters, then for each frame a line and its data. */
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
  /** Frames per second, as an expression of the filter `fps`. */
  rate: string
  width: number
  height: number
  output: string
}

async function run(
  { program, processorSeconds }: Required<FrameOptions>,
  file: string,
  { rate, width, height, output }: Sampling,
): Promise<Buffer | null> {
  const filter = [
    `fps=${rate}`,
    `scale=${width}:${height}:force_original_aspect_ratio=decrease`,
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2`,
  ].join(',')
  const limit = ['-timelimit', String(processorSeconds)]
  const options = [...limit, ...OPTIONS.split(' '), '-i', file, '-an', '-sn', '-dn', '-vf', filter]
  const child = spawn(program, [...options, ...output.split(' '), 'pipe:1'], {
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: STUCK_MS,
    killSignal: 'SIGKILL',
  })
  const closed = once(child, 'close')
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  let lastWords = ''
  child.stderr.on('data', (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString('latin1')).slice(-LAST_WORDS_LENGTH)
  })
  try {
    const [code, signal] = await closed
    if (signal !== null || code === ENDED_BY_SIGNAL) throw toEnding(lastWords)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  return Buffer.concat(chunks)
}

/** Exit code of ffmpeg when a signal ends it. It still outputs the frames that it has so far. */
const ENDED_BY_SIGNAL = 255
const LAST_WORDS_LENGTH = 500

/** Returns a MediaError if ffmpeg exceeded its CPU time, for which the file is to blame. */
function toEnding(lastWords: string): Error {
  const number = Number(/received signal (\d+)/.exec(lastWords)?.[1])
  return number === constants.signals.SIGXCPU
    ? new MediaError('decoding_timeout', 'could not be decoded in time')
    : new Error('ffmpeg was ended by an external cause')
}
