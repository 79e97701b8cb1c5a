/** Rejected and aborted uploads leave nothing behind. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { LIMITS } from '@vaani/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLogLines } from './support/log-lines.ts'
import { connectRaw, type RawConnection } from './support/raw-connection.ts'
import { formOf, makeMedia, type Part } from './support/submissions.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

let server: TestServer
let key: string
let media: { image: Buffer; video: Buffer }

const { log, lines, troubles } = createLogLines()
const cuts = () => server.context.events.counts().upload_cut

beforeAll(async () => {
  media = await makeMedia()
  // Without a worker, only submissions write.
  server = await startTestServer({ config: { roles: new Set(['api']) }, log })
  ;({ key } = await server.createAccount())
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => {
  lines.length = 0
})

/** Lists all folders, files and rows that submissions left. */
async function kept(): Promise<string[]> {
  const { settings, database, identity } = server.context
  const blobs = path.join(settings.dataDirectory, 'blobs')
  const [folders, files, unfinished, rows] = await Promise.all([
    readdir(identity.intakeDirectory),
    readdir(path.join(blobs, 'identity'), { recursive: true }).catch(() => []),
    readdir(path.join(blobs, '.unfinished'), { recursive: true }),
    database.selectFrom('verifications').select('verification_id').execute(),
  ])
  // The top level has one folder per process.
  const halves = unfinished.filter((name) => name.includes(path.sep))
  return [...folders, ...files, ...halves, ...rows.map(({ verification_id }) => verification_id)]
}

const base64 = (bytes: Buffer) => bytes.toString('base64')
const v2 = (fields: object = {}) => {
  const whole = { front_image_b64: base64(media.image), liveness_video_b64: base64(media.video), ...fields }
  return { route: '/identity/kyc/v2', type: 'application/json', body: Buffer.from(JSON.stringify(whole)) }
}
const v1 = (...more: Part[]) => {
  const parts: Part[] = [
    ['front_image', media.image],
    ['back_image', media.image],
    ['liveness_video', media.video],
  ]
  return { route: '/identity/kyc/v1', ...formOf([...parts, ...more]) }
}
const form = (...parts: Part[]) => ({ route: '/identity/kyc/v1', ...formOf(parts) })
type Upload = ReturnType<typeof v1>

const headOf = ({ route, type }: Upload, framing: string) =>
  `POST ${route} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-type: ${type}\r\n${framing}\r\n\r\n`

describe('a rejected upload', () => {
  const big = (bytes: number) => Buffer.alloc(bytes, 'A')
  const formWithVideo = (bytes: number) =>
    form(['front_image', media.image], ['back_image', media.image], ['liveness_video', big(bytes)])
  const rows: [string, number, () => Upload][] = [
    ['an image over the limit, version 2', 413, () => v2({ front_image_b64: base64(big(16_000_000)) })],
    [
      'a video over the limit, version 2',
      413,
      () => v2({ liveness_video_b64: base64(big(LIMITS.videoBytes + 1)) }),
    ],
    ['an invalid video at the limit', 422, () => v2({ liveness_video_b64: base64(big(LIMITS.videoBytes)) })],
    ['too much besides the media', 413, () => v2({ external_id: 'x'.repeat(300_000) })],
    ['invalid base64', 400, () => v2({ liveness_video_b64: `${base64(media.video)}!` })],
    ['an empty artifact, version 2', 400, () => v2({ liveness_video_b64: '' })],
    ['an unknown field', 400, () => v2({ selfie: 'QUJD' })],
    ['an invalid field', 400, () => v2({ external_id: '' })],
    ['invalid JSON', 400, () => ({ ...v2(), body: v2().body.subarray(0, -1) })],
    [
      'an artifact twice, version 2',
      400,
      () => ({
        ...v2(),
        body: Buffer.concat([v2().body.subarray(0, -1), Buffer.from(`,"front_image_b64":"QUJD"}`)]),
      }),
    ],
    ['an invalid image, version 2', 422, () => v2({ front_image_b64: base64(big(1000)) })],
    ['a callback on a private network', 400, () => v2({ callback_url: 'https://10.0.0.1/' })],
    [
      'an image over the limit, version 1',
      413,
      () => form(['front_image', media.image], ['back_image', big(16_000_000)]),
    ],
    ['a video over the limit, version 1', 413, () => formWithVideo(LIMITS.videoBytes + 1)],
    ['an invalid video at the limit, version 1', 422, () => formWithVideo(LIMITS.videoBytes)],
    ['an unknown part', 400, () => v1(['selfie', big(1_000_000)])],
    ['a part twice', 400, () => v1(['front_image', media.image])],
    ['an empty part', 400, () => form(['front_image', media.image], ['back_image', Buffer.alloc(0)])],
    ['text instead of a file', 400, () => form(['front_image', media.image], ['back_image', 'text'])],
    ['a file instead of text', 400, () => v1(['external_id', media.image])],
    ['a missing part', 400, () => form(['front_image', media.image])],
    ['an invalid text', 400, () => v1(['external_id', '\u0001'])],
    [
      'an invalid image, version 1',
      422,
      () => form(['front_image', big(1000)], ['back_image', media.image], ['liveness_video', media.video]),
    ],
    [
      'more parts than a form may have',
      400,
      () => v1(...Array.from({ length: 40 }, (): Part => ['external_id', 'x'])),
    ],
    ['a form without its end', 400, () => ({ ...v1(), body: v1().body.subarray(0, -20) })],
  ]
  test.each(rows)('with %s gets %i and leaves nothing', async (_, status, make) => {
    const upload = make()
    using connection = await connectRaw(server.url)
    connection.send(headOf(upload, `content-length: ${upload.body.length}`))
    connection.send(upload.body)
    const [answer] = await connection.untilAnswers(1)
    expect(answer?.status).toBe(status)
    expect(await kept()).toEqual([])
    expect(troubles()).toEqual([])
  })
})

