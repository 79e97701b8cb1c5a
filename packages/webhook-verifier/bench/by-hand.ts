import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { SignatureHeaders } from '../src/index.ts'

/** The baselines: the minimal check of each scheme, with keys prepared once and no needless parsing. */
export async function createByHand(options: {
  readonly serviceKey: Buffer
  readonly standardKey: Buffer
  readonly body: Buffer<ArrayBuffer>
  readonly headers: SignatureHeaders
}) {
  const { body, headers } = options
  const { 'x-service-signature': service, 'webhook-id': id, 'webhook-timestamp': timestamp } = headers
  const standard = headers['webhook-signature'].slice('v1,'.length)
  const isRecent = () => Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300

  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const importKey = (bytes: Uint8Array<ArrayBuffer>) =>
    crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify'])
  const webServiceKey = await importKey(Uint8Array.from(options.serviceKey))
  const webStandardKey = await importKey(Uint8Array.from(options.standardKey))
  const serviceKey = createSecretKey(options.serviceKey)
  const standardKey = createSecretKey(options.standardKey)

  return {
    node: {
      service: () =>
        timingSafeEqual(createHmac('sha256', serviceKey).update(body).digest(), Buffer.from(service, 'hex')),
      standard: () =>
        isRecent() &&
        timingSafeEqual(
          createHmac('sha256', standardKey).update(`${id}.${timestamp}.`).update(body).digest(),
          Buffer.from(standard, 'base64'),
        ),
    },
    web: {
      service: () => crypto.subtle.verify('HMAC', webServiceKey, Buffer.from(service, 'hex'), body),
      standard: async () =>
        isRecent() &&
        (await crypto.subtle.verify(
          'HMAC',
          webStandardKey,
          Buffer.from(standard, 'base64'),
          Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]),
        )),
    },
  }
}
