/** Client calls of routes that the server does not serve yet, against a mock generated from the OpenAPI document. */
import { Vaani } from '@vaani/client'
import { type Prism, readViolations, startPrism, type Violation } from '@vaani/conformance'
import type { DocumentedRoute } from '@vaani/contracts/openapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { operationOf, routeOf, unservedRoutes } from './support/served-routes.ts'

interface Exchange {
  readonly operation: string
  readonly status: number
  readonly violations: readonly Violation[]
}

let mock: Prism
let vaani: Vaani
let exchanges: Exchange[] = []
beforeAll(async () => {
  mock = await startPrism()
  vaani = new Vaani({
    apiKey: 'sk_test_0123456789abcdefghijklmnop',
    baseUrl: mock.url,
    maxRetries: 0,
    async fetch(url, init) {
      const response = await fetch(url, init)
      const route = routeOf(init.method ?? 'GET', new URL(url).pathname)
      if (route === undefined) throw new Error(`${init.method} ${url} is no route`)
      const violations = readViolations(response.headers)
      exchanges.push({ operation: operationOf(route), status: response.status, violations })
      return response
    },
  })
})
afterAll(() => mock?.[Symbol.asyncDispose]())

const CHAT = { model: 'chat-small', messages: [{ role: 'user' as const, content: 'Good morning.' }] }
const id = (prefix: string) => `${prefix}_01kamx3v6pf9hr2x8c0q5d7etn`

/** Every client call of an operation, reading as much of the response as Prism allows. */
const CALLS: Readonly<Record<string, readonly (() => Promise<unknown>)[]>> = {
  'batches.create': [
    () =>
      vaani.batches.create({
        endpoint: '/v1/chat/completions',
        requests: [{ custom_id: 'letter-1', body: CHAT }],
      }),
  ],
  'batches.list': [() => vaani.batches.list({ limit: 5 })],
  'batches.retrieve': [() => vaani.batches.retrieve(id('batch'))],
  'batches.results': [() => Array.fromAsync(vaani.batches.results(id('batch')))],
  'batches.cancel': [() => vaani.batches.cancel(id('batch'))],
}

const named = (routes: readonly DocumentedRoute[]) =>
  routes.map((route) => [operationOf(route), route] as const)

/** Checks a value that a call returned against the contract: a whole response, or the list of a stream's items. */
function expectDocumented(value: unknown, { responses }: DocumentedRoute, status: number): void {
  if (value instanceof Uint8Array) return expect(value.byteLength).toBeGreaterThan(0)
  if (Array.isArray(value)) return expect(value).toHaveLength(1)
  const schema = responses[status]
  if (value !== undefined && schema instanceof z.ZodType)
    expect(schema.safeParse(value).error).toBe(undefined)
}

describe('a mock of the document accepts and answers', () => {
  test.each(named(unservedRoutes))('%s', async (operation, route) => {
    const calls = CALLS[operation] ?? []
    expect(calls, 'No client call is listed').not.toEqual([])
    for (const call of calls) {
      exchanges = []
      const value = await call()
      expect(exchanges).toEqual([{ operation, status: expect.any(Number), violations: [] }])
      const status = exchanges[0]?.status ?? 0
      expect(status).toBeLessThan(300)
      expectDocumented(value, route, status)
    }
  })
})
