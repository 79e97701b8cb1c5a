import type { RequestListener, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { contract } from '@vaani/contracts'
import { collectDefaultMetrics, type Registry } from 'prom-client'
import { createServer } from '../lifecycle/node-http.ts'
import { listen } from '../lifecycle/listen.ts'

const METRICS_PATH = '/metrics'
const METHODS = ['GET', 'HEAD']
const JSON_TYPE = 'application/json; charset=utf-8'
/** Collectors and probes are few; further connections would only cost memory. */
const MAX_CONNECTIONS = 16
const REQUEST_TIMEOUT_MS = 5000

/** The listener from which collectors read the metrics of this process, and probes its health. */
export interface MetricsListener extends AsyncDisposable {
  /** E.g. `http://127.0.0.1:9464`. */
  readonly address: string
}

/** Returns the failing checks of this process; none if it is ready. */
type Readiness = () => Promise<readonly string[]>

/** If a port is set, serves the metrics, including those of the process: memory, event loop, garbage collection. */
export async function openMetrics(
  { metricsHost: host, metricsPort: port }: { metricsHost: string; metricsPort: number | undefined },
  registry: Registry,
  readiness?: Readiness,
): Promise<MetricsListener | null> {
  if (port === undefined) return null
  collectDefaultMetrics({ register: registry })
  return await serveMetrics({ registry, readiness, host, port })
}

/**
 * Serves `/metrics` on a separate listener, which callers of the service cannot reach, and with `readiness` also `/healthz` and
 * `/readyz`, because a process that answers no requests has no other listener.
 */
export async function serveMetrics(options: {
  registry: Registry
  readiness?: Readiness | undefined
  host: string
  port: number
}): Promise<MetricsListener> {
  const { host } = options
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, answerFrom(pagesOf(options)))
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

interface Page {
  status: number
  type: string
  text: string
}
type Pages = ReadonlyMap<string, () => Promise<Page>>

function pagesOf({ registry, readiness }: { registry: Registry; readiness?: Readiness | undefined }): Pages {
  const pages = new Map([[METRICS_PATH, scrapesOf(registry)]])
  if (readiness === undefined) return pages
  return pages
    .set(contract.system.health.path, async () => jsonPage(200, { status: 'ok' }))
    .set(contract.system.ready.path, async () => {
      const failing = await readiness()
      return failing.length === 0
        ? jsonPage(200, { status: 'ok' })
        : jsonPage(503, { status: 'unavailable', failing })
    })
}

const jsonPage = (status: number, body: object): Page => ({
  status,
  type: JSON_TYPE,
  text: JSON.stringify(body),
})

/** Runs one scrape at a time, whose text concurrent collectors share. */
function scrapesOf(registry: Registry): () => Promise<Page> {
  let scrape: Promise<string> | undefined
  return async () => {
    scrape ??= registry.metrics().finally(() => (scrape = undefined))
    return { status: 200, type: registry.contentType, text: await scrape }
  }
}

const answerFrom =
  (pages: Pages): RequestListener =>
  ({ method = '', url = '' }, response) => {
    const page = pages.get(url.split('?', 1)[0] ?? '')
    if (page === undefined) return void response.writeHead(404).end()
    if (!METHODS.includes(method)) return void response.writeHead(405, { allow: METHODS.join(', ') }).end()
    page().then(
      (found) => send(response, found, method),
      () => void response.writeHead(500).end(),
    )
  }

function send(response: ServerResponse, { status, type, text }: Page, method: string): void {
  response
    .writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) })
    .end(method === 'HEAD' ? undefined : text)
}
