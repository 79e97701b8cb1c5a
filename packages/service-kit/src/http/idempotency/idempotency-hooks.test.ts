import { contract, LIMITS } from '@vaani/contracts'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { firstIdAt } from '../../ids.ts'
import type { Principal } from '../principal.ts'
import { addIdempotency, takeDigest } from './idempotency-hooks.ts'
import { readJsonBodies } from '../body/json-body.ts'
import type { IdempotencyStore, IdempotentRequest } from './idempotency.ts'

const principal: Principal = {
  accountId: firstIdAt('account', 0),
  keyId: firstIdAt('key', 0),
  scopes: new Set(),
  tier: 'pro',
  livemode: false,
  operator: false,
  rateOverrides: {},
}

/** Starts an application with one idempotent route, and records the requests to its store. */
function start() {
  const asked: IdempotentRequest[] = []
  const store: IdempotencyStore = {
    async begin(request) {
      asked.push(request)
      return { tenant: request.tenant, key: request.key, lockedUntil: new Date(0), kept: false }
    },
    keep: async () => undefined,
    rewriteAnswers: async () => undefined,
    release: async () => undefined,
    sweep: async () => undefined,
  }
  const app = Fastify()
  app.decorateRequest('principal', null)
  app.addHook('onRequest', async (request) => {
    request.principal = principal
  })
  addIdempotency(app, store)
  readJsonBodies(app, takeDigest)
  // Streams the body, although the route is not mounted as streamed.
  app.addContentTypeParser('application/octet-stream', (_, payload, done) => done(null, payload))
  const config = { tsRestRoute: contract.calls.place }
  app.post('/', { config }, async () => ({}))
  const post = (payload: string, type = 'application/json') =>
    app.inject({
      method: 'POST',
      url: '/',
      payload,
      headers: { 'idempotency-key': 'k', ...(payload !== '' && { 'content-type': type }) },
    })
  return { asked, post }
}

test('JSON bodies are compared byte by byte', async () => {
  const { asked, post } = start()
  for (const body of ['{"a":1}', '{"a":1}', '{"a": 1}', '{"a":2}', '{"b":0,"a":1}', ''])
    expect((await post(body)).statusCode).toBe(200)
  const contents = asked.map(({ content }) => content.toString('hex'))
  expect(contents[0]).toBe(contents[1])
  expect(new Set(contents).size).toBe(5)
})

test('JSON with too many levels or items claims no key', async () => {
  const { asked, post } = start()
  const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const long = (items: number) => JSON.stringify(Array.from({ length: items }, () => 0))
  for (const body of [deep(LIMITS.jsonBodyDepth + 1), deep(100_000), long(LIMITS.jsonBodyItems + 1)])
    expect((await post(body)).statusCode).toBe(400)
  expect(asked).toEqual([])
  expect((await post(deep(LIMITS.jsonBodyDepth))).statusCode).toBe(200)
  expect(asked).toHaveLength(1)
})

test('a body without a digest is never compared', async () => {
  const { asked, post } = start()
  expect((await post('content', 'application/octet-stream')).statusCode).toBe(500)
  expect(asked).toEqual([])
})
