import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { pcm16Bytes } from '../convert/pcm16-bytes.ts'

export interface PlayOptions {
  sampleRateHz: number
  /** 1 by default. Samples of two channels are interleaved. */
  channels?: 1 | 2
  signal?: AbortSignal
  /** Environment of the player, whose `PATH` is searched for it. Default: `process.env`. */
  environment?: Readonly<Record<string, string | undefined>>
}

export class PlayError extends Error {
  override readonly name = 'PlayError'
  /** `no_player`: none of aplay, sox and ffplay is on the PATH. `player_failed`: it exited with an error. */
  readonly code: 'no_player' | 'player_failed'

  constructor(code: PlayError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** Programs that play raw samples from standard input, in order of preference. */
const PROGRAMS: readonly (readonly [
  program: string,
  options: (rateHz: number, channels: 1 | 2) => string,
])[] = [
  [
    'aplay',
    (rate, channels) => `--quiet --file-type=raw --format=S16_LE --channels=${channels} --rate=${rate}`,
  ],
  ['play', (rate, channels) => `-q -t raw -e signed -b 16 -L -c ${channels} -r ${rate} -`],
  [
    'ffplay',
    (rate, channels) =>
      `-loglevel error -nodisp -autoexit -f s16le -ar ${rate} -ch_layout ${channels === 1 ? 'mono' : 'stereo'} -i -`,
  ],
]

/**
 * Plays a stream of samples on this machine in real time, through aplay, sox or ffplay.
 *
 * @throws PlayError if no player is installed or the player fails; the signal's reason if it aborts
 * @example
 * await play(stream, { sampleRateHz: 16_000 })
 */
export async function play(
  stream: AsyncIterable<Int16Array> | Iterable<Int16Array>,
  { sampleRateHz, channels = 1, signal, environment = process.env }: PlayOptions,
): Promise<void> {
  signal?.throwIfAborted()
  const found = PROGRAMS.find(([program]) => isOnPath(program, environment['PATH']))
  if (found === undefined) throw new PlayError('no_player', 'None of aplay, play (sox) and ffplay was found')
  const [program, options] = found
  const child = spawn(program, options(sampleRateHz, channels).split(' '), {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...environment },
  })
  const exited = once(child, 'exit') as Promise<[code: number | null]>
  const failure = await pipeline(bytesOf(stream), child.stdin, signal ? { signal } : {}).then(
    () => null,
    (error: unknown) => ({ error }),
  )
  // If the program exited early, the pipe reports only that it broke; the exit code below reports the failure.
  const isBroken =
    failure?.error instanceof Error && 'code' in failure.error && isPipeCode(failure.error.code)
  if (failure !== null && !isBroken) child.kill('SIGKILL')
  const [code] = await exited
  signal?.throwIfAborted()
  if (failure !== null && !isBroken) throw failure.error
  if (code !== 0) throw new PlayError('player_failed', `${program} ended with ${code}`)
}

const isPipeCode = (code: unknown) => code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE'

/** Copies the samples, because the caller may reuse its array before they are written. */
async function* bytesOf(
  stream: AsyncIterable<Int16Array> | Iterable<Int16Array>,
): AsyncGenerator<Uint8Array> {
  for await (const samples of stream) yield pcm16Bytes(samples).slice()
}

function isOnPath(program: string, searchPath = ''): boolean {
  return searchPath.split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
