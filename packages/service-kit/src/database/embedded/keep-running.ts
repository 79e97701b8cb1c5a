import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../../telemetry/log.ts'
import type { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import type { Presence } from './presence.ts'
import { relaunchDelayMs } from './relaunch-delay.ts'

/** A server that has run for so long is well: earlier losses no longer count. */
const STABLE_MS = 60_000

/** What keeps a server running for this process. */
export interface Keeper {
  /** Resolves if the server was lost and could not be started again. */
  lost: Promise<EmbeddedPostgresError>
  /** Keeps it no longer. @returns the presence to leave, unless the server is away */
  stop(): Promise<Presence | undefined>
}

/**
 * Starts the server again whenever it is lost: killed, or restarting after a crash of one of its processes. Whoever of
 * several processes is first starts it, and the others use that one.
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

  /** Undefined if it was given up, or this process stops. */
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
        logger?.error({ error, attempt: count }, 'The embedded Postgres could not be started again')
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
        'The embedded Postgres was lost; starting it again',
      )
      presence = await startAgain()
      if (presence !== undefined)
        logger?.warn({ event: 'embedded_postgres', state: 'running' }, 'The embedded Postgres runs again')
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
