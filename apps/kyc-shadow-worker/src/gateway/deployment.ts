import { createExpectingTransport } from './expecting-transport.ts'
import type { Exchange, TransportSettings } from './exchange.ts'
import { createPooledTransport } from './pooled-transport.ts'

/** A deployment that requests go to. */
export interface Deployment {
  carry(exchange: Exchange): void
  close(): Promise<void>
}

export function connectDeployment(settings: TransportSettings): Deployment {
  const pooled = createPooledTransport(settings)
  const expecting = createExpectingTransport(settings)
  return {
    carry(exchange) {
      // A substitute is sent only after the gateway has read of the body, so the caller has its 100.
      const waits = exchange.request.headers.expect !== undefined && exchange.substitute === null
      const transport = waits ? expecting : pooled
      transport.carry(exchange)
    },
    async close() {
      await Promise.all([pooled.close(), expecting.close()])
    },
  }
}
