import type { Verification } from '@vaani/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addLease } from './support/leases.ts'
import { insertPending, sendHead } from './support/account-limits.ts'
import { makeMedia } from './support/submissions.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
const overLimit = { status: 429, body: { error: { code: 'rate_limit_exceeded' } } }

describe('pending verifications', { tags: 'ffmpeg' }, () => {
  let server: TestServer
  let media: object
  beforeAll(async () => {
    // Without a worker, so that verifications stay pending.
    server = await startTestServer({ config: { roles: new Set(['api']) } })
    const { image, video } = await makeMedia()
    media = { front_image_b64: image.toString('base64'), liveness_video_b64: video.toString('base64') }
  })
  afterAll(() => server[Symbol.asyncDispose]())
  const only = (limit: number) => ({ rateOverrides: { pending_verifications: { limit } } })
  const submit = (key: string, more: object = {}) =>
    server.json<Verification & { error: object }>('/identity/kyc/v2', { key, body: { ...media, ...more } })

  test('are limited per account, however many are submitted at once', async () => {
    const { key, accountId } = await server.createAccount(only(3))
    const answers = await Promise.all(Array.from({ length: 6 }, () => submit(key)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 429, 429, 429])
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused[0]?.headers.get('retry-after')).toBe('5')
    expect(refused[0]?.body.error).toMatchObject({
      code: 'rate_limit_exceeded',
      message: 'pending_verifications: an account may have at most 3 pending verifications at a time',
    })
    const stored = await server.context.database
      .selectFrom('verifications')
      .where('account_id', '=', accountId)
      .select('verification_id')
      .execute()
    expect(stored).toHaveLength(3)
  })

  test('make room when one is decided', async () => {
    const { key, accountId } = await server.createAccount(only(1))
    const id = await insertPending(server, { accountId })
    expect(await submit(key)).toMatchObject(overLimit)
    const { store } = server.context.identity
    await addLease(server.context.database, 'a-worker')
    const claimed = await store.claim({
      workerId: 'a-worker',
      checking: [],
      room: 100,
      perAccount: 100,
      underWay: [],
      after: '',
    })
    const row = claimed.find(({ verification_id }) => verification_id === id)
    if (row === undefined) expect.fail('The verification is gone')
    const decision = { event: 'rejected', checks: [], reasons: [], extracted: null } as const
    await store.decide(row, 'a-worker', { digests: null, judge: () => decision })
    expect((await submit(key)).status).toBe(200)
  })

  test('are counted per account and mode, without the endless ones of the sandbox', async () => {
    const { key, accountId } = await server.createAccount(only(1))
    const other = await server.createAccount(only(1))
    await insertPending(server, { accountId: other.accountId })
    await insertPending(server, { accountId, livemode: true })
    await insertPending(server, { accountId, externalId: 'test_pending_forever' })
    expect((await submit(key, { external_id: 'test_pending_forever' })).status).toBe(200)
    expect((await submit(key)).status).toBe(200)
    expect(await submit(key)).toMatchObject(overLimit)
  })

  test('over the limit are rejected before the body is read', async () => {
    const { key, accountId } = await server.createAccount(only(1))
    await insertPending(server, { accountId })
    const { socket, answer } = await sendHead(server, {
      route: '/identity/kyc/v2',
      key,
      contentType: 'application/json',
    })
    expect(await answer).toMatch(/^HTTP\/1\.1 429 /)
    socket.destroy()
  })
})
