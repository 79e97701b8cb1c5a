import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { SpeechError } from '@vaani/speech'
import { type ChunkQueue, createChunkQueue } from '@vaani/speech/engine-kit'
import type { ChildSettings, Job, ModelInfo, Reply, Request } from './messages.ts'

/** A process with one model, which speaks one segment at a time and is killed if it stalls. */
export interface ModelProcess {
  /** Rejects with a SpeechError if the model cannot be loaded. */
  readonly loaded: Promise<ModelInfo>
  /** Speaks. An error ends the queue: `text_refused`, or `engine_failed` if the process stalls or ends. */
  speak(job: Job): ChunkQueue
  /** Drops the rest of the job. The process is busy until it has finished its sentence. */
  cancel(): void
  /** Waits until the process is loaded and does nothing. @returns false if it has ended */
  idle(): Promise<boolean>
  /** Kills the process and waits for its end. */
  kill(): Promise<void>
}

export interface ProcessLimits {
  stallMs: number
  loadMs: number
}

/** The only variables passed on: native code that reads untrusted text must not have the server's secrets. */
const ENVIRONMENT = [
  'PATH',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'NODE_OPTIONS',
  'NODE_PATH',
  'TMPDIR',
  'TMP',
  'TEMP',
]
/** A model gives a sentence at once. It is passed on in chunks of about 100 ms, between which an abort ends it. */
const CHUNK_SAMPLES = 2205
/** A segment of 200 characters lasts some seconds. A model that never stops must not fill the memory. */
const MAX_SECONDS = 300
/** Length of what is reported of the output while a model loads. */
const OUTPUT_CHARACTERS = 1000
// The file lies beside this one, as TypeScript source or as a build.
const CHILD_URL = new URL(
  import.meta.url.endsWith('.ts') ? './model-child.ts' : './model-child.js',
  import.meta.url,
)

export const startModelProcess = (
  settings: ChildSettings,
  limits: ProcessLimits,
  childUrl = CHILD_URL,
): ModelProcess => new ChildModel(settings, limits, childUrl)

class ChildModel implements ModelProcess {
  readonly loaded: Promise<ModelInfo>
  readonly #limits: ProcessLimits
  readonly #child: ChildProcess
  readonly #loaded = Promise.withResolvers<ModelInfo>()
  readonly #ended = Promise.withResolvers<void>()
  #current: { id: number; queue: ChunkQueue; samples: number; free: PromiseWithResolvers<void> } | undefined
  /** Undefined until the model is loaded. */
  #maxSamples: number | undefined
  #isAlive = true
  #output = ''
  #timer: NodeJS.Timeout | undefined

  constructor(settings: ChildSettings, limits: ProcessLimits, childUrl = CHILD_URL) {
    this.#limits = limits
    this.#child = fork(fileURLToPath(childUrl), [JSON.stringify(settings)], {
      execArgv: process.execArgv.filter((option) => option.startsWith('--conditions=')),
      env: Object.fromEntries(ENVIRONMENT.map((name) => [name, process.env[name]])),
      // Keeps typed arrays as they are.
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child.on('message', (reply: Reply) => this.#receive(reply))
    // Until the model is loaded the library has seen no text, so its output may be reported.
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (this.#maxSamples === undefined) this.#output = (this.#output + text).slice(-OUTPUT_CHARACTERS)
    })
    this.#child.on('error', (cause) => {
      // A child that could not be started has no exit.
      if (this.#child.pid === undefined) this.#onEnd('The process of the model could not be started', cause)
    })
    // Not at its exit: its last output may still be on the way.
    this.#child.on('close', () =>
      this.#onEnd(
        this.#maxSamples !== undefined
          ? 'The process of the model ended'
          : `The model cannot be loaded: ${this.#output.trim() || 'no reason given'}`,
      ),
    )
    this.#loaded.promise.catch(() => undefined)
    this.#limit(limits.loadMs)
    this.loaded = this.#loaded.promise
  }

  speak(job: Job): ChunkQueue {
    const queue = createChunkQueue()
    if (!this.#isAlive) queue.end(new SpeechError('engine_failed', 'The process of the model ended'))
    else {
      this.#current = { id: job.id, queue, samples: 0, free: Promise.withResolvers() }
      setReferenced(this.#child, true)
      this.#limit(this.#limits.stallMs)
      send(this.#child, { type: 'speak', ...job })
    }
    return queue
  }

  cancel(): void {
    if (this.#current !== undefined) send(this.#child, { type: 'cancel', id: this.#current.id })
  }

  async idle(): Promise<boolean> {
    await Promise.race([this.#loaded.promise.catch(() => undefined), this.#ended.promise])
    await this.#current?.free.promise
    return this.#isAlive
  }

  async kill(): Promise<void> {
    // Keep the parent alive until the end.
    this.#child.ref()
    this.#kill()
    await this.#ended.promise
  }

  #kill(): undefined {
    return void this.#child.kill('SIGKILL')
  }

  #limit(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#kill(), ms)
  }

  #finish(error?: SpeechError): void {
    clearTimeout(this.#timer)
    this.#current?.queue.end(error)
    this.#current?.free.resolve()
    this.#current = undefined
    setReferenced(this.#child, false)
  }

  #receive(reply: Reply): void {
    if (reply.type === 'ready') {
      this.#maxSamples = MAX_SECONDS * reply.sampleRateHz
      this.#output = ''
      clearTimeout(this.#timer)
      setReferenced(this.#child, false)
      return this.#loaded.resolve({ sampleRateHz: reply.sampleRateHz, speakers: reply.speakers })
    }
    if (reply.id !== this.#current?.id) return
    switch (reply.type) {
      case 'chunk':
        this.#limit(this.#limits.stallMs)
        this.#current.samples += reply.samples.length
        // Its end fails the segment and starts a successor.
        if (this.#current.samples > (this.#maxSamples ?? 0)) return this.#kill()
        for (let start = 0; start < reply.samples.length; start += CHUNK_SAMPLES)
          this.#current.queue.push(reply.samples.subarray(start, start + CHUNK_SAMPLES))
        return
      case 'end':
        return this.#finish()
      case 'refused':
        return this.#finish(new SpeechError('text_refused', 'The model cannot speak this text'))
    }
  }

  #onEnd(problem: string, cause?: unknown): void {
    if (!this.#isAlive) return
    this.#isAlive = false
    const error = new SpeechError('engine_failed', problem, cause === undefined ? {} : { cause })
    this.#finish(error)
    this.#loaded.reject(error)
    this.#ended.resolve()
  }
}

// Ignore a failure to send: the process has then ended.
const send = (child: ChildProcess, request: Request): void => void child.send(request, () => undefined)

/** Sets whether the child keeps its parent alive; an idle one must not. */
function setReferenced(child: ChildProcess, isReferenced: boolean): void {
  const stderr = child.stderr as (typeof child.stderr & { ref?: () => void; unref?: () => void }) | null
  if (isReferenced) {
    child.ref()
    child.channel?.ref()
    stderr?.ref?.()
  } else {
    child.unref()
    child.channel?.unref()
    stderr?.unref?.()
  }
}
