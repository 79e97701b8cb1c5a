/** Idempotency-Key on routes that stream their bodies: requests are compared by content. */
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http'
import path from 'node:path'
import type { ErrorBody, Verification } from '@vaani/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { formOf, makeMedia, type Part } from './support/submissions.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

let server: TestServer
let key: string
let image: Buffer
/** An image with the same length but different content. */
let otherImage: Buffer
let video: Buffer

beforeAll(async () => {
  const made = await makeMedia()
  video = made.video
  image = Buffer.concat([made.image, Buffer.from('A')])
  otherImage = Buffer.concat([made.image, Buffer.from('B')])
  // Without a worker, only submissions write blobs.
  server = await startTestServer({ config: { roles: new Set(['api']), callbackAllowCidrs: ['127.0.0.0/8'] } })
})
afterAll(async () => server?.[Symbol.asyncDispose]())
beforeEach(async () => {
  key = await makeKey()
})

/** Creates a key of a new account with a webhook secret, so that callback URLs are accepted. */
async function makeKey(): Promise<string> {
  const account = await server.createAccount()
  await server.json('/webhooks/rotate-secret', { body: {}, key: account.key })
  return account.key
}

interface Answer {
  status: number
  body: Verification & ErrorBody
  replayed: unknown
  retryAfter: unknown
}

/** Sends a chunked body without content-length. Does not use `fetch`, because such forms crash Prism. */
function begin(route: string, type: string, body: Buffer | string, idempotencyKey: string): ClientRequest {
  const request = httpRequest(server.url + route, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': type,
      'idempotency-key': idempotencyKey,
      'transfer-encoding': 'chunked',
    },
  })
  return request.end(body)
}
async function send(...request: Parameters<typeof begin>): Promise<Answer> {
  const [response] = (await once(begin(...request), 'response')) as [IncomingMessage]
  return {
    status: response.statusCode ?? 0,
    body: JSON.parse(Buffer.concat(await response.toArray()).toString()),
    replayed: response.headers['idempotent-replayed'],
    retryAfter: response.headers['retry-after'],
  }
}

interface Content {
  front_image: Buffer
  back_image: Buffer
  liveness_video: Buffer
  external_id: string
  callback_url: string
}
const person = (): Content => ({
  front_image: image,
  back_image: image,
  liveness_video: video,
  external_id: 'person-1',
  callback_url: 'https://127.0.0.1/a',
})

const versions = {
  v1(
    content: Partial<Content> & object,
    idempotencyKey: string,
    order = (parts: Part[]) => parts,
    boundary?: string,
  ) {
    const { type, body } = formOf(order(Object.entries(content)), boundary)
    return send('/identity/kyc/v1', type, body, idempotencyKey)
  },
  v2(
    content: Partial<Content> & object,
    idempotencyKey: string,
    order = (parts: Part[]) => parts,
    space?: string,
  ) {
    const fields = order(Object.entries(content)).map(([name, value]) =>
      typeof value === 'string' ? [name, value] : [`${name}_b64`, value.toString('base64')],
    )
    const body = JSON.stringify(Object.fromEntries(fields), null, space)
    return send('/identity/kyc/v2', 'application/json', body, idempotencyKey)
  },
}

/** Lists all rows, blobs and folders that submissions left. */
async function kept() {
  const { rows } = await countVerifications()
  const blobs = await readdir(path.join(server.context.settings.dataDirectory, 'blobs'), { recursive: true })
  return { rows, blobs: blobs.toSorted(), folders: await readdir(server.context.identity.intakeDirectory) }
}
async function countVerifications() {
  const rows = await server.context.database.selectFrom('verifications').select('verification_id').execute()
  return { rows: rows.map(({ verification_id }) => verification_id).toSorted() }
}

