import { once } from 'node:events'
import fs from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestClock } from '../../test/support/test-clock.ts'
import { identitySubmitV2 } from '../generated/routes.ts'
import { createIdentity } from '../resources/identity.ts'
import type { Attempt } from '../transport/attempt.ts'
import type { MediaSource } from '../media-source.ts'
import { formUpload, jsonUpload, type UploadProgress, type UploadSettings } from './upload-body.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-upload-'))
  await writeFile(path.join(folder, 'media'), BYTES)
})
afterAll(() => rm(folder, { recursive: true }))

/** Creates an attempt that runs until it is aborted. */
function createTry() {
  const controller = new AbortController()
  const end = { signal: controller.signal, abort: (reason: unknown) => controller.abort(reason) }
  const nothing = (): void => undefined
  const attempt: Attempt = {
    route: identitySubmitV2,
    url: 'https://vaani.example.com',
    context: { operation: 'identity.submitV2', attempts: 1 },
    startedAtMs: 0,
    idleTimeoutMs: 15_000,
    clock: createTestClock(),
    ...end,
    stopTimer: nothing,
    release: nothing,
  }
  return { ...end, attempt }
}

async function textOf(body: ReturnType<typeof jsonUpload>): Promise<string> {
  const opened = await body.open(createTry().attempt)
  return new Response(opened).text()
}

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const BYTES = Uint8Array.from({ length: 150_001 }, (_, index) => index % 251)
const BASE64 = Buffer.from(BYTES).toString('base64')

describe.each([
  ['Uint8Array', () => BYTES, true],
  ['part of a buffer', () => new Uint8Array([0, ...BYTES, 0]).subarray(1, -1), true],
  ['ArrayBuffer', () => BYTES.buffer, true],
  ['Blob', () => new Blob([BYTES]), true],
  ['File', () => new File([BYTES], 'front.jpg'), true],
  ['path', () => path.join(folder, 'media'), true],
  ['ReadableStream', () => new Blob([BYTES]).stream(), false],
  ['async iterable', () => cut(BYTES, 1000), false],
] satisfies [string, () => MediaSource, boolean][])('from a %s', (_name, source, replayable) => {
  test.each([true, false])('base64 in JSON, with progress up to the end; streamed: %s', async (stream) => {
    const reported: UploadProgress[] = []
    const settings: UploadSettings = { stream, onProgress: (progress) => reported.push(progress) }
    const body = jsonUpload(
      { front_image: source(), back_image: undefined },
      { external_id: 'नाम' },
      settings,
    )
    expect(body.contentType).toBe('application/json')
    expect(body.replayable).toBe(replayable)
    const text = await textOf(body)
    expect(text).toBe(JSON.stringify({ external_id: 'नाम', front_image_b64: BASE64 }))
    const bytes = new TextEncoder().encode(text).length
    expect(reported.at(-1)).toEqual({ sentBytes: bytes, totalBytes: replayable ? bytes : null })
    expect(reported.map(({ sentBytes }) => sentBytes)).toEqual(
      reported.map(({ sentBytes }) => sentBytes).toSorted((a, b) => a - b),
    )
    expect(reported.length).toBeGreaterThan(2)
  })

  test('a file in a form', async () => {
    const body = formUpload({ samples: [source()] }, { name: 'Sita', language: undefined }, { stream: true })
    const opened = await body.open(createTry().attempt)
    const form = await new Response(opened, { headers: { 'content-type': body.contentType } }).formData()
    expect([...form.keys()]).toEqual(['name', 'samples'])
    expect(form.get('name')).toBe('Sita')
    const file = form.get('samples')
    expect(file instanceof File && new Uint8Array(await file.arrayBuffer())).toEqual(BYTES)
  })
})

test('any media and fields arrive unchanged in JSON', () =>
  fc.assert(
    fc.asyncProperty(
      fc.uint8Array(),
      fc.uint8Array(),
      fc.dictionary(
        fc.string().filter((name) => !name.endsWith('_b64') && name !== '__proto__'),
        fc.jsonValue(),
      ),
      async (front, video, fields) => {
        const media = { front_image: front, liveness_video: video }
        expect(JSON.parse(await textOf(jsonUpload(media, fields, { stream: true })))).toEqual(
          JSON.parse(
            JSON.stringify({
              front_image_b64: Buffer.from(front).toString('base64'),
              liveness_video_b64: Buffer.from(video).toString('base64'),
              ...fields,
            }),
          ),
        )
      },
    ),
  ))

test('without media, the body is the JSON of the fields, so that the service can report what is missing', async () => {
  const body = jsonUpload({ image: undefined }, { language: 'ne' }, { stream: true })
  expect(await textOf(body)).toBe('{"language":"ne"}')
})

test('a blob keeps its type in a form, and a body can be opened again for another try', async () => {
  const blob = new Blob(['voice'], { type: 'audio/wav' })
  const body = formUpload({ samples: [blob, blob] }, {}, { stream: true })
  const [first, second] = [await textOf(body), await textOf(body)]
  expect(first.match(/content-type: audio\/wav\r\n\r\nvoice\r\n/g)).toHaveLength(2)
  expect(second).toBe(first)
})

