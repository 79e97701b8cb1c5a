import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { encodePcm, decodeFloat32, f32le } from '../../src/index.ts'

const FFMPEG_INPUT = (fromHz: number, file: string) => [
  '-v',
  'error',
  '-y',
  '-f',
  'f32le',
  '-ar',
  String(fromHz),
  '-ac',
  '1',
  '-i',
  file,
]
const FFMPEG_OUTPUT = (toHz: number, file: string) => ['-f', 'f32le', '-ar', String(toHz), '-ac', '1', file]
const SOX_RAW = (rateHz: number) => [
  '-t',
  'raw',
  '-e',
  'float',
  '-b',
  '32',
  '-L',
  '-c',
  '1',
  '-r',
  String(rateHz),
]

type Command = (
  fromHz: number,
  toHz: number,
  input: string,
  output: string,
) => [program: string, options: string[]]

/** Native resamplers, run as programs. With `null` as the filter, ffmpeg does everything except the resampling. */
const ffmpeg =
  (filter: string | null): Command =>
  (fromHz, toHz, input, output) => [
    'ffmpeg',
    [
      ...FFMPEG_INPUT(fromHz, input),
      ...(filter === null ? [] : ['-af', `aresample=osr=${toHz}${filter}`]),
      ...FFMPEG_OUTPUT(filter === null ? fromHz : toHz, output),
    ],
  ]

export const NATIVE: Readonly<Record<string, Command>> = {
  'ffmpeg, swr': ffmpeg(''),
  'ffmpeg, soxr of 20 bits (HQ)': ffmpeg(':resampler=soxr:precision=20'),
  'ffmpeg, soxr of 28 bits (VHQ)': ffmpeg(':resampler=soxr:precision=28'),
  'sox, rate -h': (fromHz, toHz, input, output) => [
    'sox',
    ['-D', ...SOX_RAW(fromHz), input, ...SOX_RAW(toHz), output, 'rate', '-h'],
  ],
}
const IDLE: Readonly<Record<string, Command>> = {
  ffmpeg: ffmpeg(null),
  sox: (fromHz, _, input, output) => ['sox', ['-D', ...SOX_RAW(fromHz), input, ...SOX_RAW(fromHz), output]],
}

export const isThere = (name: string): boolean => {
  const program = name.startsWith('sox') ? 'sox' : 'ffmpeg'
  return spawnSync(program, [program === 'sox' ? '--version' : '-version']).status === 0
}

/** Resamples with a native program. */
export function runNative(
  name: string,
  samples: Float32Array,
  rates: { fromHz: number; toHz: number },
): Float32Array {
  const folder = mkdtempSync(path.join(tmpdir(), 'pcm-bench-'))
  try {
    const input = path.join(folder, 'in')
    const output = path.join(folder, 'out')
    writeFileSync(input, encodePcm(samples, f32le))
    const [program, options] = (NATIVE[name] ?? ffmpeg(null))(rates.fromHz, rates.toHz, input, output)
    const { status, stderr } = spawnSync(program, options)
    if (status !== 0) throw new Error(`${name}: ${stderr.toString()}`)
    return decodeFloat32(new Uint8Array(readFileSync(output)), f32le)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Measures millions of input samples per second, minus the time that the program takes without resampling. */
export function nativeRate(name: string, rates: { fromHz: number; toHz: number }): number {
  const folder = mkdtempSync(path.join(tmpdir(), 'pcm-bench-'))
  try {
    const count = 60_000_000
    const input = path.join(folder, 'in')
    writeFileSync(
      input,
      new Uint8Array(Float32Array.from({ length: count }, (_, index) => Math.sin(index) / 2).buffer),
    )
    const timed = (command: Command): number => {
      const [program, options] = command(rates.fromHz, rates.toHz, input, '/dev/null')
      let best = Number.POSITIVE_INFINITY
      for (let round = 0; round < 3; round++) {
        const start = performance.now()
        spawnSync(program, options)
        best = Math.min(best, performance.now() - start)
      }
      return best
    }
    const command = NATIVE[name] ?? ffmpeg(null)
    const idle = IDLE[name.startsWith('sox') ? 'sox' : 'ffmpeg'] ?? ffmpeg(null)
    return count / (timed(command) - timed(idle)) / 1000
  } finally {
    rmSync(folder, { recursive: true })
  }
}
