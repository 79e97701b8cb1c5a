import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Worker } from 'node:worker_threads'
import type { BlobStore } from '@vaani/service-kit/blobs/blob-store'
import { createFileBlobStore } from '@vaani/service-kit/blobs/file-blob-store'
import { createS3BlobStore } from '@vaani/service-kit/blobs/s3-blob-store'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

const MIB = 1024 * 1024
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
let directory: string
let s3: Worker
const stores: Partial<Record<string, BlobStore>> = {}

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'vaani-storage-'))
  stores['files'] = await createFileBlobStore({ directory: path.join(directory, 'files') })
  s3 = new Worker(path.join(import.meta.dirname, 'support/s3-server.ts'), {
    workerData: path.join(directory, 's3'),
  })
  const [port] = await once(s3, 'message')
  stores['S3'] = createS3BlobStore({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket: 'media',
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  })
})
afterAll(async () => {
  await Promise.all(Object.values(stores).map((store) => store?.close()))
  await s3.terminate()
  await rm(directory, { recursive: true, force: true })
})

async function* chunks(data: Uint8Array, size = 64 * 1024) {
  for (let offset = 0; offset < data.length; offset += size) yield data.subarray(offset, offset + size)
}
async function* broken() {
  yield randomBytes(1000)
  throw new Error('The upload broke')
}

