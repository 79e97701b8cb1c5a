import { spawnSync } from 'node:child_process'

/** Ends only what hangs: the longest of them takes seconds on an idle machine. */
const TIMEOUT_MS = 120_000

/**
 * Runs a program of media that tests compare ours with, to its end. `-v error` is added for ffmpeg and ffprobe.
 *
 * @param input its standard input
 * @throws Error with its messages, if it fails, hangs or complains
 */
export function runTool(
  program: 'ffmpeg' | 'ffprobe' | 'sox',
  args: readonly string[],
  input?: Uint8Array,
): Buffer {
  const { status, signal, error, stdout, stderr } = spawnSync(
    program,
    program === 'sox' ? args : ['-v', 'error', ...args],
    { input, timeout: TIMEOUT_MS, killSignal: 'SIGKILL', maxBuffer: 2 ** 28 },
  )
  if (status !== 0 || stderr.length > 0)
    throw new Error(`${program} ended with ${status ?? signal}: ${String(stderr)}`, { cause: error })
  return stdout
}

/** Makes an H.264 video. @param source options of ffmpeg's input, such as `['-f', 'lavfi', '-i', 'testsrc2=rate=15']` */
export function makeVideo(file: string, source: readonly string[]): void {
  runTool('ffmpeg', ['-y', ...source, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', file])
}
