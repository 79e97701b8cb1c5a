import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type AppContext, type ContextOptions, createContext } from './context.ts'
import { createApp } from './http/app.ts'
import { mountRoutes } from './routes.ts'

export interface RunningServer extends AsyncDisposable {
  context: AppContext
  /** Where it listens, as in `http://127.0.0.1:8080`; null without the role `api`. */
  address: string | null
}

/**
 * Starts the server in its roles. Disposing it drains: it takes no more connections, ends the requests and calls that
 * go on within the grace, hands jobs back and releases what it holds.
 */
export async function startServer(options: ContextOptions): Promise<RunningServer> {
  const { config, log } = options
  const running = await createContext(options)
  const { context } = running
  const app = await createApp(context)
  try {
    await mountRoutes(app, context)
    await app.ready()
    const address = config.roles.has('api')
      ? await app.listen({ host: config.host, port: config.port })
      : null
    const bound = app.server.address() as AddressInfo | null
    log.info(
      { address: address ?? undefined, roles: [...config.roles].join(','), event: 'started' },
      'Started',
    )
    return {
      context,
      address: address === null || bound === null ? null : `http://${hostForUrl(config.host)}:${bound.port}`,
      async [Symbol.asyncDispose]() {
        running.stop()
        const closed = app.close()
        const grace = new AbortController()
        const late = delay(config.shutdownGraceMs, undefined, { signal: grace.signal })
          .then(() => app.server.closeAllConnections())
          .catch(() => undefined)
        await closed
        grace.abort()
        await late
        await running[Symbol.asyncDispose]()
        log.info({ event: 'stopped' }, 'Stopped')
      },
    }
  } catch (error) {
    await app.close()
    await running[Symbol.asyncDispose]()
    throw error
  }
}

const WILDCARDS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }
const hostForUrl = (host: string): string => WILDCARDS[host] ?? (host.includes(':') ? `[${host}]` : host)