/** Ways in which a caller aborts its request. */
const leavings: Record<string, (connection: RawConnection) => void> = {
  'resets its connection': ({ socket }) => void socket.resetAndDestroy(),
  'closes its connection': ({ socket }) => void socket.destroy(),
  'ends its side': ({ socket }) => void socket.end(),
}

describe.each(Object.entries(leavings))('a caller that %s', (_, leave) => {
  const uploads = { 'version 1': () => v1(), 'version 2': () => v2() }
  test.each(Object.entries(uploads))(
    'during an upload of %s leaves nothing and causes no error',
    async (__, make) => {
      const before = cuts()
      const upload = make()
      const places = 12
      for (let place = 0; place < places; place++) {
        using connection = await connectRaw(server.url)
        const sent = Math.floor(((upload.body.length - 1) * place) / (places - 1))
        const isChunked = place % 2 === 0
        connection.send(
          headOf(upload, isChunked ? 'transfer-encoding: chunked' : `content-length: ${upload.body.length}`),
        )
        if (isChunked && sent > 0) connection.send(`${sent.toString(16)}\r\n`)
        await new Promise((resolve) => connection.socket.write(upload.body.subarray(0, sent), resolve))
        await until(
          () => readdir(server.context.identity.intakeDirectory),
          (names) => names.length > 0,
        )
        leave(connection)
        await until(
          async () => cuts(),
          (count) => count === before + place + 1,
        )
        await until(kept, (names) => names.length === 0)
      }
      expect(troubles()).toEqual([])
      expect(lines.filter(({ event }) => event === 'upload_cut')).toHaveLength(places)
    },
  )

  test('during a JSON body is counted, and has no effect', async () => {
    const before = cuts()
    using connection = await connectRaw(server.url)
    const upload = { route: '/agent/calls', type: 'application/json', body: Buffer.from('{"to":') }
    connection.send(headOf(upload, 'content-length: 100'))
    await new Promise((resolve) => connection.socket.write(upload.body, resolve))
    leave(connection)
    await until(
      async () => cuts(),
      (count) => count === before + 1,
    )
    expect(troubles()).toEqual([])
  })
})

