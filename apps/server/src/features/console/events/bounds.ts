import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { ConsoleMetrics } from '../metrics.ts'

/**
 * Streams at a time. A session is in one browser, which opens six connections to a server without HTTP/2: more streams would leave too few
 * for requests.
 */
export const MOST_STREAMS = { session: 4, account: 100, process: 1000 } as const
export type StreamBound = keyof typeof MOST_STREAMS

const RETRY_SECONDS = 30

/** Counts the streams of this process by what bounds them. */
export class StreamCounts {
  readonly #counts = new Map<string, number>()
  readonly #metrics: Pick<ConsoleMetrics, 'refused'>

  constructor(metrics: Pick<ConsoleMetrics, 'refused'>) {
    this.#metrics = metrics
  }

  /** Counts a stream until what this returns is called. @throws ApiError if there are too many */
  enter(of: { secret: string; accountId: string }): () => void {
    const keys: Readonly<Record<StreamBound, string>> = {
      session: of.secret,
      account: of.accountId,
      process: '',
    }
    for (const bound of ['session', 'account', 'process'] as const)
      if ((this.#counts.get(keys[bound]) ?? 0) >= MOST_STREAMS[bound]) throw this.#refuse(bound)
    for (const key of Object.values(keys)) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
    return () => {
      for (const key of Object.values(keys)) {
        const left = (this.#counts.get(key) ?? 1) - 1
        if (left > 0) this.#counts.set(key, left)
        else this.#counts.delete(key)
      }
    }
  }

  #refuse(bound: StreamBound): ApiError {
    this.#metrics.refused.add({ reason: bound })
    const more = { retryAfterSeconds: RETRY_SECONDS }
    return bound === 'process'
      ? new ApiError(
          'service_unavailable',
          `This process has ${MOST_STREAMS.process} streams of events`,
          more,
        )
      : new ApiError(
          'rate_limit_exceeded',
          `events: one ${bound} may have at most ${MOST_STREAMS[bound]} streams at a time`,
          more,
        )
  }
}
