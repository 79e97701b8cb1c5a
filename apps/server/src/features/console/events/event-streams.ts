import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { repeat } from '@vaani/service-kit/lifecycle/repeat'
import type { Services } from '@vaani/service-kit/service/services'
import { scopesOf } from '../../../tenancy/role-scopes.ts'
import type { EventFeed, FollowedEvents } from '../../webhooks/port.ts'
import type { ConsoleMetrics } from '../metrics.ts'
import type { SessionStore } from '../session-store.ts'
import { StreamCounts } from './bounds.ts'
import { PageStream, type PageStreamOptions } from './page-stream.ts'

/** Half of the silence that proxies and pages are promised at most. */
const SIGN_EVERY_MS = 5000
/** How soon a stream ends after its session. */
const CHECK_EVERY_MS = 2000

type Needs = Pick<Services, 'log' | 'stopping'> & {
  feed: EventFeed
  store: Pick<SessionStore, 'findAll'>
  metrics: ConsoleMetrics
}

/** What runs while at least one page follows. */
interface Running {
  followed: FollowedEvents
  stop(): Promise<void>
}

/**
 * The streams of all pages that this process serves. However many there are, one statement reads the events of all of them, and one their
 * sessions; without any, none does.
 */
export class EventStreams {
  readonly #needs: Needs
  readonly #counts: StreamCounts
  readonly #streams = new Set<PageStream>()
  /** Streams that wait until events are followed, or get them. */
  #wanted = 0
  #running: Promise<Running> | null = null

  constructor(needs: Needs) {
    this.#needs = needs
    this.#counts = new StreamCounts(needs.metrics)
    needs.metrics.streams.follow({}, () => this.#streams.size)
    needs.stopping.addEventListener('abort', () => {
      for (const stream of this.#streams) stream.end('stopping')
    })
  }

  /** Opens a stream that goes on after a position; null if there is none. @throws ApiError if there are too many */
  async open(
    { secret, principal, onEnd }: PageStreamOptions,
    lastPosition: bigint | null,
  ): Promise<PageStream> {
    const leave = this.#counts.enter({ secret, accountId: principal.accountId })
    this.#wanted++
    const leaveAll = () => {
      leave()
      if (--this.#wanted === 0) this.#stop()
    }
    try {
      this.#running ??= this.#start()
      const { followed } = await this.#running
      if (this.#needs.stopping.aborted) throw new ApiError('service_unavailable', 'The server is stopping')
      const stream = new PageStream({
        secret,
        principal,
        onEnd: (reason) => {
          this.#needs.metrics.ended.add({ reason })
          this.#streams.delete(stream)
          leaveAll()
          onEnd(reason)
        },
      })
      this.#streams.add(stream)
      stream.begin(followed.position(), lastPosition === null ? null : followed.after(lastPosition))
      return stream
    } catch (error) {
      leaveAll()
      throw error
    }
  }

  async #start(): Promise<Running> {
    const { feed, log } = this.#needs
    const followed = await feed.follow({
      onEvents: (events) => this.#forEach((stream) => stream.send(events, followed.position())),
      onGap: () => this.#forEach((stream) => stream.reset(followed.position())),
    })
    const signs = setInterval(
      () => this.#forEach((stream) => stream.sign(followed.position())),
      SIGN_EVERY_MS,
    )
    const checks = repeat({
      name: 'sessions of streams',
      everyMs: CHECK_EVERY_MS,
      firstMs: CHECK_EVERY_MS,
      run: () => this.#checkSessions(),
      onError: (error) => {
        if (this.#streams.size > 0)
          log.warn({ error }, 'It cannot be checked whether sessions of the console have ended')
      },
    })
    return {
      followed,
      async stop() {
        clearInterval(signs)
        await Promise.all([checks.stop(), followed.stop()])
      },
    }
  }

  #stop(): void {
    const running = this.#running
    this.#running = null
    running?.then(
      ({ stop }) => stop(),
      () => undefined,
    )
  }

  async #checkSessions(): Promise<void> {
    const streams = [...this.#streams]
    const keys = await this.#needs.store.findAll([...new Set(streams.map(({ secret }) => secret))])
    for (const stream of streams) {
      const key = keys.get(stream.secret)
      if (key === undefined) stream.end('session_ended')
      else stream.limitTo(scopesOf(key))
    }
  }

  #forEach(act: (stream: PageStream) => void): void {
    for (const stream of this.#streams) act(stream)
  }
}
