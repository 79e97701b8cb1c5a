import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { convertLegacyHttpOptions } from '@opentelemetry/otlp-exporter-base/node-http'
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { SpanExporter } from '@opentelemetry/sdk-trace'

const COMPRESSIONS = {
  gzip: { compress: promisify(gzip), headers: { 'content-encoding': 'gzip' } },
  none: { compress: async (bytes: Uint8Array) => bytes, headers: {} },
}
/** https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes */
const RETRYABLE = [429, 502, 503, 504]
const RETRY_MS = [1000, 2000, 4000]
const SUCCESS = 0
const FAILED = 1

export interface StoppableExporter extends SpanExporter {
  /** Disables retries from now on. */
  hurry(): void
  /** Aborts requests in flight. */
  abandon(): void
}

/**
 * Sends spans by OTLP over HTTP, as configured by the standard variables. The library's exporter does the same but cannot be
 * stopped: its retries, or a connection that never opens, would keep the process running.
 *
 * @param onResult whether spans arrived
 */
export function createSpanExporter(onResult: (hasArrived: boolean) => void): StoppableExporter {
  const options = convertLegacyHttpOptions({}, 'TRACES', 'v1/traces', {
    'content-type': 'application/x-protobuf',
  })
  const { url, timeoutMillis: timeoutMs } = options
  const { protocol } = new URL(url)
  const request = protocol === 'https:' ? requestHttps : requestHttp
  const agent = Promise.resolve(options.agentFactory(protocol))
  const { compress, headers: compressionHeaders } = COMPRESSIONS[options.compression]
  const hurried = new AbortController()
  const abandoned = new AbortController()
  const underWay = new Set<Promise<void>>()

  async function post(body: Uint8Array): Promise<number> {
    const signal = AbortSignal.any([abandoned.signal, AbortSignal.timeout(timeoutMs)])
    const headers = { ...(await options.headers()), ...compressionHeaders, 'content-length': body.byteLength }
    const answered = Promise.withResolvers<number>()
    const sent = request(url, { method: 'POST', headers, agent: await agent, signal }, (response) => {
      response
        .once('error', answered.reject)
        .once('end', () => answered.resolve(response.statusCode ?? 0))
        .resume()
    })
    sent.once('error', answered.reject).end(body)
    return answered.promise
  }

  async function send(bytes: Uint8Array): Promise<boolean> {
    const body = await compress(bytes)
    for (const retryMs of [...RETRY_MS, null]) {
      const status = await post(body).catch(() => null)
      if (status !== null && !RETRYABLE.includes(status)) return status >= 200 && status < 300
      if (retryMs === null || hurried.signal.aborted) break
      await delay(retryMs, undefined, { signal: hurried.signal }).catch(() => undefined)
    }
    return false
  }

  async function deliver(bytes: Uint8Array, done: (result: { code: 0 | 1 }) => void): Promise<void> {
    const hasArrived = await send(bytes).catch(() => false)
    onResult(hasArrived)
    done({ code: hasArrived ? SUCCESS : FAILED })
  }

  return {
    export(spans, done) {
      const bytes = ProtobufTraceSerializer.serializeRequest(spans)
      if (bytes === undefined) return done({ code: FAILED })
      const delivering = deliver(bytes, done).finally(() => underWay.delete(delivering))
      underWay.add(delivering)
    },
    async forceFlush() {
      await Promise.all(underWay)
    },
    async shutdown() {
      await Promise.all(underWay)
    },
    hurry: () => hurried.abort(),
    abandon: () => abandoned.abort(),
  }
}
