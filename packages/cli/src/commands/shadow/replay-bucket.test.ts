import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import S3rver from '@20minutes/s3rver'
import type { Clock } from '@vaani/client'
import { AwsClient } from 'aws4fetch'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { EXIT_CODES } from '../../failure/exit-codes.ts'
import { migration, type Received, startTestWorker, type TestWorker } from '../../test/migration-worker.ts'
import { run } from '../../test/run.ts'

const KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER', AWS_REGION: 'us-east-1' }
const SECRET = 'a-secret-that-nobody-may-read'
const PLACE = 's3://stored/kyc/2026'
const FILES = { front_image: 'front', back_image: 'back', liveness_video: '7/a +é(%2e).mp4' }
const SUBMIT = 'POST /migration/submissions'

let directory: string
let s3: S3rver
let endpoint: string
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'vaani-bucket-'))
  const configureBuckets = [{ name: 'stored', configs: [] }]
  s3 = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets })
  endpoint = `http://127.0.0.1:${(await s3.run()).port}`
  for (const name of Object.values(FILES)) await put(`kyc/2026/${name}`, `bytes of ${name}`)
  await put('kyc/other', 'secret')
})
afterAll(async () => {
  await s3.close()
  await rm(directory, { recursive: true })
})

/** Folder of this test's temporary files. */
let temporary: string
beforeEach(async () => {
  temporary = await mkdtemp(path.join(tmpdir(), 'vaani-temporary-'))
  vi.stubEnv('TMPDIR', temporary)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(temporary, { recursive: true })
})

async function put(key: string, body: string): Promise<void> {
  const client = new AwsClient({ accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', service: 's3' })
  const url = `${endpoint}/stored/${key.split('/').map(encodeURIComponent).join('/')}`
  const { status } = await client.fetch(url, { method: 'PUT', body })
  expect(status).toBe(200)
}
const putManifest = (...lines: readonly object[]) =>
  put('kyc/2026/manifest.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'))

/** Starts a worker that accepts every submission. */
async function startReplayed(onSubmit: (received: Received) => void | Promise<void> = () => undefined) {
  const worker = await startTestWorker(async (received) => {
    if (received.request !== SUBMIT) return Response.json(migration('shadow-100'))
    await onSubmit(received)
    return Response.json({ pair_id: 'pair_1', sampled: true }, { status: 202 })
  })
  return { ...worker, submitted: () => worker.received.filter(({ request }) => request === SUBMIT) }
}

const replay = (
  worker: TestWorker,
  { place = PLACE, options = [], variables = {}, ...changes }: Options = {},
): ReturnType<typeof run> =>
  run(['shadow', 'replay', place, ...options], {
    variables: { ...worker.variables, ...KEYS, AWS_ENDPOINT_URL_S3: endpoint, ...variables },
    ...changes,
  })
interface Options {
  place?: string
  options?: readonly string[]
  variables?: Readonly<Record<string, string | undefined>>
  signal?: AbortSignal
  clock?: Clock
}

/** Waits between attempts end at once, and limits never pass, be they of downloads or of the client. */
const patientClock: Clock = {
  nowMs: () => Date.now(),
  after(delayMs, action) {
    if (delayMs >= 15_000) return () => undefined
    const timer = setImmediate(action)
    return () => clearImmediate(timer)
  },
}

/** Starts an HTTP server in place of the storage service. */
async function startStorage(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // `address` is a path only for a server on a pipe.
  return { AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('sends the submissions under a prefix, and leaves nothing on this machine', async () => {
  await putManifest({ ...FILES, external_id: 'user-7' }, { ...FILES, external_id: 'user-8' })
  const held: number[] = []
  await using worker = await startReplayed(async () => {
    held.push((await readdir(temporary)).length)
  })
  const { code, stdout } = await replay(worker, { options: ['--concurrency', '1'] })
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/sampled +2\n/) })
  const form = worker.submitted()[0]?.form
  expect(form?.get('external_id')).toBe('user-7')
  const file = form?.get('liveness_video')
  expect(file instanceof File && (await file.text())).toBe(`bytes of ${FILES.liveness_video}`)
  expect(held).toEqual([1, 1])
  expect(await readdir(temporary)).toEqual([])
})

