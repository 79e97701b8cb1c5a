import type { APIGatewayProxyEvent, APIGatewayProxyEventV2 } from 'aws-lambda'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createMemoryReplayStore, createTestDelivery, createVerifier } from '../index.ts'
import { expressReceiver } from './express.ts'
import { fastifyReceiver } from './fastify.ts'
import { honoReceiver } from './hono.ts'
import { lambdaReceiver, type LambdaRequest } from './lambda.ts'
import { nextReceiver } from './next.ts'
import { nodeReceiver } from './node.ts'
import type { ReceiverOptions } from './receive.ts'
import { webReceiver } from './web.ts'
import type { WebRequest } from './web.ts'

/** Required without its types, because they need the DOM's, which this package does not include. */
const { NextRequest } = createRequire(import.meta.url)('next/server.js') as {
  NextRequest: new (request: Request) => WebRequest
}

const SMALL_BYTES = 10_000
const secret = 'whsec_c2l4dGVlbiBieXRlcyBvciBtb3Jl'
const event = { event_id: 'evt_1', type: 'call.completed', data: { metadata: { name: 'सीता' } } }

interface Sent {
  body: string
  headers: Record<string, string>
}
type Send = (sent: Sent) => Promise<{ status: number; text: string }>

let closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function listen(server: Server): Promise<Send> {
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  closing.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return sendTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`)
}
const sendTo =
  (url: string): Send =>
  async ({ body, headers }) => {
    // Chunks that split multi-byte characters.
    const bytes = Buffer.from(body)
    const pieces = new ReadableStream({
      start(controller) {
        const length = bytes.length < SMALL_BYTES ? 7 : SMALL_BYTES
        for (let at = 0; at < bytes.length; at += length) controller.enqueue(bytes.subarray(at, at + length))
        controller.close()
      },
    })
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: pieces,
      duplex: 'half',
    } as RequestInit)
    return { status: response.status, text: await response.text() }
  }
const toRequest = ({ body, headers }: Sent) =>
  new Request('http://localhost/webhooks', { method: 'POST', body, headers })
const read = async (response: Response) => ({ status: response.status, text: await response.text() })
const lambda =
  (shape: (sent: Sent) => LambdaRequest) =>
  (options: ReceiverOptions<typeof event>): Promise<Send> => {
    const handle = lambdaReceiver(options)
    return Promise.resolve(async (sent) => {
      try {
        const { statusCode, body } = await handle(shape(sent))
        return { status: statusCode, text: body }
      } catch {
        // API Gateway answers 502 if the invocation fails.
        return { status: 502, text: '' }
      }
    })
  }

/** Each framework as its users run it. */
const frameworks: Readonly<Record<string, (options: ReceiverOptions<typeof event>) => Promise<Send>>> = {
  express: (options) => {
    const app = express()
    app.post('/webhooks', expressReceiver(options))
    app.use(
      (_: unknown, __: unknown, response: express.Response, ___: unknown) => void response.status(500).end(),
    )
    app.use(express.json())
    return listen(createServer(app))
  },
  'express, after express.raw': (options) => {
    const app = express()
    app.set('env', 'test')
    app.post('/webhooks', express.raw({ type: '*/*', limit: '2mb' }), expressReceiver(options))
    return listen(createServer(app))
  },
  fastify: async (options) => {
    const app = fastify()
    await app.register(fastifyReceiver({ ...options, url: '/webhooks' }))
    app.post('/other', async ({ body }) => body)
    await app.ready()
    closing.push(() => app.close())
    return async ({ body, headers }) => {
      const answer = await app.inject({ method: 'POST', url: '/webhooks', payload: body, headers })
      return { status: answer.statusCode, text: answer.body }
    }
  },
  hono: (options) => {
    const app = new Hono()
      .post('/webhooks', honoReceiver(options))
      .onError((_, context) => context.text('', 500))
    return Promise.resolve(async (sent) => read(await app.request(toRequest(sent))))
  },
  next: (options) => {
    const POST = nextReceiver(options)
    return Promise.resolve(async (sent) => {
      const request = new NextRequest(toRequest(sent))
      return POST(request).then(read, () => ({ status: 500, text: '' }))
    })
  },
  node: (options) => {
    const handle = nodeReceiver(options)
    return listen(createServer((request, response) => void handle(request, response).catch(() => undefined)))
  },
  web: (options) => {
    const handle = webReceiver(options)
    return Promise.resolve((sent) => handle(toRequest(sent)).then(read, () => ({ status: 500, text: '' })))
  },
  'lambda, HTTP API or function URL': lambda(({ body, headers }) => {
    const shaped: Pick<APIGatewayProxyEventV2, 'headers' | 'body' | 'isBase64Encoded'> = {
      headers,
      body: Buffer.from(body).toString('base64'),
      isBase64Encoded: true,
    }
    return shaped as LambdaRequest
  }),
  'lambda, REST API': lambda(({ body, headers }) => {
    const capitals = Object.entries(headers).map(([name, value]) => [name.replace(/^w/, 'W'), value])
    const shaped: Pick<APIGatewayProxyEvent, 'headers' | 'body' | 'isBase64Encoded'> = {
      headers: Object.fromEntries(capitals),
      body,
      isBase64Encoded: false,
    }
    return shaped
  }),
  'lambda, load balancer with multi-value headers': lambda(({ body, headers }) => ({
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    body,
    isBase64Encoded: false,
  })),
}

describe.each(Object.entries(frameworks))('%s', (name, start) => {
  async function prepare(onEvent: (event: { type: string }) => void | Promise<void> = () => undefined) {
    const seen: unknown[] = []
    const verifier = createVerifier<typeof event>({ secrets: secret, replayStore: createMemoryReplayStore() })
    const send = await start({
      verifier,
      onEvent: async (one) => {
        await onEvent(one)
        seen.push(one)
      },
    })
    const delivery = await createTestDelivery(event, { secrets: secret })
    return { send, seen, sent: { body: delivery.body, headers: { ...delivery.headers } } }
  }

  test('passes a genuine delivery to onEvent once', async () => {
    const { send, seen, sent } = await prepare()
    expect(await send(sent)).toEqual({ status: 204, text: '' })
    expect(seen).toEqual([event])
    const again = await send(sent)
    expect(again.status).toBe(200)
    expect(JSON.parse(again.text)).toMatchObject({ error: { code: 'replayed' } })
    expect(seen).toHaveLength(1)
  })

  test('refuses a changed delivery, with the code', async () => {
    const { send, seen, sent } = await prepare()
    const changed = await send({ ...sent, body: sent.body.replace('completed', 'failed') })
    expect(changed.status).toBe(400)
    expect(JSON.parse(changed.text)).toMatchObject({ error: { code: 'signature_mismatch' } })
    const { 'webhook-signature': _, 'x-service-signature': __, ...unsigned } = sent.headers
    expect(JSON.parse((await send({ ...sent, headers: unsigned })).text)).toMatchObject({
      error: { code: 'missing_signature' },
    })
    expect(seen).toEqual([])
  })

  test('accepts the next attempt after onEvent failed', async () => {
    let fails = true
    const { send, seen, sent } = await prepare(() => {
      if (fails) throw new Error('busy')
    })
    expect((await send(sent)).status).toBeGreaterThanOrEqual(500)
    fails = false
    expect((await send(sent)).status).toBe(204)
    expect(seen).toEqual([event])
  })

  test('refuses a body that is too large', async () => {
    const { send, seen, sent } = await prepare()
    // Fewer characters than the limit has bytes.
    const body = JSON.stringify({ ...event, more: 'é'.repeat(600_000) })
    // express.raw reads the body under its own, larger limit, so only the signature fails.
    const expected = name === 'express, after express.raw' ? 400 : 413
    expect((await send({ ...sent, body })).status).toBe(expected)
    expect(seen).toEqual([])
  })
})

/** Earlier reads after which the rest of the request is no longer the body that was sent. */
const touches: Readonly<Record<string, (request: IncomingMessage) => unknown>> = {
  'read it to the end': async (request) => {
    for await (const chunk of request) void chunk
  },
  'read part of it': async (request) => {
    await once(request, 'readable')
    request.read(1)
  },
  'gave up reading': async (request) => {
    for await (const chunk of request) if (chunk) break
  },
  'set its encoding': (request) => void request.setEncoding('utf8'),
}

test('reports the error of onEvent if the replay store fails as well', async () => {
  const busy = new Error('busy')
  const down = new Error('down')
  const release = () => {
    throw down
  }
  const verifier = createVerifier<typeof event>({
    secrets: secret,
    replayStore: { claim: () => true, release },
  })
  const onEvent = () => {
    throw busy
  }
  const delivery = await createTestDelivery(event, { secrets: secret })
  const request = toRequest({ body: delivery.body, headers: { ...delivery.headers } })
  await expect(webReceiver({ verifier, onEvent })(request)).rejects.toMatchObject({ errors: [busy, down] })
})

describe('refuses a parsed body and names the fix', () => {
  const verifier = createVerifier<typeof event>({ secrets: secret })
  const options = { verifier, onEvent: () => undefined }
  const refused = async (send: Send) => {
    const delivery = await createTestDelivery(event, { secrets: secret })
    const { status, text } = await send({ body: delivery.body, headers: { ...delivery.headers } })
    expect(status).toBe(400)
    return JSON.parse(text).error as { code: string; message: string }
  }

  test('in Express', async () => {
    const app = express().use(express.json()).post('/webhooks', expressReceiver(options))
    expect(await refused(await listen(createServer(app)))).toEqual({
      code: 'body_not_raw',
      message: expect.stringContaining('before express.json()'),
    })
  })

  test('in Fastify, except in its own scope, which keeps it raw', async () => {
    const app = fastify()
    await app.register(fastifyReceiver({ ...options, url: '/webhooks' }))
    app.post('/other', async ({ body }) => body)
    const delivery = await createTestDelivery(event, { secrets: secret })
    const post = { method: 'POST', payload: delivery.body, headers: { ...delivery.headers } } as const
    expect((await app.inject({ ...post, url: '/webhooks' })).statusCode).toBe(204)
    expect((await app.inject({ ...post, url: '/other' })).json()).toEqual(event)
    await app.close()
  })

  test('in Lambda', async () => {
    const send = lambda(({ body, headers }) => ({ headers, body: JSON.parse(body) }))
    expect(await refused(await send(options))).toMatchObject({
      code: 'body_not_raw',
      message: expect.stringContaining('In Lambda'),
    })
  })

  test('in Web handlers, if it was read before', async () => {
    const handle = webReceiver(options)
    const send: Send = async (sent) => {
      const request = toRequest(sent)
      await request.json()
      return read(await handle(request))
    }
    expect(await refused(send)).toMatchObject({
      code: 'body_not_raw',
      message: expect.stringContaining('first'),
    })
  })

  test.each(Object.entries(touches))('in Node, after earlier code %s', async (_name, touch) => {
    const handle = nodeReceiver(options)
    const server = createServer(async (request, response) => {
      await touch(request)
      await handle(request, response)
    })
    expect(await refused(await listen(server))).toMatchObject({
      code: 'body_not_raw',
      message: expect.stringContaining('In Node'),
    })
  })

  test.each(Object.entries(touches))('in Express, after earlier code %s', async (_name, touch) => {
    const app = express()
      .use((request, _, next) => void Promise.resolve(touch(request)).then(() => next(), next))
      .post('/webhooks', expressReceiver(options))
    expect(await refused(await listen(createServer(app)))).toMatchObject({
      code: 'body_not_raw',
      message: expect.stringContaining('In Express'),
    })
  })

  test.each(Object.entries(touches))('in Fastify, after earlier code %s', async (_name, touch) => {
    const app = fastify().addHook('onRequest', async ({ raw }) => touch(raw))
    await app.register(fastifyReceiver({ ...options, url: '/webhooks' }))
    closing.push(() => app.close())
    expect(
      await refused(sendTo(`${await app.listen({ host: '127.0.0.1', port: 0 })}/webhooks`)),
    ).toMatchObject({
      code: 'body_not_raw',
      message: expect.stringContaining('In Fastify'),
    })
  })

  test('in Hono, after a middleware read it', async () => {
    const app = new Hono()
      .use(async (context, next) => {
        await context.req.json()
        await next()
      })
      .post('/webhooks', honoReceiver(options))
    expect(await refused(async (sent) => read(await app.request(toRequest(sent))))).toMatchObject({
      code: 'body_not_raw',
      message: expect.stringContaining('In Hono'),
    })
  })

  test('in Next', async () => {
    const POST = nextReceiver(options)
    const send: Send = async (sent) => {
      const request = new NextRequest(toRequest(sent))
      await new Response(request.body).text()
      return read(await POST(request))
    }
    expect(await refused(send)).toMatchObject({
      code: 'body_not_raw',
      message: expect.stringContaining('In Next'),
    })
  })
})
