import { Vaani } from '@vaani/client'
import { readViolations, startPrism, type Violation } from '@vaani/conformance'
import type { DocumentedRoute } from '@vaani/contracts/openapi'
import { operationOf, routeOf } from './served-routes.ts'

/**
 * Routes that Prism cannot proxy. It buffers every body, as JSON or else as text, which corrupts binary data:
 * https://github.com/stoplightio/prism/issues/1321 and https://github.com/stoplightio/prism/issues/2349.
 */
const EXCLUDED: readonly { what: string; matches(route: DocumentedRoute): boolean }[] = [
  {
    what: 'audio responses',
    matches: ({ metadata }) => metadata.successBody === 'bytes' || metadata.successBody === 'pcm-stream',
  },
  { what: 'forms with files', matches: ({ metadata }) => metadata.parts !== null },
]
export const isExcluded = (route: DocumentedRoute): boolean => EXCLUDED.some(({ matches }) => matches(route))

interface ValidatedExchange {
  readonly operation: string
  readonly status: number
  readonly violations: readonly Violation[]
}

/** Clients whose exchanges with a server Prism validates against the OpenAPI document. */
export interface ValidatedClients extends AsyncDisposable {
  readonly exchanges: readonly ValidatedExchange[]
  /** Creates a client whose requests go through Prism, by default except those that Prism cannot proxy. */
  connect(apiKey: string, options?: { passesBytes?: boolean }): Vaani
}

/** Starts Prism as a validating proxy in front of a server. */
export async function startValidatedClients(server: { readonly url: string }): Promise<ValidatedClients> {
  const prism = await startPrism({ upstream: server.url })
  const exchanges: ValidatedExchange[] = []
  return {
    exchanges,
    connect: (apiKey, { passesBytes = false } = {}) =>
      new Vaani({
        apiKey,
        baseUrl: prism.url,
        // Prism forwards `Transfer-Encoding: chunked` along with a content-length, which servers must reject.
        streamUploads: false,
        async fetch(url, init) {
          const route = routeOf(init.method ?? 'GET', new URL(url).pathname)
          if (route === undefined) throw new Error(`${init.method} ${url} is no route`)
          if (isExcluded(route) && !passesBytes) return fetch(url.replace(prism.url, server.url), init)
          const response = await fetch(url, init)
          exchanges.push({
            operation: operationOf(route),
            status: response.status,
            violations: readViolations(response.headers),
          })
          return response
        },
      }),
    [Symbol.asyncDispose]: () => prism[Symbol.asyncDispose](),
  }
}
