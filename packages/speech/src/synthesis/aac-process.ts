import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { SpeechError } from '../speech-error.ts'
import { ENCODED_STREAM_SAMPLE_RATE_HZ } from '../stream/models.ts'

/** CPU time. The longest stream, an hour, takes less than a minute. */
const PROCESSOR_SECONDS = 300
/** Time in which ffmpeg takes the next piece or ends, after which it is stuck. */
const STUCK_MS = 30_000
/** Bytes of samples, 170 ms, after which some of the stream is ready, and how long to wait for it. */
const READY_AFTER_BYTES = 8192
const READY_MS = 250
const MAX_ALLOCATION_BYTES = 64 * 1024 * 1024

/** A process of ffmpeg that encodes speech to AAC-LC in ADTS frames, which players can begin to play anywhere. */
export interface AacProcess {
  /** Takes 16-bit little-endian samples and returns the bytes that are ready. */
  encode(pcm: Uint8Array): Promise<Uint8Array>
  /** Returns the rest of the stream. */
  finish(): Promise<Uint8Array>
  /** Kills the process. Idempotent. */
  close(): void
}

/**
 * Starts ffmpeg. It is given numbers only, its environment contains only `PATH`, and it ends when this process does, because
 * its input ends then.
 *
 * @throws SpeechError `encoder_missing` if it is not installed
 */
export async function startAacProcess({
  kbps,
  program,
}: {
  kbps: number
  program: string
}): Promise<AacProcess> {
  const limits = `-v error -nostdin -threads 1 -max_alloc ${MAX_ALLOCATION_BYTES} -timelimit ${PROCESSOR_SECONDS}`
  // The input needs no probing, and nothing in the output may depend on the version or wait for more.
  const input = `-probesize 32 -analyzeduration 0 -f s16le -ar ${ENCODED_STREAM_SAMPLE_RATE_HZ} -ac 1 -i pipe:0`
  const output = `-c:a aac -b:a ${kbps}k -fflags +bitexact -flags:a +bitexact -flush_packets 1 -f adts pipe:1`
  const child = spawn(program, `${limits} ${input} ${output}`.split(' '), {
    env: { PATH: process.env['PATH'] ?? '' },
  })
  try {
    await once(child, 'spawn')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')
      throw new SpeechError('encoder_missing', 'AAC is encoded by ffmpeg, which is not installed', { cause })
    throw failed(cause)
  }
  return new FfmpegAac(child)
}

class FfmpegAac implements AacProcess {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #closed: Promise<void>
  #ready: Buffer[] = []
  /** Bytes that were given since the stream last went on. */
  #givenBytes = 0
  #exitCode: number | null | undefined

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child
    child.stdout.on('data', (chunk: Buffer) => this.#ready.push(chunk))
    child.stderr.resume()
    // A process that has ended fails the next call.
    child.stdin.on('error', () => undefined)
    child.on('error', () => undefined)
    this.#closed = new Promise((resolve) => {
      child.once('close', (code) => {
        this.#exitCode = code
        resolve()
      })
    })
  }

  async encode(pcm: Uint8Array): Promise<Uint8Array> {
    if (this.#exitCode !== undefined) throw failed()
    await this.#inTime(new Promise<void>((resolve) => void this.#child.stdin.write(pcm, () => resolve())))
    this.#givenBytes += pcm.length
    if (this.#givenBytes >= READY_AFTER_BYTES && this.#ready.length === 0) await this.#nextBytes()
    if (this.#ready.length > 0) this.#givenBytes = 0
    return this.#take()
  }

  async finish(): Promise<Uint8Array> {
    this.#child.stdin.end()
    await this.#inTime(this.#closed)
    if (this.#exitCode !== 0) throw failed()
    return this.#take()
  }

  close(): void {
    this.#child.kill('SIGKILL')
  }

  #take(): Uint8Array {
    const ready = this.#ready
    this.#ready = []
    return Buffer.concat(ready)
  }

  /** Waits for output, so that listeners hear what was spoken. What is not ready soon comes later. */
  async #nextBytes(): Promise<void> {
    const stop = new AbortController()
    const { signal } = stop
    const more = once(this.#child.stdout, 'data', { signal }).catch(() => undefined)
    const later = setTimeout(READY_MS, undefined, { signal }).catch(() => undefined)
    await Promise.race([more, later, this.#closed])
    stop.abort()
  }

  /** Kills the process if it does not get on, so that nobody waits for it. */
  async #inTime(step: Promise<void>): Promise<void> {
    const timer = new AbortController()
    const stuck = setTimeout(STUCK_MS, undefined, { signal: timer.signal }).then(() => this.close())
    stuck.catch(() => undefined)
    await Promise.race([step, this.#closed])
    timer.abort()
  }
}

const failed = (cause?: unknown): SpeechError =>
  new SpeechError('engine_failed', 'ffmpeg could not encode the speech', { cause })