test('has the files of one line at a time for each of the concurrent submissions', async () => {
  await putManifest(...Array.from({ length: 6 }, (_, line) => ({ ...FILES, external_id: `user-${line}` })))
  const held: number[] = []
  await using worker = await startReplayed(async () => {
    const [folder = ''] = await readdir(temporary)
    const names = await readdir(path.join(temporary, folder))
    held.push(names.filter((name) => name.startsWith('line-')).length)
  })
  await replay(worker, { options: ['--concurrency', '2'] })
  expect(held).toHaveLength(6)
  expect(Math.max(...held)).toBeLessThanOrEqual(2)
})

test('sends no object outside of the prefix', async () => {
  const names = ['../other', 'x/../../other', '/kyc/other', './front', 'a//b', '..', '\uD800']
  await putManifest(...names.map((front_image) => ({ ...FILES, front_image })))
  await using worker = await startReplayed()
  const { code, stderr } = await replay(worker)
  expect(code).toBe(EXIT_CODES.rejected)
  expect(stderr.match(/front_image must be the rest of a key under the prefix/g)).toHaveLength(names.length)
  expect(worker.submitted()).toEqual([])
})

test('continues after a line whose object is missing', async () => {
  await putManifest({ ...FILES, back_image: 'none' }, FILES)
  await using worker = await startReplayed()
  const { code, stderr } = await replay(worker)
  expect(code).toBe(EXIT_CODES.rejected)
  expect(stderr).toContain('line 1: back_image: there is no such object\n')
  expect(worker.submitted()).toHaveLength(1)
})

test.each<{
  what: string
  variables?: Options['variables']
  place?: string
  family: keyof typeof EXIT_CODES
  says: string
}>([
  { what: 'no bucket', place: 's3://nothere/kyc', family: 'not_found', says: 'there is no bucket nothere' },
  { what: 'no manifest', place: 's3://stored/none', family: 'usage', says: 'manifest.jsonl' },
  { what: 'a bucket without a name', place: 's3:///kyc', family: 'usage', says: 's3://BUCKET/PREFIX' },
  { what: 'a prefix with ..', place: 's3://stored/kyc/..', family: 'usage', says: 'prefix' },
  { what: 'no key id', variables: { AWS_ACCESS_KEY_ID: '' }, family: 'access', says: 'AWS_ACCESS_KEY_ID' },
  {
    what: 'no secret',
    variables: { AWS_SECRET_ACCESS_KEY: undefined },
    family: 'access',
    says: 'AWS_SECRET_ACCESS_KEY',
  },
  {
    what: 'a wrong secret',
    variables: { AWS_SECRET_ACCESS_KEY: SECRET },
    family: 'access',
    says: 'SignatureDoesNotMatch',
  },
  {
    what: 'an unknown key id',
    variables: { AWS_ACCESS_KEY_ID: SECRET },
    family: 'access',
    says: 'InvalidAccessKeyId',
  },
  {
    what: 'a token that no header carries',
    variables: { AWS_SESSION_TOKEN: `${SECRET}\n` },
    family: 'access',
    says: 'AWS_SESSION_TOKEN',
  },
  {
    what: 'a region that is a host',
    variables: { AWS_REGION: `x.${SECRET}/` },
    family: 'usage',
    says: 'AWS_REGION',
  },
  {
    what: 'neither a region nor an endpoint',
    variables: { AWS_REGION: '', AWS_ENDPOINT_URL_S3: '' },
    family: 'usage',
    says: 'AWS_REGION',
  },
  {
    what: 'an endpoint with a password',
    variables: { AWS_ENDPOINT_URL_S3: `http://u:${SECRET}@host` },
    family: 'usage',
    says: 'AWS_ENDPOINT_URL_S3',
  },
])('says what is wrong: $what', async ({ variables = {}, place = PLACE, family, says }) => {
  await putManifest(FILES)
  await using worker = await startReplayed()
  const { code, stdout, stderr } = await replay(worker, { variables, place })
  expect({ code, stderr }).toEqual({ code: EXIT_CODES[family], stderr: expect.stringContaining(says) })
  expect(stdout + stderr).not.toContain(SECRET)
  expect(worker.submitted()).toEqual([])
  expect(await readdir(temporary)).toEqual([])
})

