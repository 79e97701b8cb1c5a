import type { IncomingMessage, RequestListener } from 'node:http'
import { createExpectingTransport } from './expecting-transport.ts'
import { createPooledTransport } from './pooled-transport.ts'
import { pathOf, type TransportSettings, type Watcher } from './exchange.ts'
import { refuseTarget } from './answer-failure.ts'

export interface GatewaySettings extends TransportSettings {
  /** Chooses what is watched; null for what only passes through. */
  watch(request: IncomingMessage): Watcher | null
}

export interface Gateway {
  readonly handler: RequestListener
  close(): Promise<void>
}

/** Passes every request on to the primary and its answer back. */
export function openGateway({ watch, ...settings }: GatewaySettings): Gateway {
  const pooled = createPooledTransport(settings)
  const expecting = createExpectingTransport(settings)
  return {
    handler(request, response) {
      const path = pathOf(request)
      if (path === null) return refuseTarget(response)
      const transport = request.headers.expect === undefined ? pooled : expecting
      transport.carry({ request, response, path, watcher: watch(request), isOver: false })
    },
    async close() {
      await Promise.all([pooled.close(), expecting.close()])
    },
  }
}
