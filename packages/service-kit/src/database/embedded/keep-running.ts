import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../../telemetry/log.ts'
import type { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import type { Presence } from './presence.ts'
import { relaunchDelayMs } from './relaunch-delay.ts'

/** After running for this long, a server is considered stable and earlier losses no longer count. */
const STABLE_MS = 60_000

/** Keeps a server running for this process. */
export interface Keeper {
  /** Resolves if the server was lost and could not be started again. */
  lost: Promise<EmbeddedPostgresError>
  /** Stops restarting the server. @returns the presence to leave, unless the server is down */
  stop(): Promise<Presence | undefined>
}

/**
 * Restarts the server whenever it is lost: killed, or restarting after a crash of one of its processes. If several processes
 * use it, the first one restarts it and the others connect to that.
 */
export function keepRunning(options: {
  presence: Presence
  launch(signal: AbortSignal): Promise<Presence>
  onGivenUp(error: unknown): EmbeddedPostgresError
  logger: Logger | undefined
}): Keeper {
  const { launch, logger } = options
  const lost = Promise.withResolvers<EmbeddedPostgresError>()
  const stopping = new AbortController()
  const { signal } = stopping
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  let presence: Presence | undefined = options.presence
  let count = 0

  /** Retries until a server runs; returns undefined if it gives up, or this process is stopping. */
  async function startAgain(): Promise<Presence | undefined> {
    const lostAtMs = performance.now()
    let failure: unknown
    for (;;) {
      count++
      const delayMs = relaunchDelayMs({ count, awayMs: performance.now() - lostAtMs })
      if (delayMs === null) {
        lost.resolve(options.onGivenUp(failure))
        return undefined
      }
      try {
        await delay(delayMs, undefined, { signal })
        return await launch(signal)
      } catch (error) {
        if (signal.aborted) return undefined
        failure = error
        logger?.error({ error, attempt: count }, 'The embedded Postgres could not be restarted')
      }
    }
  }

  async function watch(): Promise<void> {
    while (presence !== undefined) {
      const sinceMs = performance.now()
      await Promise.race([presence.ended, stopped])
      if (signal.aborted) return
      presence = undefined
      if (performance.now() - sinceMs > STABLE_MS) count = 0
      logger?.warn(
        { event: 'embedded_postgres', state: 'lost' },
        'The embedded Postgres was lost; restarting it',
      )
      presence = await startAgain()
      if (presence !== undefined)
        logger?.warn(
          { event: 'embedded_postgres', state: 'running' },
          'The embedded Postgres is running again',
        )
    }
  }

  const watching = watch()
  return {
    lost: lost.promise,
    async stop() {
      stopping.abort()
      await watching
      return presence
    },
  }
}
