import path from 'node:path'
import { bundleNames, gzipLength } from '@vaani/browser'
import { createTestDelivery } from '@vaani/webhook-verifier'
import { expect, expectTypeOf, test, vi } from 'vitest'
import type {
  BatchEvent,
  CallEvent,
  DocumentEvent,
  VerificationEvent,
  WebhookEndpointEvent,
} from '../generated/types.ts'
import { createWebhookInbox, InvalidSignatureError, unwrapWebhook } from './webhooks.ts'

const SECRET = 'whsec_c2l4dGVlbiBieXRlcyBvciBtb3Jl'
const EVENT = { event_id: 'evt_1', type: 'call.completed', data: { call_id: 'call_1' } }
const delivery = await createTestDelivery(EVENT, { secrets: SECRET })

test('returns the event of a genuine delivery, from text and from bytes, with any kind of headers', async () => {
  const { body, headers } = delivery
  const options = { secret: SECRET }
  expect(await unwrapWebhook(body, headers, options)).toEqual(EVENT)
  expect(await unwrapWebhook(new TextEncoder().encode(body), new Headers(headers), options)).toEqual(EVENT)
})

test('uses the secret of the environment, unless one is given', async () => {
  const { body, headers } = delivery
  vi.stubEnv('VAANI_WEBHOOK_SECRET', SECRET)
  try {
    expect(await unwrapWebhook(body, headers)).toEqual(EVENT)
    await expect(unwrapWebhook(body, headers, { secret: 'another' })).rejects.toThrow('signature mismatch')
    expect(await unwrapWebhook(body, headers, { secret: { current: 'another', previous: SECRET } })).toEqual(
      EVENT,
    )
  } finally {
    vi.unstubAllEnvs()
  }
})

test.each([undefined, ''])(
  'refuses %j as the secret instead of accepting unverified deliveries',
  async (secret) => {
    vi.stubEnv('VAANI_WEBHOOK_SECRET', secret)
    try {
      const failed = unwrapWebhook(delivery.body, delivery.headers)
      await expect(failed).rejects.toThrow(new TypeError('secret is missing: set it or VAANI_WEBHOOK_SECRET'))
    } finally {
      vi.unstubAllEnvs()
    }
  },
)

const old = await createTestDelivery(EVENT, { secrets: SECRET, clock: () => Date.now() - 3_600_000 })

test.each<[string, unknown, object, string]>([
  ['a body that was changed', `${delivery.body} `, delivery.headers, 'signature_mismatch'],
  ['no signature', delivery.body, {}, 'missing_signature'],
  ['a body that was parsed', EVENT, delivery.headers, 'body_not_raw'],
  ['an old delivery', old.body, old.headers, 'timestamp_too_old'],
])('%s is an InvalidSignatureError with its code', async (_, body, headers, code) => {
  const error: unknown = await Reflect.apply(unwrapWebhook, null, [body, headers, { secret: SECRET }]).catch(
    (error: unknown) => error,
  )
  expect(InvalidSignatureError.is(error) && error.code).toBe(code)
  expect(String(error)).not.toContain('call_1')
})

test('the type of its event is that of the contract, which the inbox accepts', async () => {
  const event = await unwrapWebhook(delivery.body, delivery.headers, { secret: SECRET })
  expectTypeOf(event).toEqualTypeOf<
    BatchEvent | CallEvent | DocumentEvent | VerificationEvent | WebhookEndpointEvent
  >()
  const inbox = createWebhookInbox()
  inbox.receive(event)
  await expect(inbox.waitFor(({ event_id }) => event_id === 'evt_1')).resolves.toEqual(EVENT)
})

test('only bundles that use it include it', async () => {
  const bundle = (name: string): Promise<string> =>
    bundleNames([name], path.join(import.meta.dirname, 'webhooks.ts'))
  expect(await bundle('createWebhooks')).not.toContain('HMAC')
  const code = await bundle('unwrapWebhook')
  expect(code).not.toMatch(/\bimport\b|\brequire\b|idempotency/)
  expect(gzipLength(code)).toBeLessThanOrEqual(2250)
})
