import { readFile } from 'node:fs/promises'
import type { Account, Id } from '@vaani/contracts'
import { type Receiver, startReceiver } from '@vaani/test-harness'
import { createVerifier, sign } from '@vaani/webhook-verifier'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { webhookActions } from './support/webhook-actions.ts'
import { specimenPath } from './support/specimen-path.ts'

const HOUR_MS = 3_600_000

let server: TestServer
let receiver: Receiver
let key: string
let accountId: Id<'account'>
/** How far the server's clock is ahead of the real one. */
let aheadMs = 0
const clock = { nowMs: () => Date.now() + aheadMs }

beforeAll(async () => {
  server = await startTestServer({ clock, config: { callbackAllowCidrs: ['127.0.0.0/8'] } })
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  receiver = await startReceiver()
  ;({ key, accountId } = await server.createAccount())
})
afterEach(() => receiver[Symbol.asyncDispose]())

const { api, createEndpoint, sendTest, untilReceived, place } = webhookActions(() => ({
  server,
  receiver,
  key,
}))

interface Refusal {
  error: { code: string; param: string; message: string }
}
const countSecrets = async () => {
  const rows = await server.context.database
    .selectFrom('webhook_secrets')
    .where('account_id', '=', accountId)
    .select('owner_id')
    .execute()
  return rows.length
}
const submit = async (more: object) => {
  const encode = async (name: 'passport.jpg' | 'liveness.mp4') =>
    (await readFile(specimenPath(name))).toString('base64')
  return api<Refusal & { verification_id: string }>('/identity/kyc/v2', {
    front_image_b64: await encode('passport.jpg'),
    liveness_video_b64: await encode('liveness.mp4'),
    external_id: 'test_pending_forever',
    ...more,
  })
}

describe('the account’s secret', () => {
  test('must exist before a URL whose webhooks it signs can be set, and a rejection creates none', async () => {
    const callback_url = `${receiver.url}/decisions`
    const refused = await submit({ callback_url })
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param: 'callback_url' } },
    })
    expect(refused.body.error.message).toContain('POST /webhooks/rotate-secret')
    const account = `/admin/accounts/${accountId}`
    const call_webhook_url = `${receiver.url}/calls`
    expect(await api(account, { call_webhook_url }, 'PATCH')).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param: 'call_webhook_url' } },
    })
    expect(await countSecrets()).toBe(0)
    expect((await api<{ data: object[] }>('/identity/verifications')).body.data).toEqual([])

    const rotated = await api<{ secret: string; previous_secret_until: null }>('/webhooks/rotate-secret', {})
    expect(rotated).toMatchObject({ status: 200, body: { previous_secret_until: null } })
    expect((await submit({ callback_url })).status).toBe(200)
    expect((await api(account, { call_webhook_url }, 'PATCH')).status).toBe(200)
    await place()
    const [received] = await untilReceived(1)
    // Verify with only the header that the specification names, as a minimal receiver would.
    const verifier = createVerifier({ secrets: rotated.body.secret, clock: clock.nowMs })
    const { 'x-service-signature': signature } = received?.headers ?? {}
    expect(await verifier.verify(received?.body, { 'x-service-signature': signature })).toMatchObject({
      ok: true,
    })
  })

  test('is not created by a read that only verifies a signature', async () => {
    const { body } = await submit({})
    const signature = (await sign('', { secrets: 'guess', id: 'evt_1', timestampSeconds: 1 }))[
      'x-service-signature'
    ]
    for (const guess of [signature, '0'.repeat(64), 'no signature'])
      expect(
        await server.json(`/identity/verifications/${body.verification_id}`, {
          key,
          headers: { 'x-service-signature': guess },
        }),
      ).toMatchObject({ status: 400, body: { error: { code: 'invalid_signature' } } })
    expect(await countSecrets()).toBe(0)
  })

  test('is returned with a new account, and signs deliveries to its call webhook', async () => {
    const create = { name: 'Customer', call_webhook_url: `${receiver.url}/calls` }
    const created = await server.json<Account & { webhook_secret: string }>('/admin/accounts', {
      body: create,
    })
    expect(created.status).toBe(201)
    const { account_id, webhook_secret } = created.body
    const customer = await server.json<{ key: string }>('/admin/keys', {
      body: { account_id, name: 'Customer', scopes: ['calls:write'] },
    })
    key = customer.body.key
    await place()
    const [received] = await untilReceived(1)
    const verifier = createVerifier({ secrets: webhook_secret, clock: clock.nowMs })
    expect(await verifier.verify(received?.body, received?.headers ?? {})).toMatchObject({ ok: true })
    const listed = await server.json('/admin/accounts?limit=100')
    expect(JSON.stringify(listed.body)).not.toContain('whsec_')
  })

  test('can be rotated for another account only by an operator', async () => {
    const rotate = (asking: string) =>
      server.json('/webhooks/rotate-secret', { key: asking, body: { account_id: accountId } })
    const { key: stranger } = await server.createAccount()
    expect((await rotate(stranger)).status).toBe(404)
    expect(await countSecrets()).toBe(0)
    expect((await rotate(server.key)).status).toBe(200)
    expect(await countSecrets()).toBe(1)
  })
})

describe('a rotation', () => {
  /** Reports which secrets verify the header of the specification, and which verify those of Standard Webhooks. */
  async function acceptedBy(secrets: readonly string[], endpointId: string) {
    const count = receiver.deliveries.length
    await sendTest(endpointId)
    const received = (await untilReceived(count + 1)).at(-1)
    const { 'x-service-signature': own, ...standard } = received?.headers ?? {}
    const accepts = async (secret: string, headers: object) => {
      const verifier = createVerifier({ secrets: secret, clock: clock.nowMs })
      return (await verifier.verify(received?.body, { ...headers })).ok
    }
    return {
      own: await Promise.all(secrets.map((secret) => accepts(secret, { 'x-service-signature': own }))),
      standard: await Promise.all(secrets.map((secret) => accepts(secret, standard))),
    }
  }

  test('signs the single header with the new secret, or with the previous one on request', async () => {
    const { endpoint_id, secret: first } = await createEndpoint()
    const rotate = async (body: object) =>
      (await api<{ secret: string }>(`/webhooks/endpoints/${endpoint_id}/rotate-secret`, body)).body.secret
    const second = await rotate({ overlap_hours: 24 })
    expect(await acceptedBy([first, second], endpoint_id)).toEqual({
      own: [false, true],
      standard: [true, true],
    })
    const third = await rotate({ overlap_hours: 24, sign_with: 'previous' })
    expect(await acceptedBy([first, second, third], endpoint_id)).toEqual({
      own: [false, true, false],
      standard: [false, true, true],
    })
    aheadMs += 25 * HOUR_MS
    expect(await acceptedBy([second, third], endpoint_id)).toEqual({
      own: [false, true],
      standard: [false, true],
    })
  })

  test('without an overlap cannot sign with the previous secret', async () => {
    const { endpoint_id } = await createEndpoint()
    expect(
      await api(`/webhooks/endpoints/${endpoint_id}/rotate-secret`, {
        overlap_hours: 0,
        sign_with: 'previous',
      }),
    ).toMatchObject({ status: 400, body: { error: { param: 'sign_with' } } })
  })
})
