/** Prism, which all end-to-end tests show their exchanges, reports what is invalid. */
import { showExchange } from '@vaani/conformance'
import type { DocumentedRoute } from '@vaani/contracts/openapi'
import { describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { operationOf, servedRoutes } from './support/served-routes.ts'

describe('in exchanges with a server with invalid responses, Prism reports', () => {
  const ask = async ({ method, path }: DocumentedRoute, status: number, body = '') => {
    const json = { 'content-type': 'application/json' }
    const violations = await showExchange(inject('replayAddress'), {
      method,
      path: path.replaceAll(/:[a-z_]+/g, 'x'),
      requestHeaders: new Headers({ authorization: 'Bearer sk_test_1', ...(body !== '' && json) }),
      requestBody: Buffer.from(body),
      status,
      headers: new Headers(json),
      body: Buffer.from('"wrong"'),
    })
    return violations.map(({ location }) => location.slice(0, 2).join(' '))
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
