import { Readable } from 'node:stream'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { firstIdAt } from '../../ids.ts'
import { departureSignal } from '../connection/disconnect.ts'
import { createInnerRequests, innerCallerOf } from './inner-requests.ts'
import type { Principal } from '../principal.ts'

const PRINCIPAL: Principal = {
  accountId: firstIdAt('account', 0),
  livemode: false,
  keyId: firstIdAt('key', 0),
  scopes: new Set(),
  tier: 'starter',
  operator: false,
  rateOverrides: {},
}

async function post(
  handler: (request: FastifyRequest, reply: FastifyReply) => unknown,
  signal = new AbortController().signal,
) {
  const app = Fastify()
  app.post('/made', async (request, reply) => handler(request, reply))
  await app.ready()
  return createInnerRequests(app).post(PRINCIPAL, { path: '/made', json: Buffer.from('{"a":1}'), signal })
}

test('a route gets the caller and the body, and its answer is returned', async () => {
  const answer = await post((request, reply) => {
    void reply.code(503).header('retry-after', '7').type('application/json')
    return JSON.stringify({ body: request.body, account: innerCallerOf(request.raw)?.accountId })
  })
  expect({ ...answer, body: String(answer.body) }).toEqual({
    status: 503,
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify({ body: { a: 1 }, account: PRINCIPAL.accountId }),
    retryAfterSeconds: 7,
  })
})

test('an answer of many pieces arrives whole', async () => {
  const pieces = Array.from({ length: 100 }, (_, index) => Buffer.alloc(10_000, index))
  const answer = await post((_, reply) =>
    reply.type('audio/wav').send(Readable.from(pieces, { objectMode: false })),
  )
  expect(answer).toMatchObject({ status: 200, contentType: 'audio/wav', retryAfterSeconds: null })
  expect(answer.body.equals(Buffer.concat(pieces))).toBe(true)
})

test('a caller whose request was answered has not departed', async () => {
  let signal: AbortSignal | undefined
  await post((_, reply) => {
    signal = departureSignal(reply)
    return {}
  })
  expect(signal?.aborted).toBe(false)
})

test('an abort departs, and rejects with its reason', async () => {
  const stopping = new AbortController()
  let signal: AbortSignal | undefined
  const answer = post((_, reply) => {
    signal = departureSignal(reply)
    stopping.abort(new Error('stopping'))
    return new Promise(() => undefined)
  }, stopping.signal)
  await expect(answer).rejects.toThrow('stopping')
  expect(signal?.aborted).toBe(true)
  await expect(post(() => ({}), stopping.signal)).rejects.toThrow('stopping')
})

test('an answer that breaks off is none', async () => {
  const answer = post((_, reply) => {
    const broken = Readable.from(
      (async function* () {
        yield 'a'
        throw new Error('broken')
      })(),
    )
    return reply.type('text/plain').send(broken)
  })
  await expect(answer).rejects.toThrow('ended without a response')
})
