import type { Clock, Fetch, Identity, Verification } from '@vaani/client'
import { createMigration } from '@vaani/client/migration'
import { copyMedia, type MediaCopy } from './copy-media.ts'
import { createHandOver, type Counts, type Dropped, type DropReason } from './hand-over.ts'
import { createMemoryBudget } from '../gateway/sampling/memory-budget.ts'

export interface ShadowOptions {
  /** URL of the migration worker, for example `http://shadow-worker:8091`. */
  readonly url: string
  /** Key of its administration. */
  readonly apiKey: string
  /** Limit for handing over one copy; default 30 000. */
  readonly timeoutMs?: number
  /** Copies that are sent at a time; default 4. */
  readonly maxConcurrent?: number
  /** Copies that wait to be sent; default 100. More are dropped. */
  readonly maxWaiting?: number
  /** Bytes of media that all copies may hold in memory; default 64 MiB. Files and blobs do not count. */
  readonly maxHeldBytes?: number
  /**
   * Called for each submission that the worker should have got and does not get. Not called while the worker shadows nothing, nor for
   * submissions that v1 does not accept.
   */
  readonly onDropped?: (dropped: Dropped) => void
  readonly fetch?: Fetch
  /** For tests. */
  readonly clock?: Clock
}

/** What becomes of the copies. */
export interface Shadow {
  counts(): Counts
  /** Waits until nothing is left to hand over, at most `timeoutMs` (default 5000). For the end of a process. */
  flush(timeoutMs?: number): Promise<void>
}

/** The namespace of the client, whose `submitV1` is shadowed. */
export interface ShadowedIdentity extends Identity {
  readonly shadow: Shadow
}

type Copies = ReadonlyMap<string, MediaCopy>
type Request = Parameters<Identity['submitV1']>[0]

const DEFAULTS = { timeoutMs: 30_000, maxConcurrent: 4, maxWaiting: 100, maxHeldBytes: 64 * 2 ** 20 }
const FLUSH_MS = 5000
const MEDIA = ['front_image', 'back_image', 'liveness_video'] as const

const systemClock: Clock = {
  nowMs: () => Date.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs)
    return () => clearTimeout(timer)
  },
}

/**
 * Shadows the submissions of an app that calls v1 with `@vaani/client`. `submitV1` answers as the client does and at the same moment:
 * it neither waits for the worker nor fails because of it. Each submission that v1 accepted is then handed to the worker, which
 * decides whether it is in the sample.
 *
 * Media is sent twice. Files stay open until then, so you may delete them, and blobs are read again; bytes and streams are copied
 * while they are sent, up to `maxHeldBytes`.
 *
 * @throws TypeError if the key is empty or the URL malformed
 * @example
 * const identity = shadowIdentity(vaani, {
 *   url: 'http://shadow-worker:8091',
 *   apiKey: process.env.VAANI_SHADOW_API_KEY ?? '',
 *   onDropped: ({ reason, verificationId }) => console.warn('not shadowed', reason, verificationId),
 * })
 * const { verification_id } = await identity.submitV1({
 *   front_image: 'front.jpg',
 *   back_image: 'back.jpg',
 *   liveness_video: 'face.mp4',
 *   external_id: 'user-7',
 * })
 */
export function shadowIdentity(
  client: { readonly identity: Identity },
  options: ShadowOptions,
): ShadowedIdentity {
  const { identity } = client
  const { clock = systemClock, maxHeldBytes = DEFAULTS.maxHeldBytes } = options
  const memory = createMemoryBudget(maxHeldBytes)
  const handOver = createHandOver({
    migration: createMigration({
      baseUrl: options.url,
      apiKey: options.apiKey,
      clock,
      ...(options.fetch && { fetch: options.fetch }),
    }),
    timeoutMs: options.timeoutMs ?? DEFAULTS.timeoutMs,
    maxConcurrent: options.maxConcurrent ?? DEFAULTS.maxConcurrent,
    maxWaiting: options.maxWaiting ?? DEFAULTS.maxWaiting,
    onDropped: options.onDropped,
    clock,
  })

  return {
    ...identity,
    submitV1(request, requestOptions) {
      if (handOver.isOff()) {
        handOver.drop('off')
        return identity.submitV1(request, requestOptions)
      }
      const copies = new Map<string, MediaCopy>()
      const answer = identity.submitV1(copied(request, copies), requestOptions)
      // The caller gets the client's own promise, so nothing of ours is between it and the answer.
      // These handlers run before the caller's, so a `flush` that follows the answer waits for the copy.
      void answer.then(
        (verification) => accept(verification, request, copies),
        () => discard('not_accepted', copies),
      )
      return answer
    },
    shadow: {
      counts: handOver.counts,
      async flush(timeoutMs = FLUSH_MS) {
        const over = Promise.withResolvers<void>()
        const stopTimer = clock.after(timeoutMs, over.resolve)
        await Promise.race([handOver.idle(), over.promise])
        stopTimer()
      },
    },
  }

  /** @param verification undefined for a caller of `asResponse()`, who alone reads the answer */
  function accept(verification: Verification | undefined, request: Request, copies: Copies): void {
    const verificationId = verification?.verification_id
    if (verificationId === undefined) return discard('unreadable', copies)
    const answered = { answered_by: 'v1', verification_id: verificationId } as const
    const open = () => ({ ...request, ...reopened(copies), ...answered })
    handOver.add({ verificationId, open, release: () => release(copies) })
  }

  function discard(reason: DropReason, copies: Copies): void {
    release(copies)
    handOver.drop(reason)
  }

  /** Returns the request to send instead, whose media is copied. */
  function copied(request: Request, copies: Map<string, MediaCopy>): Request {
    const own = { ...request }
    for (const name of MEDIA) {
      // Programs without types leave the back out.
      if (request[name] === undefined) continue
      try {
        const copy = copyMedia(request[name], memory)
        copies.set(name, copy)
        own[name] = copy.source
      } catch {
        // No media, or a stream that is read already: the client reports it, and nothing will be copied.
      }
    }
    return own
  }
}

const release = (copies: Copies): void => copies.forEach((copy) => copy.release())

/** Returns the copies as media to send. */
const reopened = (copies: Copies): Partial<Pick<Request, (typeof MEDIA)[number]>> =>
  Object.fromEntries(Array.from(copies, ([name, copy]) => [name, copy.read()]))