test('repeats a download that failed, and counts a file once', async () => {
  const failures = ['503', 'cut', 'reset']
  const storage = await startStorage((request, response) => {
    const body = request.url?.endsWith('manifest.jsonl') ? JSON.stringify(FILES) : 'bytes'
    const failure = request.url?.endsWith('front') ? failures.pop() : undefined
    if (failure === 'reset') request.socket.resetAndDestroy()
    else if (failure === 'cut') {
      response.writeHead(200, { 'content-length': '5' }).write('byt')
      setImmediate(() => response.destroy())
    } else response.writeHead(failure === undefined ? 200 : 503).end(failure === undefined ? body : '')
  })
  await using worker = await startReplayed()
  const { code } = await replay(worker, { variables: storage, clock: patientClock })
  expect({ code, failures }).toEqual({ code: 0, failures: [] })
  const file = worker.submitted()[0]?.form?.get('front_image')
  expect(file instanceof File && (await file.text())).toBe('bytes')
})

test('gives up after five attempts', async () => {
  let attempts = 0
  const storage = await startStorage((_, response) => {
    attempts += 1
    response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
  })
  await using worker = await startReplayed()
  const { code, stderr } = await replay(worker, { variables: storage, clock: patientClock })
  expect({ code, attempts }).toEqual({ code: EXIT_CODES.unavailable, attempts: 5 })
  expect(stderr).toContain('503 SlowDown, after 5 attempts')
})

test('gives a service up that never answers', async () => {
  const storage = await startStorage(() => undefined)
  await using worker = await startReplayed()
  const hasty: Clock = { ...patientClock, after: (_, action) => patientClock.after(0, action) }
  const { code, stderr } = await replay(worker, { variables: storage, clock: hasty })
  expect({ code, stderr }).toEqual({
    code: EXIT_CODES.unavailable,
    stderr: 'vaani: the storage service is too slow, after 5 attempts\n',
  })
})

test.each(['said', 'not said'])('refuses an object whose size is too large and %s', async (said) => {
  const part = Buffer.alloc(1_048_576)
  const storage = await startStorage((request, response) => {
    if (request.url?.endsWith('manifest.jsonl')) return response.end(JSON.stringify(FILES))
    if (said === 'said')
      return response.writeHead(200, { 'content-length': `${51 * part.length}` }).write('a')
    const more = (): void => {
      while (!response.destroyed && response.write(part));
    }
    response.on('drain', more)
    return more()
  })
  await using worker = await startReplayed()
  const { code, stderr } = await replay(worker, { variables: storage, clock: patientClock })
  expect(code).toBe(EXIT_CODES.rejected)
  expect(stderr).toContain('line 1: front_image: the object is larger than 50 MiB\n')
})

test('names the region in which the bucket is, and follows no redirection with a signature', async () => {
  const storage = await startStorage((_, response) =>
    response.writeHead(301, { 'x-amz-bucket-region': 'ap-south-1', location: endpoint }).end(),
  )
  await using worker = await startReplayed()
  const { code, stderr } = await replay(worker, { variables: storage })
  expect(code).toBe(EXIT_CODES.usage)
  expect(stderr).toContain('set AWS_REGION to ap-south-1')
})

test('asks Amazon at the host of the bucket, with the token of temporary credentials', async () => {
  await using worker = await startReplayed()
  const asked: (string | null)[] = []
  await run(['shadow', 'replay', 's3://stored/kyc'], {
    variables: { ...worker.variables, ...KEYS, AWS_REGION: 'ap-south-1', AWS_SESSION_TOKEN: 'token' },
    fetch: async (url, init) => {
      if (!url.includes('amazonaws')) return fetch(url, init)
      asked.push(url, new Headers(init.headers).get('x-amz-security-token'))
      return new Response('', { status: 404 })
    },
  })
  expect(asked).toEqual(['https://stored.s3.ap-south-1.amazonaws.com/kyc/manifest.jsonl', 'token'])
})

test.each(['submits', 'downloads'])(
  'leaves no file behind if it is interrupted while it %s',
  async (what) => {
    const interruption = new AbortController()
    const interrupt = () => {
      interruption.abort(new Error('enough'))
      return new Promise<void>(() => undefined)
    }
    const storage = await startStorage((request, response) => {
      if (request.url?.endsWith('manifest.jsonl')) return response.end(JSON.stringify(FILES))
      if (what === 'submits' || request.url?.endsWith('front')) return response.end('bytes')
      return void interrupt()
    })
    await using worker = await startReplayed(interrupt)
    const { code } = await replay(worker, { variables: storage, signal: interruption.signal })
    expect(code).toBe(EXIT_CODES.interrupted)
    expect(await readdir(temporary)).toEqual([])
  },
)
