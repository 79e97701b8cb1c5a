import type { ErrorBody } from '@vaani/contracts'
import { type Receiver, startReceiver } from '@vaani/test-harness'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

/** Allowed webhook destinations: the public internet over https, and any range that the operator has opened. */
const servers: Record<'closed' | 'opened', TestServer | undefined> = { closed: undefined, opened: undefined }
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  servers.closed = await startTestServer({ config: { roles: new Set(['api']) } })
  servers.opened = await startTestServer({
    config: { callbackAllowCidrs: ['127.0.0.0/8', '10.0.0.0/8', 'fd00::/8'] },
  })
})
afterAll(async () => {
  await servers.closed?.[Symbol.asyncDispose]()
  await servers.opened?.[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const FIELDS = {
  'an endpoint': ['/webhooks/endpoints', 'url', (url: string) => ({ url, events: ['call.queued'] })],
  'an account': [
    '/admin/accounts',
    'call_webhook_url',
    (url: string) => ({ name: 'New', call_webhook_url: url }),
  ],
} as const

const OPENED = [
  'http://127.0.0.1:9000/',
  'http://127.8.9.10/hooks',
  'https://127.0.0.1:9000/',
  'http://10.0.0.7:9000/',
  'https://10.255.255.255/',
  'http://[fd12:3456::1]:9000/',
  'http://localhost:9000/',
  'http://LOCALHOST.:9000/',
  'https://localhost/',
  'http://receiver.localhost:9000/',
]
const NEVER = [
  'http://example.com/',
  'http://93.184.215.14/',
  'http://192.168.0.1/',
  'https://192.168.0.1/',
  'http://169.254.169.254/',
  'https://169.254.169.254/',
  'https://[fe80::1]/',
  'https://metadata.google.internal/',
  'http://metadata.google.internal/',
  'http://user@127.0.0.1:9000/',
  'http://127.0.0.1:22/',
  'ftp://127.0.0.1/',
]

describe.each(Object.entries(FIELDS))('of %s', (_, [path, param, bodyOf]) => {
  async function give(name: keyof typeof servers, url: string) {
    const answer = await servers[name]!.json<ErrorBody>(path, { body: bodyOf(url) })
    return answer.status === 201 ? 'taken' : { status: answer.status, param: answer.body.error.param }
  }
  const refused = { status: 400, param }

  test.each(OPENED)('%s is accepted only if its range is opened', async (url) => {
    expect(await give('opened', url)).toBe('taken')
    expect(await give('closed', url)).toEqual(refused)
  })

  test.each(NEVER)('%s is rejected', async (url) => {
    expect(await give('opened', url)).toEqual(refused)
    expect(await give('closed', url)).toEqual(refused)
  })
})

describe('a verification without any media', () => {
  async function submit(name: keyof typeof servers, url: string) {
    const { status, body } = await servers[name]!.json<ErrorBody>('/identity/kyc/v2', {
      body: { callback_url: url },
    })
    return { status, param: body.error.param, message: body.error.message }
  }

  test('is refused for its callback URL first, so that a caller can try the URL', async () => {
    expect(await submit('closed', 'http://127.0.0.1:9000/')).toEqual({
      status: 400,
      param: 'callback_url',
      message: 'callback_url: must be https',
    })
    expect(await submit('opened', 'https://192.168.0.1/')).toMatchObject({ param: 'callback_url' })
    const without = await submit('opened', 'http://127.0.0.1:9000/')
    expect(without).toMatchObject({ param: 'callback_url' })
    expect(without.message).toContain('needs a webhook secret')
    await servers.opened!.json('/webhooks/rotate-secret', { body: {} })
    expect(await submit('opened', 'http://127.0.0.1:9000/')).toMatchObject({ param: 'front_image_b64' })
  })
})

test.each(['127.0.0.1', 'localhost', 'receiver.localhost'])(
  'a webhook arrives at http://%s',
  async (host) => {
    const server = servers.opened!
    const url = new URL(receiver.url)
    url.hostname = host
    url.pathname = `/by-name/${host}`
    const made = await server.json<{ endpoint_id: string }>('/webhooks/endpoints', {
      body: { url: url.href, events: ['call.queued'] },
    })
    expect(made.status).toBe(201)
    await server.json(`/webhooks/endpoints/${made.body.endpoint_id}/test`, { body: { type: 'call.queued' } })
    await until(
      async () => receiver.deliveries.map(({ path }) => path),
      (paths) => paths.includes(url.pathname),
    )
  },
)
