/** Client flows through a proxy that validates requests and responses against the OpenAPI document. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Vaani } from '@vaani/client'
import { faultsOf, type Prism, readViolations, startPrism, type Violation } from '@vaani/conformance'
import type { DocumentedRoute } from '@vaani/contracts/openapi'
import type { RunningVaani } from '@vaani/test-harness'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startFlowServer, testClientFlows } from './support/client-flows.ts'
import { operationOf, routeOf, servedRoutes } from './support/served-routes.ts'

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
const isExcluded = (route: DocumentedRoute): boolean => EXCLUDED.some(({ matches }) => matches(route))

interface Exchange {
  readonly operation: string
  readonly status: number
  readonly violations: readonly Violation[]
}

const exchanges: Exchange[] = []
let server: RunningVaani
let prism: Prism

/** Creates a client whose requests go through Prism, by default except those that Prism cannot proxy. */
function connect(apiKey: string, { passesBytes = false } = {}): Vaani {
  return new Vaani({
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
  })
}

testClientFlows(async () => {
  await using held = new AsyncDisposableStack()
  server = held.use(await startFlowServer())
  prism = held.use(await startPrism({ upstream: server.url }))
  const resources = held.move()
  return { server, connect, [Symbol.asyncDispose]: () => resources.disposeAsync() }
})

describe('audio responses', () => {
  test('are as documented except for their bytes, which Prism still corrupts', async () => {
    const [call] = (await connect(server.key).calls.list({ status: 'completed' })).data
    const id = call?.call_id ?? ''
    const whole = await (await connect(server.key).calls.recording(id)).bytes()
    const distorting = connect(server.key, { passesBytes: true })
    expect(await (await distorting.calls.recording(id)).bytes()).not.toEqual(whole)
    const speech = await distorting.speech.stream({ input: 'Good morning.', voice: 'nova' })
    expect(speech.descriptor).toMatchObject({ sample_rate_hz: 16_000 })
    speech.cancel()
  })
})

describe('Prism', () => {
  test('has seen every served route except those it cannot proxy', () => {
    const seen = new Set(exchanges.map(({ operation }) => operation))
    const missed = servedRoutes.filter((route) => !seen.has(operationOf(route)))
    expect(missed.filter((route) => !isExcluded(route)).map(operationOf)).toEqual([])
  })

  test('reports violations only for requests that the server rejects as well', () => {
    expect(exchanges.filter(({ violations, status }) => faultsOf(violations, status).length > 0)).toEqual([])
    expect(exchanges.filter(({ violations }) => violations.length > 0)).not.toEqual([])
  })
})

describe('in front of a server with invalid responses, Prism reports', () => {
  const STATUS = 'x-wrong-status'
  const wrongServer = createServer((request, response) => {
    request.resume()
    const status = Number(request.headers[STATUS])
    response.writeHead(status, { 'content-type': 'application/json' }).end('"wrong"')
  })
  let watching: Prism
  beforeAll(async () => {
    wrongServer.listen(0, '127.0.0.1')
    await once(wrongServer, 'listening')
    const { port } = wrongServer.address() as AddressInfo
    watching = await startPrism({ upstream: `http://127.0.0.1:${port}` })
  })
  afterAll(async () => {
    await watching?.[Symbol.asyncDispose]()
    wrongServer.close()
    wrongServer.closeAllConnections()
  })

  const ask = async ({ method, path }: DocumentedRoute, status: number, body?: string) => {
    const response = await fetch(watching.url + path.replaceAll(/:[a-z_]+/g, 'x'), {
      method,
      headers: {
        authorization: 'Bearer sk_test_1',
        [STATUS]: String(status),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    })
    return readViolations(response.headers).map(({ location }) => location.slice(0, 2).join(' '))
  }
  const successOf = ({ responses }: DocumentedRoute) =>
    Object.keys(responses)
      .map(Number)
      .find((status) => status < 300) ?? 200
  const isJson = (route: DocumentedRoute) =>
    route.metadata.successBody === 'json' && route.responses[successOf(route)] instanceof z.ZodType
  const named = (routes: readonly DocumentedRoute[]) =>
    routes.map((route) => [operationOf(route), route] as const)

  test.each(named(servedRoutes.filter(isJson)))('the success and the error of %s', async (_, route) => {
    expect(await ask(route, successOf(route))).toContain('response body')
    expect(await ask(route, 500)).toContain('response body')
  })

  const takesJson = (route: DocumentedRoute) =>
    'body' in route && route.body instanceof z.ZodType && route.metadata.parts === null
  test.each(named(servedRoutes.filter(takesJson)))('the request of %s', async (_, route) => {
    expect(await ask(route, successOf(route), '"wrong"')).toContain('request body')
  })
})