describe.each(['files', 'S3'])('blobs in %s', (name) => {
  const store = (): BlobStore => {
    const found = stores[name]
    if (found === undefined) throw new Error(`No store ${name}`)
    return found
  }
  const read = async (key: string) => buffer((await store().open(key)).stream)

  test('are returned unchanged', async () => {
    const data = randomBytes(9 * MIB + 17)
    await store().put('calls/a.wav', chunks(data), {
      maxBytes: 16 * MIB,
      contentType: 'audio/wav',
    })
    const opened = await store().open('calls/a.wav')
    expect(opened.bytes).toBe(data.length)
    expect((await buffer(opened.stream)).equals(data)).toBe(true)
  })

  test('can be a small or empty buffer, and are replaced as a whole', async () => {
    for (const data of [randomBytes(5), new Uint8Array(0)]) {
      await store().put('small', data, { maxBytes: 10 })
      expect((await read('small')).equals(data)).toBe(true)
    }
  })

  test.each([
    ['too large', () => chunks(randomBytes(2000), 100), 1000, 'at most 1000'],
    ['too large in their second part', () => chunks(randomBytes(18 * MIB)), 17 * MIB, `at most ${17 * MIB}`],
    ['broken off', broken, 1000, 'broke'],
  ])('that are %s leave nothing', async (_, source, maxBytes, message) => {
    await expect(store().put('never', source(), { maxBytes })).rejects.toThrow(message)
    await expect(store().open('never')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('that are aborted leave nothing', async () => {
    const controller = new AbortController()
    async function* source() {
      yield randomBytes(10)
      controller.abort()
      yield randomBytes(10)
    }
    await expect(
      store().put('aborted', source(), { maxBytes: 100, signal: controller.signal }),
    ).rejects.toThrow()
    await expect(store().open('aborted')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('that are aborted do not wait for a stalled source', async () => {
    const controller = new AbortController()
    async function* source() {
      yield randomBytes(10)
      controller.abort()
      await new Promise(() => undefined)
    }
    await expect(
      store().put('stuck', source(), { maxBytes: 100, signal: controller.signal }),
    ).rejects.toThrow()
    await expect(store().open('stuck')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('are distinct from folders', async () => {
    await store().put('folder/one', randomBytes(1), { maxBytes: 1 })
    for (const key of ['folder', 'folder/one/two']) {
      await expect(store().open(key)).rejects.toMatchObject({ code: 'not_found' })
      await store().delete(key)
    }
    expect(await read('folder/one')).toHaveLength(1)
  })

  test('are never buffered whole in memory', async () => {
    const total = 128 * MIB
    const heldBytes = () => {
      collectGarbage()
      return process.memoryUsage().arrayBuffers
    }
    const before = heldBytes()
    let most = 0
    async function* source() {
      for (let sent = 0; sent < total; sent += MIB) {
        yield Buffer.alloc(MIB, 1)
        if (sent % (8 * MIB) === 0) most = Math.max(most, heldBytes() - before)
      }
    }
    await store().put('large', source(), { maxBytes: total })
    // The S3 server of the test holds some of them in this process too, more if the machine is busy.
    expect(most).toBeLessThan(total / 2)
  })

  test('are gone after deletion, which can be repeated', async () => {
    await store().put('gone', randomBytes(1), { maxBytes: 1 })
    await store().delete('gone')
    await store().delete('gone')
    await expect(store().open('gone')).rejects.toMatchObject({ code: 'not_found' })
  })

  test.each([
    '',
    '/etc/passwd',
    '../up',
    'a/../../up',
    'a//b',
    'a/',
    '.hidden',
    'a/.unfinished',
    'a\\b',
    'a\0b',
    'x'.repeat(501),
  ])('cannot have the key %j', async (key) => {
    const invalid = { code: 'invalid_key' }
    await expect(store().put(key, randomBytes(1), { maxBytes: 1 })).rejects.toMatchObject(invalid)
    await expect(store().open(key)).rejects.toMatchObject(invalid)
  })

  test('are listed by their folder, without those of folders in it', async () => {
    const bytes = Buffer.from('four')
    for (const key of ['listed/one', 'listed/two', 'listed/deeper/three'])
      await store().put(key, bytes, { maxBytes: 10 })
    expect(await Array.fromAsync(store().list('listed'))).toEqual(
      expect.arrayContaining([
        { key: 'listed/one', bytes: 4 },
        { key: 'listed/two', bytes: 4 },
      ]),
    )
    expect(await Array.fromAsync(store().list('listed'))).toHaveLength(2)
    expect(await Array.fromAsync(store().list('nothing-here'))).toEqual([])
  })

  test('written concurrently under one key end up as exactly one of them', async () => {
    const all = Array.from({ length: 6 }, (_, index) => Buffer.alloc(100_000, index))
    await Promise.all(all.map((data) => store().put('raced', chunks(data, 1000), { maxBytes: MIB })))
    const found = await read('raced')
    expect(all.some((data) => data.equals(found))).toBe(true)
  })
})

describe('folders of the file store', () => {
  const folderOf = async (name: string) => {
    const folder = path.join(directory, name)
    return { folder, store: await createFileBlobStore({ directory: folder }) }
  }

  test('are removed with the last blob in them', async () => {
    const { folder, store } = await folderOf('emptied')
    for (const key of ['a/b/one', 'a/b/two', 'a/three']) await store.put(key, randomBytes(1), { maxBytes: 1 })
    const left = async () =>
      (await readdir(folder, { recursive: true }))
        .filter((name) => !name.startsWith('.unfinished/'))
        .toSorted()
    await store.delete('a/b/one')
    expect(await left()).toEqual(['.unfinished', 'a', 'a/b', 'a/b/two', 'a/three'])
    await store.delete('a/b/two')
    expect(await left()).toEqual(['.unfinished', 'a', 'a/three'])
    await store.delete('a/three')
    expect(await left()).toEqual(['.unfinished'])
  })

  test('are created again for a blob that is written during their removal', async () => {
    const { store } = await folderOf('raced')
    const putAndDelete = async (key: string) => {
      for (let round = 0; round < 100; round++) {
        await store.put(key, new Uint8Array(1), { maxBytes: 1 })
        await store.delete(key)
      }
    }
    await Promise.all(Array.from({ length: 6 }, (_, number) => putAndDelete(`a/b/${number}`)))
  })
})

describe('an S3 store that fails', () => {
  /**
   * @param behave handles each request of the store
   * @param silenceTimeoutMs longer where the store answers, which it does late on a busy machine
   */
  async function storeOf(
    behave: (request: IncomingMessage, response: ServerResponse) => void,
    silenceTimeoutMs = 200,
  ) {
    const failing = createServer(behave).listen(0, '127.0.0.1')
    await once(failing, 'listening')
    onTestFinished(() => {
      failing.close()
      failing.closeAllConnections()
    })
    const { port } = failing.address() as AddressInfo
    return createS3BlobStore(
      {
        endpoint: `http://127.0.0.1:${port}`,
        region: 'us-east-1',
        bucket: 'media',
        credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
      },
      { silenceTimeoutMs },
    )
  }
  const attempt = (store: BlobStore) =>
    Promise.allSettled<unknown>([
      store.put('key', randomBytes(10), { maxBytes: 10 }),
      store.put('key', chunks(randomBytes(9 * MIB)), { maxBytes: 9 * MIB }),
      store.open('key'),
      store.delete('key'),
    ])
  const answer = (status: number) => (request: IncomingMessage, response: ServerResponse) => {
    request.resume()
    response.writeHead(status).end()
  }

  test.each([
    ['is full', answer(507)],
    ['is busy', answer(503)],
    ['asks to slow down', answer(429)],
    ['resets connections', (request: IncomingMessage) => void request.socket.resetAndDestroy()],
    ['never answers', (request: IncomingMessage) => void request.resume()],
    ['never reads', () => undefined],
  ])('because it %s is unavailable', async (_, behave) => {
    const store = await storeOf(behave)
    for (const outcome of await attempt(store))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
    await store.close()
  })

  test('because it rejects the credentials is not reported as unavailable', async () => {
    const store = await storeOf(answer(403), 60_000)
    for (const outcome of await attempt(store))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { $metadata: { httpStatusCode: 403 } } })
    await store.close()
  })

  test('in the middle of a blob fails the stream', async () => {
    const store = await storeOf((_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write(randomBytes(500))
    }, 3000)
    const { stream, bytes } = await store.open('key')
    expect(bytes).toBe(1000)
    await expect(buffer(stream)).rejects.toMatchObject({ code: 'unavailable' })
    await store.close()
  })

  test('does not affect a slow reader', async () => {
    const data = randomBytes(4 * MIB)
    const store = await storeOf(({ url = '' }, response) => {
      response.writeHead(200, { 'content-length': String(data.length) })
      if (url.includes('stopping')) response.write(data.subarray(0, MIB))
      else response.end(data)
    }, 3000)
    const { stream } = await store.open('key')
    const read: Buffer[] = []
    for await (const chunk of stream) {
      // Pause for longer than the store may be silent.
      if (read.length === 0)
        await expect(buffer((await store.open('stopping')).stream)).rejects.toMatchObject({
          code: 'unavailable',
        })
      read.push(chunk)
    }
    expect(Buffer.concat(read).equals(data)).toBe(true)
    await store.close()
  })
})

test('unfinished files of a dead process are swept by the next one, but not those of a live process', async () => {
  const files = path.join(directory, 'swept')
  const living = await createFileBlobStore({ directory: files })
  const unfinished = path.join(files, '.unfinished')
  const ended = '8e5b1f5a-0d0d-4a3e-9a53-5e3f4f0c2d11'
  await mkdir(path.join(unfinished, ended))
  await writeFile(path.join(unfinished, ended, 'half'), 'RIFF')
  const before = await readdir(unfinished)
  const next = await createFileBlobStore({ directory: files })
  const after = await readdir(unfinished)
  expect(before).toContain(ended)
  expect(after).not.toContain(ended)
  expect(after).toEqual(expect.arrayContaining(before.filter((name) => name !== ended)))
  await Promise.all([living.close(), next.close()])
  expect(await readdir(unfinished)).toEqual([])
})

test('only our user can read blobs, even in a folder that was open to others', async () => {
  const files = path.join(directory, 'private')
  await mkdir(path.join(files, 'calls'), { recursive: true, mode: 0o755 })
  const store = await createFileBlobStore({ directory: files })
  await store.put('calls/new/a', randomBytes(1), { maxBytes: 1 })
  const mode = async (name: string) => (await stat(path.join(files, name))).mode & 0o777
  expect(await mode('.')).toBe(0o700)
  expect(await mode('calls/new')).toBe(0o700)
  expect(await mode('calls/new/a')).toBe(0o600)
  await store.close()
})
