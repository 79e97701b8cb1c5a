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

export function startModelProcess(
  settings: ChildSettings,
  limits: ProcessLimits,
  childUrl = CHILD_URL,
): ModelProcess {
  const child = fork(fileURLToPath(childUrl), [JSON.stringify(settings)], {
    execArgv: process.execArgv.filter((option) => option.startsWith('--conditions=')),
    env: Object.fromEntries(ENVIRONMENT.map((name) => [name, process.env[name]])),
    // Keeps typed arrays as they are.
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const loaded = Promise.withResolvers<ModelInfo>()
  const ended = Promise.withResolvers<void>()
  let current:
    | { id: number; queue: ChunkQueue; samples: number; free: PromiseWithResolvers<void> }
    | undefined
  /** Undefined until the model is loaded. */
  let maxSamples: number | undefined
  let isAlive = true
  let output = ''
  let timer: NodeJS.Timeout | undefined

  const kill = () => void child.kill('SIGKILL')
  function limit(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(kill, ms)
  }
  function finish(error?: SpeechError): void {
    clearTimeout(timer)
    current?.queue.end(error)
    current?.free.resolve()
    current = undefined
    setReferenced(child, false)
  }
  function receive(reply: Reply): void {
    if (reply.type === 'ready') {
      maxSamples = MAX_SECONDS * reply.sampleRateHz
      output = ''
      clearTimeout(timer)
      setReferenced(child, false)
      return loaded.resolve({ sampleRateHz: reply.sampleRateHz, speakers: reply.speakers })
    }
    if (reply.id !== current?.id) return
    switch (reply.type) {
      case 'chunk':
        limit(limits.stallMs)
        current.samples += reply.samples.length
        // Its end fails the segment and starts a successor.
        if (current.samples > (maxSamples ?? 0)) return kill()
        for (let start = 0; start < reply.samples.length; start += CHUNK_SAMPLES)
          current.queue.push(reply.samples.subarray(start, start + CHUNK_SAMPLES))
        return
      case 'end':
        return finish()
      case 'refused':
        return finish(new SpeechError('text_refused', 'The model cannot speak this text'))
    }
  }

  child.on('message', receive)
  // Until the model is loaded the library has seen no text, so its output may be reported.
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (maxSamples === undefined) output = (output + text).slice(-OUTPUT_CHARACTERS)
  })
  const onEnd = (problem: string, cause?: unknown) => {
    if (!isAlive) return
    isAlive = false
    const error = new SpeechError('engine_failed', problem, cause === undefined ? {} : { cause })
    finish(error)
    loaded.reject(error)
    ended.resolve()
  }
  child.on('error', (cause) => {
    // A child that could not be started has no exit.
    if (child.pid === undefined) onEnd('The process of the model could not be started', cause)
  })
  // Not at its exit: its last output may still be on the way.
  child.on('close', () =>
    onEnd(
      maxSamples !== undefined
        ? 'The process of the model ended'
        : `The model cannot be loaded: ${output.trim() || 'no reason given'}`,
    ),
  )
  loaded.promise.catch(() => undefined)
  limit(limits.loadMs)

  return {
    loaded: loaded.promise,
    speak(job) {
      const queue = createChunkQueue()
      if (!isAlive) queue.end(new SpeechError('engine_failed', 'The process of the model ended'))
      else {
        current = { id: job.id, queue, samples: 0, free: Promise.withResolvers() }
        setReferenced(child, true)
        limit(limits.stallMs)
        send(child, { type: 'speak', ...job })
      }
      return queue
    },
    cancel() {
      if (current !== undefined) send(child, { type: 'cancel', id: current.id })
    },
    async idle() {
      await Promise.race([loaded.promise.catch(() => undefined), ended.promise])
      await current?.free.promise
      return isAlive
    },
    async kill() {
      // Keep the parent alive until the end.
      child.ref()
      kill()
      await ended.promise
    },
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
