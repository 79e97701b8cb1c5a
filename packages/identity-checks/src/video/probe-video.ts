import { open } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { CheckResult } from '../check.ts'
import { MediaError } from '../media-error.ts'
import { SNIFF_BYTES, sniffMedia } from '../sniff.ts'

export interface ProbeRequest {
  file: string
}

export type ProbeAnswer =
  | {
      ok: true
      /** From the first packet to the end of the last: what is really there. */
      durationSeconds: number
      /** What the file says of itself, which a cut file keeps saying; null where it says nothing. */
      announcedSeconds: number | null
      packets: number
      codec: string | null
      width: number
      height: number
    }
  | { ok: false; code: 'damaged' | 'no_video' }

export interface ProbedVideo {
  readonly durationSeconds: number
  readonly announcedSeconds: number | null
  readonly packets: number
  readonly codec: string | null
  readonly width: number
  readonly height: number
}

export interface VideoProbe extends AsyncDisposable {
  /**
   * What a video file holds, by its packets and not by what it says of itself.
   *
   * @throws MediaError `unknown_type`, `damaged`, `no_video`, `probe_timeout`
   */
  probe(file: string): Promise<ProbedVideo>
}

const TIMEOUT_MS = 3000
const MEMORY_MB = 256
const MODEL = 'packet-walk/1'

/**
 * Makes a probe of videos. It works one at a time in a thread of its own, which is ended and made anew where a file
 * holds it up.
 *
 * @example
 * await using probe = createVideoProbe()
 * const { durationSeconds } = await probe.probe('/private/video.mp4')
 */
export function createVideoProbe({ timeoutMs = TIMEOUT_MS }: { timeoutMs?: number } = {}): VideoProbe {
  let worker: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()

  function ask(file: string): Promise<ProbeAnswer> {
    const current = (worker ??= startWorker())
    const answer = Promise.withResolvers<ProbeAnswer>()
    const fail = (error: MediaError) => {
      worker = undefined
      void current.terminate()
      answer.reject(error)
    }
    const timer = setTimeout(
      () => fail(new MediaError('probe_timeout', 'is damaged: it could not be read in time')),
      timeoutMs,
    )
    const onError = (cause: unknown) => fail(new MediaError('damaged', 'is damaged or incomplete', cause))
    current.once('message', answer.resolve)
    current.once('error', onError)
    current.ref()
    current.postMessage({ file } satisfies ProbeRequest)
    return answer.promise.finally(() => {
      clearTimeout(timer)
      current.off('message', answer.resolve)
      current.off('error', onError)
      current.unref()
    })
  }

  return {
    async probe(file) {
      await requireVideoType(file)
      // One after another, as an answer does not say which file it is of.
      const turn = last.then(
        () => ask(file),
        () => ask(file),
      )
      last = turn
      const answer = await turn
      if (answer.ok) return answer
      throw answer.code === 'no_video'
        ? new MediaError('no_video', 'has no video in it')
        : new MediaError('damaged', 'is damaged or incomplete')
    },
    async [Symbol.asyncDispose]() {
      await worker?.terminate()
    },
  }
}

function startWorker(): Worker {
  const file = import.meta.url.endsWith('.ts') ? './probe-worker.ts' : './probe-worker.js'
  const worker = new Worker(new URL(file, import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  worker.unref()
  return worker
}

async function requireVideoType(file: string): Promise<void> {
  await using handle = await open(file)
  const { buffer, bytesRead } = await handle.read(new Uint8Array(SNIFF_BYTES), 0, SNIFF_BYTES, 0)
  const type = sniffMedia(buffer.subarray(0, bytesRead))
  if (type === null || !type.startsWith('video/'))
    throw new MediaError('unknown_type', 'is no MP4, MOV or WebM video')
}

/** @throws MediaError `too_short`, `too_long` by what is really there */
export function requireDuration(
  video: ProbedVideo,
  bounds: { minSeconds: number; maxSeconds: number },
): void {
  const { minSeconds, maxSeconds } = bounds
  const wanted = `must last ${minSeconds} to ${maxSeconds} seconds`
  // A frame more or less is no reason to refuse.
  if (video.durationSeconds < minSeconds - 0.1) throw new MediaError('too_short', wanted)
  if (video.durationSeconds > maxSeconds + 0.1) throw new MediaError('too_long', wanted)
}

const DIFFERENCE_SECONDS = 0.3

/** Whether a video is whole: a cut file goes on announcing the length that it had. */
export function checkVideoIntegrity(video: ProbedVideo): CheckResult {
  const { durationSeconds, announcedSeconds, packets } = video
  const difference = announcedSeconds === null ? 0 : Math.abs(announcedSeconds - durationSeconds)
  const isWhole = difference <= DIFFERENCE_SECONDS
  return {
    check: 'video_integrity',
    outcome: isWhole ? 'passed' : 'failed',
    code: isWhole ? 'video_whole' : 'video_cut',
    score: isWhole ? 1 : 0,
    evidence: {
      duration_seconds: Math.round(durationSeconds * 100) / 100,
      difference_seconds: Math.round(difference * 100) / 100,
      difference_seconds_max: DIFFERENCE_SECONDS,
      packets,
    },
    model: MODEL,
  }
}