describe.each(['v1', 'v2'] as const)('a key of %s', { tags: 'ffmpeg' }, (version) => {
  const submit = versions[version]

  test('replays the first response for the same content, however it is encoded', async () => {
    const first = await submit(person(), 'same')
    expect(first.status).toBe(200)
    const before = await kept()
    const again = [
      await submit(person(), 'same'),
      await submit(person(), 'same', (parts) => parts.toReversed()),
      await submit(person(), 'same', (parts) => parts, version === 'v1' ? 'another-boundary' : '  '),
    ]
    for (const answer of again) {
      expect(answer).toMatchObject({ status: 200, body: first.body })
      expect(answer.replayed).toBe('true')
    }
    expect(first.replayed).toBeUndefined()
    expect(await kept()).toEqual(before)
  })

  test.each([
    ['front_image', () => ({ front_image: otherImage })],
    ['back_image', () => ({ back_image: otherImage })],
    ['external_id', () => ({ external_id: 'person-2' })],
    ['callback_url', () => ({ callback_url: 'https://127.0.0.1/b' })],
  ])('is a conflict for another %s of the same length', async (_, other) => {
    expect((await submit(person(), 'other')).status).toBe(200)
    const before = await kept()
    const answer = await submit({ ...person(), ...other() }, 'other')
    expect(answer).toMatchObject({
      status: 409,
      body: { error: { code: 'idempotency_conflict', param: 'idempotency-key' } },
    })
    expect(answer.replayed).toBeUndefined()
    expect(await kept()).toEqual(before)
  })

  test('is a conflict for media under another name', async () => {
    const { back_image: _, ...rest } = { ...person(), back_image: otherImage }
    const one =
      version === 'v1' ? { ...person(), back_image: otherImage } : { ...rest, back_image: otherImage }
    expect((await submit(one, 'swapped')).status).toBe(200)
    const swapped = { ...one, front_image: one.back_image, back_image: one.front_image }
    expect((await submit(swapped, 'swapped')).status).toBe(409)
  })

  test('creates one verification, however many requests come at once', async () => {
    const { rows } = await kept()
    const answers = await Promise.all(Array.from({ length: 6 }, () => submit(person(), 'at-once')))
    const ids = answers.filter(({ status }) => status === 200).map(({ body }) => body.verification_id)
    expect(new Set(ids).size).toBe(1)
    for (const { status, retryAfter } of answers)
      if (status !== 200) expect([status, retryAfter]).toEqual([409, '1'])
    const after = await kept()
    expect(after.rows).toHaveLength(rows.length + 1)
    expect(after.folders).toEqual([])
    const again = await submit(person(), 'at-once')
    expect(again.body.verification_id).toBe(ids[0])
  })

  test('is free again after a rejection, for any content', async () => {
    const spoof = { ...person(), external_id: 'test_spoof' }
    const before = await kept()
    expect((await submit(spoof, 'refused')).status).toBe(422)
    expect((await submit({ ...person(), front_image: Buffer.from('no image') }, 'refused')).status).toBe(422)
    expect((await submit({ front_image: image }, 'refused')).status).toBe(400)
    expect(await kept()).toEqual(before)
    expect((await submit(person(), 'refused')).status).toBe(200)
  })

  test('belongs to the account', async () => {
    const mine = await submit(person(), 'shared')
    key = await makeKey()
    const theirs = await submit({ ...person(), front_image: otherImage }, 'shared')
    expect(theirs.status).toBe(200)
    expect(theirs.body.verification_id).not.toBe(mine.body.verification_id)
  })

  test('is validated before the body is read', async () => {
    const before = await kept()
    expect(await submit(person(), 'x'.repeat(256))).toMatchObject({
      status: 400,
      body: { error: { param: 'idempotency-key' } },
    })
    expect(await kept()).toEqual(before)
  })

  test('is stored without revealing anything about the media', async () => {
    await submit(person(), 'stored')
    const rows = await server.context.database
      .selectFrom('idempotency_keys')
      .select(['key', 'fingerprint'])
      .execute()
    const fingerprints = rows.filter((row) => row.key === 'stored').map(({ fingerprint }) => fingerprint)
    // The same content gives another digest for another account, because the digests are keyed by account.
    key = await makeKey()
    await submit(person(), 'stored')
    const all = await server.context.database
      .selectFrom('idempotency_keys')
      .select(['key', 'fingerprint'])
      .execute()
    expect(
      new Set(all.filter((row) => row.key === 'stored').map(({ fingerprint }) => fingerprint.toString('hex')))
        .size,
    ).toBe(fingerprints.length + 1)
  })
})

describe('a key', { tags: 'ffmpeg' }, () => {
  test('of one version is a conflict in the other', async () => {
    expect((await versions.v1(person(), 'version')).status).toBe(200)
    expect((await versions.v2(person(), 'version')).status).toBe(409)
  })

  test('is a conflict for other options', async () => {
    const send2 = (store_media?: boolean) => {
      const { front_image, liveness_video } = person()
      const media = {
        front_image_b64: front_image.toString('base64'),
        liveness_video_b64: liveness_video.toString('base64'),
      }
      const options = store_media === undefined ? {} : { options: { store_media } }
      return send('/identity/kyc/v2', 'application/json', JSON.stringify({ ...media, ...options }), 'options')
    }
    const first = await send2()
    expect((await send2(false)).status).toBe(409)
    // An omitted option has its default value.
    expect((await send2(true)).body.verification_id).toBe(first.body.verification_id)
  })

  test('of a caller that hung up keeps the response of its request', async () => {
    const { type, body } = formOf(Object.entries(person()))
    const request = ['/identity/kyc/v1', type, body, 'hung-up'] as const
    const first = begin(...request).on('error', () => undefined)
    await until(
      () => readdir(server.context.identity.intakeDirectory),
      (names) => names.length > 0,
    )
    first.destroy()
    const answer = await until(
      () => send(...request),
      ({ status }) => status === 200,
    )
    const { body: list } = await server.json<{ data: Verification[] }>('/identity/verifications', { key })
    expect(list.data.map(({ verification_id }) => verification_id)).toEqual([answer.body.verification_id])
  })
})