test.each([
  ['version 1', v1],
  ['version 2', v2],
  ['JSON', () => ({ route: '/agent/calls', type: 'application/json', body: Buffer.from('{"to":""}') })],
])('a caller of %s that is gone before the body is read leaves nothing', async (_, make) => {
  const { authenticator } = server.context
  const authenticate = authenticator.authenticate.bind(authenticator)
  const asked = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const held = vi.spyOn(authenticator, 'authenticate').mockImplementationOnce(async (given) => {
    asked.resolve()
    await gate.promise
    return authenticate(given)
  })
  const before = cuts()
  const upload: Upload = make()
  using connection = await connectRaw(server.url)
  connection.send(headOf(upload, `content-length: ${upload.body.length}`))
  connection.send(upload.body)
  await asked.promise
  connection.socket.resetAndDestroy()
  // Once the server has answered another caller, it has noticed that this one is gone.
  expect((await server.fetch('/healthz')).status).toBe(200)
  gate.resolve()
  await until(
    async () => cuts(),
    (count) => count === before + 1,
  )
  await until(kept, (names) => names.length === 0)
  expect(troubles()).toEqual([])
  held.mockRestore()
})

test('an internal error is logged as an error and answered with 500', async () => {
  const { intakeDirectory } = server.context.identity
  await rm(intakeDirectory, { recursive: true })
  await writeFile(intakeDirectory, '')
  try {
    const upload = v2()
    using connection = await connectRaw(server.url)
    connection.send(headOf(upload, `content-length: ${upload.body.length}`))
    connection.send(upload.body)
    await until(
      async () => troubles(),
      (all) => all.length === 1,
    )
    expect(troubles()).toMatchObject([{ level: 50, code: 'internal_error', operation: 'identity.submitV2' }])
    expect((await connection.untilAnswers(1))[0]?.status).toBe(500)
  } finally {
    await rm(intakeDirectory)
    await mkdir(intakeDirectory)
  }
})

describe('a submission that fails after it was received', { tags: 'ffmpeg' }, () => {
  const submit = () => server.json('/identity/kyc/v2', { key, rawBody: v2().body })

  test('leaves nothing if a blob cannot be stored', async () => {
    const { blobs } = server.context
    const put = blobs.put.bind(blobs)
    const failing = vi.spyOn(blobs, 'put').mockImplementation(async (name, source, options) => {
      if (name.endsWith('front_image')) throw new Error('The disk is full')
      return put(name, source, options)
    })
    expect((await submit()).status).toBe(500)
    expect(failing).toHaveBeenCalledTimes(2)
    failing.mockRestore()
    expect(await kept()).toEqual([])
  })

  test('leaves nothing if its row cannot be written', async () => {
    const { store } = server.context.identity
    vi.spyOn(store, 'create').mockRejectedValueOnce(new Error('The database is full'))
    expect((await submit()).status).toBe(500)
    expect(await kept()).toEqual([])
  })

  test('keeps its media if its row was committed but the reply was lost', async () => {
    const { database, blobs, identity } = server.context
    const create = identity.store.create.bind(identity.store)
    vi.spyOn(identity.store, 'create').mockImplementationOnce(async (...row) => {
      await create(...row)
      throw new Error('The answer of the commit was lost')
    })
    expect((await submit()).status).toBe(500)
    const row = await database.selectFrom('verifications').selectAll().executeTakeFirstOrThrow()
    for (const { key: place } of row.artifacts) (await blobs.open(place)).stream.destroy()
    await identity.media.remove(row.artifacts)
    await database.deleteFrom('verifications').execute()
    expect(await kept()).toEqual([])
  })
})

test('a shutdown during uploads leaves nothing', async () => {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'vaani-stop-'))
  try {
    const stopping = await startTestServer({ config: { dataDirectory, roles: new Set(['api']) } })
    ;({ key } = await stopping.createAccount())
    const connections: RawConnection[] = []
    for (const upload of [v1(), v2()]) {
      const connection = await connectRaw(stopping.url)
      connections.push(connection)
      connection.send(headOf(upload, `content-length: ${upload.body.length}`))
      connection.send(upload.body.subarray(0, -1))
    }
    const { intakeDirectory } = stopping.context.identity
    await until(
      async () =>
        (await readdir(intakeDirectory, { recursive: true })).filter((name) => name.endsWith('front_image')),
      (names) => names.length === 2,
    )
    await stopping[Symbol.asyncDispose]()
    expect(await readdir(path.dirname(intakeDirectory))).toEqual([])
    expect(await readdir(path.join(dataDirectory, 'blobs'))).toEqual(['.unfinished'])
    for (const connection of connections) connection[Symbol.dispose]()
  } finally {
    await rm(dataDirectory, { recursive: true })
  }
})
