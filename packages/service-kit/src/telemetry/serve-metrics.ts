import { createServer, type RequestListener } from 'node:http'
import { promisify } from 'node:util'
import { collectDefaultMetrics, type Registry } from 'prom-client'
import { listen } from '../lifecycle/listen.ts'

const PATH = '/metrics'
const METHODS = ['GET', 'HEAD']
/** Collectors are few; further connections would only cost memory. */
const MAX_CONNECTIONS = 16
const REQUEST_TIMEOUT_MS = 5000

/** The listener from which collectors read the metrics of this process. */
export interface MetricsListener extends AsyncDisposable {
  /** E.g. `http://127.0.0.1:9464`. */
  readonly address: string
}

/** If a port is set, serves the metrics, including those of the process: memory, event loop, garbage collection. */
export async function openMetrics(
  { metricsHost: host, metricsPort: port }: { metricsHost: string; metricsPort: number | undefined },
  registry: Registry,
): Promise<MetricsListener | null> {
  if (port === undefined) return null
  collectDefaultMetrics({ register: registry })
  return await serveMetrics({ registry, host, port })
}

/** Serves `/metrics` on a separate listener, which callers of the service cannot reach. */
export async function serveMetrics(options: {
  registry: Registry
  host: string
  port: number
}): Promise<MetricsListener> {
  const { registry, host } = options
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, answerScrapes(registry))
  server.maxConnections = MAX_CONNECTIONS
  const variables = { host: 'VAANI_METRICS_HOST', port: 'VAANI_METRICS_PORT' }
  const port = await listen(server, { host, port: options.port, variables })
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = promisify(server.close.bind(server))()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Runs one scrape at a time, whose text concurrent collectors share. */
function answerScrapes(registry: Registry): RequestListener {
  let scrape: Promise<string> | undefined
  return ({ method = '', url = '' }, response) => {
    if (url.split('?', 1)[0] !== PATH) return void response.writeHead(404).end()
    if (!METHODS.includes(method)) return void response.writeHead(405, { allow: METHODS.join(', ') }).end()
    scrape ??= registry.metrics().finally(() => (scrape = undefined))
    scrape.then(
      (text) =>
        void response
          .writeHead(200, { 'content-type': registry.contentType, 'content-length': Buffer.byteLength(text) })
          .end(method === 'HEAD' ? undefined : text),
      () => void response.writeHead(500).end(),
    )
  }
}
