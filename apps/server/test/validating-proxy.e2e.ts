/** The proxy of `support/validated-client.ts` reports what is invalid. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Prism, readViolations, startPrism } from '@vaani/conformance'
import type { DocumentedRoute } from '@vaani/contracts/openapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { operationOf, servedRoutes } from './support/served-routes.ts'

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