test('reads a source no faster than it is sent, so that an upload is not buffered', async () => {
  let read = 0
  async function* source() {
    for (; read < 100_000; read += 1) yield BYTES
  }
  const body = jsonUpload({ image: source() }, {}, { stream: true })
  const opened = await body.open(createTry().attempt)
  if (!(opened instanceof ReadableStream)) throw new TypeError('Expected a stream')
  const reader = opened.getReader()
  for (let number = 1; number <= 50; number += 1) {
    await reader.read()
    expect(read).toBeLessThanOrEqual(number)
  }
  await reader.cancel()
})

describe('a source that fails', () => {
  async function* failing() {
    yield BYTES
    throw new RangeError('the camera is gone')
  }

  test.each([true, false])('midway aborts the attempt with its own error; streamed: %s', async (stream) => {
    const attempt = createTry()
    const body = jsonUpload({ image: failing() }, {}, { stream })
    const sent = body.open(attempt.attempt).then((opened) => new Response(opened).text())
    await expect(sent).rejects.toThrow('the camera is gone')
    expect(attempt.signal.reason).toBeInstanceOf(RangeError)
  })

  test('because the file cannot be opened only aborts the attempt', async () => {
    // A path with a size that cannot be read, like a file without read permission, which root would not notice.
    const socket = path.join(folder, 'socket')
    const server = createServer().listen(socket)
    await once(server, 'listening')
    try {
      const attempt = createTry()
      const body = jsonUpload({ image: BYTES, other: socket }, {}, { stream: true })
      const opened = await body.open(attempt.attempt)
      await expect(new Response(opened).text()).rejects.toThrow('ENXIO')
      expect(attempt.signal.reason).toMatchObject({ code: 'ENXIO' })
    } finally {
      server.close()
    }
  })

  test('does not fail before its turn, because files are opened only when they are read', async () => {
    const opening = vi.spyOn(fs, 'createReadStream')
    const paths = [path.join(folder, 'media'), path.join(folder, 'media')] as const
    const body = jsonUpload({ front: paths[0], back: paths[1] }, {}, { stream: true })
    const opened = await body.open(createTry().attempt)
    expect(opening).not.toHaveBeenCalled()
    await new Response(opened).arrayBuffer()
    expect(opening).toHaveBeenCalledTimes(2)
  })

  test('because the path does not exist fails before anything is sent', async () => {
    const body = jsonUpload({ image: path.join(folder, 'missing') }, {}, { stream: true })
    await expect(body.open(createTry().attempt)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('an attempt that ends early', () => {
  test('errors the body and stops reading its sources', async () => {
    const ended: string[] = []
    async function* source() {
      try {
        for (;;) yield BYTES
      } finally {
        ended.push('iterable')
      }
    }
    const stream = new ReadableStream<Uint8Array>({ cancel: () => void ended.push('stream') })
    const attempt = createTry()
    const opened = await jsonUpload({ image: source(), other: stream }, {}, { stream: true }).open(
      attempt.attempt,
    )
    if (!(opened instanceof ReadableStream)) throw new TypeError('Expected a stream')
    const reader = opened.getReader()
    for (let chunks = 0; chunks < 3; chunks += 1) await reader.read()
    attempt.abort(new Error('enough'))
    await expect(reader.read()).rejects.toThrow('enough')
    await expect.poll(() => ended).toEqual(['stream', 'iterable'])
  })

  test('during a stalled source never makes a short body look complete', async () => {
    const attempt = createTry()
    const stalled = new ReadableStream<Uint8Array>()
    const opened = await jsonUpload({ image: stalled }, {}, { stream: true }).open(attempt.attempt)
    const text = new Response(opened).text()
    attempt.abort(new Error('enough'))
    await expect(text).rejects.toThrow('enough')
  })
})

test('a connection that breaks during an upload leaves no rejection that nobody handles', async () => {
  const unhandled = vi.fn<() => void>()
  process.on('unhandledRejection', unhandled)
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end())
  }).listen(0, '127.0.0.1')
  try {
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const identity = createIdentity({
      apiKey: 'sk_test_1',
      baseUrl: `http://127.0.0.1:${port}`,
      maxRetries: 0,
    })
    const media = new Uint8Array(2 ** 20)
    const submitted = identity.submitV1({ front_image: media, back_image: media, liveness_video: media })
    await expect(submitted).rejects.toMatchObject({ code: 'connection_failed' })
    // Node reports a rejection when the turn of the event loop ends; the stream fails in a later one.
    for (let turns = 0; turns < 3; turns += 1) await new Promise((resolve) => setTimeout(resolve))
    expect(unhandled).not.toHaveBeenCalled()
  } finally {
    process.off('unhandledRejection', unhandled)
    server.close()
  }
})
