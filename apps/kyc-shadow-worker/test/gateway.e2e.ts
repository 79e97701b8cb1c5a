/** The gateway as a process, between callers and real deployments. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { request as sendRequest } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer, json } from 'node:stream/consumers'
import type { Verification } from '@vaani/contracts'
import type { BlobStore } from '@vaani/service-kit/blobs/blob-store'
import { createFileBlobStore } from '@vaani/service-kit/blobs/file-blob-store'
import { loadOrMakeKey } from '@vaani/service-kit/vault/load-key'
import { createVault } from '@vaani/service-kit/vault/vault'
import type { RunningVaani } from '@vaani/test-harness'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type PublishedFlag, publishFlag } from '../src/published-flag/published-flag.ts'
import { openSpool, type Spool } from '../src/spool/spool.ts'
import { type Form, KEY, makeForm, startDeployment } from './support/deployments.ts'
import { type GatewayProcess, startGatewayProcess } from './support/gateway-process.ts'
import { createWorkerDatabase } from './support/start-test-worker.ts'
import { until } from '@vaani/test-services/until'

const PERSON = 'test_approved:person-42'

let primary: RunningVaani
let candidate: RunningVaani
let deployments: AsyncDisposableStack
let form: Form
let stack: AsyncDisposableStack
let directory: string
let blobs: BlobStore
let spool: Spool

beforeAll(async () => {
  deployments = new AsyncDisposableStack()
  const started = await Promise.all([startDeployment(), startDeployment()])
  for (const one of started) deployments.use(one)
  ;[primary, candidate] = started
  form = await makeForm(PERSON)
})
afterAll(() => deployments.disposeAsync())

beforeEach(async () => {
  stack = new AsyncDisposableStack()
  directory = await mkdtemp(path.join(tmpdir(), 'gateway-'))
  stack.defer(() => rm(directory, { recursive: true }))
  blobs = await createFileBlobStore({ directory: path.join(directory, 'blobs') })
  // A test may have moved it away.
  stack.defer(() => blobs.close().catch(() => undefined))
  spool = openSpool({ blobs, vault: createVault([await loadOrMakeKey(directory)]) })
})
afterEach(() => stack.disposeAsync())

async function open(environment: Record<string, string> = {}): Promise<GatewayProcess & { url: string }> {
  const gateway = stack.use(
    await startGatewayProcess({
      VAANI_DATA_DIR: directory,
      VAANI_SHADOW_PRIMARY_URL: primary.url,
      VAANI_SHADOW_CANDIDATE_URL: candidate.url,
      VAANI_SHADOW_INITIAL_STAGE: 'shadow-100',
      ...environment,
    }),
  )
  const { url } = gateway
  if (url === null) throw new Error(gateway.output())
  return { ...gateway, url }
}

const authorized = { authorization: `Bearer ${KEY}` }

/** Not with `fetch`, whose exchanges are shown to the document's validator: one of these is enough, and there are many here. */
async function submit(url: string): Promise<Verification> {
  const submission = sendRequest(`${url}/identity/kyc/v1`, {
    method: 'POST',
    headers: { ...authorized, 'content-type': form.type, 'content-length': form.body.length },
  })
  submission.end(form.body)
  const [response] = await once(submission, 'response')
  expect(response.statusCode).toBe(200)
  return (await json(response)) as Verification
}
/** As any client does, asks a busy deployment again. */
const readStatus = (url: string, id: string): Promise<number> =>
  until(
    async () => {
      const answered = await fetch(`${url}/identity/verifications/${id}`, { headers: authorized })
      await answered.arrayBuffer()
      return answered.status
    },
    (status) => status !== 503,
  )
async function readChecks(url: string): Promise<Record<string, string>> {
  const answered = await fetch(`${url}/readyz`)
  expect(answered.status).toBe(200)
  return ((await answered.json()) as { checks: Record<string, string> }).checks
}
async function readCount({ metricsUrl }: GatewayProcess, series: string): Promise<number> {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text()
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return Number(line?.split(' ').at(-1))
}
async function readEntries() {
  const files = await Array.fromAsync(spool.list())
  const entries = files.filter(({ kind }) => kind === 'entry')
  return Promise.all(entries.map(({ pairId }) => spool.readEntry(pairId)))
}

/** Returns what comes back on a socket of its own, without what differs each time. */
async function exchange(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(bytes)
  return (await buffer(socket)).toString('latin1').replaceAll(/^date:.*$|;[rt]=\d+/gim, '')
}

test('answers come back byte for byte', async () => {
  const { url } = await open()
  const head = 'Host: a\r\nConnection: close\r\nX-Request-Id: req_0123456789\r\n'
  for (const lines of [
    `GET /identity/verifications/ver_1 HTTP/1.1\r\n${head}`,
    `GET /nowhere HTTP/1.1\r\n${head}`,
    `GET /openapi.json HTTP/1.1\r\n${head}`,
    `HEAD /openapi.json HTTP/1.1\r\n${head}Accept-Encoding: gzip\r\n`,
    `POST /identity/kyc/v1 HTTP/1.1\r\n${head}Authorization: Bearer ${KEY}\r\nContent-Length: 0\r\n`,
    `OPTIONS /identity/kyc/v1 HTTP/1.1\r\n${head}Origin: https://a.example\r\n`,
  ]) {
    const [direct, through] = [
      await exchange(primary.url, `${lines}\r\n`),
      await exchange(url, `${lines}\r\n`),
    ]
    expect(direct).toMatch(/^HTTP\/1\.1 \d/)
    expect(through).toBe(direct)
  }
})

test('a sampled submission is in the spool as it was sent, with what the primary answered', async () => {
  const gateway = await open({ VAANI_SHADOW_NOISE_SHARE: '0' })
  const { verification_id } = await submit(gateway.url)
  const [entry] = await until(readEntries, (entries) => entries.length === 1)
  if (entry === undefined) throw new Error('No entry')
  expect(entry).toMatchObject({
    kind: 'comparison',
    stage: 'shadow-100',
    answeredBy: 'v1',
    contentType: form.type,
    mediaBytes: form.body.length,
    answer: { status: 200, verificationId: verification_id, errorCode: null },
  })
  expect(JSON.stringify(entry)).not.toContain('person-42')
  expect((await buffer(await spool.openMedia(entry))).equals(form.body)).toBe(true)
  expect(await readStatus(gateway.url, verification_id)).toBe(200)
  expect(await readCount(gateway, 'vaani_shadow_sampled_total{kind="comparison"}')).toBe(1)
  expect(gateway.output()).not.toMatch(/person-42|sk_test/)
})

test('the kill file stops copying, and callers notice nothing', async () => {
  const { url } = await open()
  const file = path.join(directory, 'kill')
  await writeFile(file, '')
  await until(
    () => readChecks(url),
    ({ kill_switch }) => kill_switch === 'engaged',
  )
  await submit(url)
  await rm(file)
  await until(
    () => readChecks(url),
    ({ kill_switch }) => kill_switch === 'released',
  )
  const { verification_id } = await submit(url)
  const entries = await until(readEntries, ({ length }) => length > 0)
  expect(entries.map(({ answer }) => answer?.verificationId)).toEqual([verification_id])
})

test('with a full spool callers are answered, and what is dropped is counted', async () => {
  const gateway = await open({ VAANI_SHADOW_SPOOL_MAX_BYTES: '1000' })
  await submit(gateway.url)
  const dropped = () => readCount(gateway, 'vaani_shadow_dropped_total{reason="spool_full"}')
  await until(dropped, (count) => count === 1)
  expect(await Array.fromAsync(spool.list())).toEqual([])
})

test('with a dead store callers are answered, also by a gateway that starts without one', async () => {
  const gateway = await open()
  await rename(path.join(directory, 'blobs'), path.join(directory, 'away'))
  await writeFile(path.join(directory, 'blobs'), 'no folder')
  await submit(gateway.url)
  const dropped = () => readCount(gateway, 'vaani_shadow_dropped_total{reason="spool_failed"}')
  await until(dropped, (count) => count === 1)
  const second = await open()
  await submit(second.url)
  expect(await readChecks(second.url)).toMatchObject({ spool: 'unknown', flag: 'initial' })
  // It recovers by itself.
  await rm(path.join(directory, 'blobs'))
  await rename(path.join(directory, 'away'), path.join(directory, 'blobs'))
  await until(
    () => readChecks(second.url),
    ({ spool: state }) => state === 'ok',
  )
})

test('a promotion is in effect soon, and ids stay readable through it and through the way back', async () => {
  const { url } = await open({ VAANI_SHADOW_INITIAL_STAGE: 'off' })
  let revision = 0
  async function change(stage: PublishedFlag['stage']): Promise<void> {
    await publishFlag(blobs, { stage, isKilled: false, epoch: 1, revision: ++revision })
    await until(
      () => readChecks(url),
      (checks) => checks['stage'] === stage,
    )
  }
  const before = await submit(url)
  expect(await readStatus(primary.url, before.verification_id)).toBe(200)

  await change('live')
  const { verification_id } = await submit(url)
  expect([
    await readStatus(candidate.url, verification_id),
    await readStatus(primary.url, verification_id),
  ]).toEqual([200, 404])
  const decided = await until(
    async () => {
      const answered = await fetch(`${url}/identity/verifications/${verification_id}`, {
        headers: authorized,
      })
      return (await answered.json()) as Verification
    },
    ({ decision }) => decision !== 'pending',
  )
  expect(decided).toMatchObject({ decision: 'approved', external_id: PERSON })
  expect(await readStatus(url, before.verification_id)).toBe(200)
  const [entry] = await until(readEntries, ({ length }) => length === 1)
  expect(entry).toMatchObject({ answeredBy: 'v2', answer: { verificationId: verification_id } })

  await change('shadow-1')
  // Another gateway remembers none of the ids.
  const other = await open()
  for (const gateway of [url, other.url])
    for (const id of [before.verification_id, verification_id])
      expect(await readStatus(gateway, id)).toBe(200)
  const { verification_id: after } = await submit(url)
  expect(await readStatus(primary.url, after)).toBe(200)
})

test('after promotion version 1 refuses as before, in its own words', async () => {
  const { url } = await open({ VAANI_SHADOW_INITIAL_STAGE: 'complete' })
  const broken = new FormData()
  for (const name of ['front_image', 'back_image', 'liveness_video']) broken.append(name, new Blob(['none']))
  const missing = new FormData()
  missing.append('front_image', new Blob([Buffer.from('/9j/4AAQSkZJRg==', 'base64')]))
  for (const body of [broken, missing]) {
    const errors = await Promise.all(
      [primary.url, url].map(async (base) => {
        const answered = await fetch(`${base}/identity/kyc/v1`, { method: 'POST', headers: authorized, body })
        const { error } = (await answered.json()) as { error: { code: string; param: string } }
        return { status: answered.status, code: error.code, param: error.param }
      }),
    )
    expect(errors[1]).toEqual(errors[0])
  }
})

test('the gateway outlives its worker, which is started again', async () => {
  await using database = await createWorkerDatabase()
  const gateway = await open({
    VAANI_SHADOW_WORKER: 'child',
    VAANI_SHADOW_ADMIN_PORT: '0',
    VAANI_SHADOW_INITIAL_STAGE: 'shadow-1',
    DATABASE_URL: database.url,
  })
  const findWorker = (): number =>
    Number(
      execFileSync('pgrep', ['-P', String(gateway.child.pid)])
        .toString()
        .split('\n', 1)[0],
    )
  const isFlagPublished = ({ flag }: Record<string, string>) => flag === 'published'
  await until(() => readChecks(gateway.url), isFlagPublished)
  const pid = findWorker()
  process.kill(pid, 'SIGKILL')
  await until(
    () => readChecks(gateway.url),
    ({ worker }) => worker === 'restarting',
  )
  await submit(gateway.url)
  await until(
    () => readChecks(gateway.url),
    ({ worker }) => worker === 'running',
  )
  expect(findWorker()).not.toBe(pid)
  expect(await gateway.end('SIGTERM')).toBe(0)
  expect(() => process.kill(findWorker(), 0)).toThrow()
})

test('a stop lets a submission under way finish, and is not ready meanwhile', async () => {
  const gateway = await open()
  const submission = sendRequest(`${gateway.url}/identity/kyc/v1`, {
    method: 'POST',
    headers: {
      ...authorized,
      'content-type': form.type,
      'content-length': form.body.length,
      // So that the gateway says when it has the request: a stop before that closes the connection.
      expect: '100-continue',
    },
  })
  const half = form.body.length >> 1
  const answered = once(submission, 'response')
  submission.flushHeaders()
  await once(submission, 'continue')
  submission.write(form.body.subarray(0, half))
  const ended = gateway.end('SIGTERM')
  await until(
    async () => gateway.output(),
    (text) => text.includes('Stopping'),
  )
  submission.end(form.body.subarray(half))
  const [response] = await answered
  expect(response.statusCode).toBe(200)
  await json(response)
  expect(await ended).toBe(0)
  expect(await readEntries()).toHaveLength(1)
})

test('a port that is in use is named', async () => {
  const { url } = await open()
  const second = await startGatewayProcess({
    VAANI_DATA_DIR: directory,
    VAANI_SHADOW_PRIMARY_URL: primary.url,
    VAANI_SHADOW_CANDIDATE_URL: candidate.url,
    PORT: new URL(url).port,
  })
  expect(second.url).toBeNull()
  expect(second.child.exitCode).toBe(1)
  expect(second.output()).toMatch(/The configuration is wrong: PORT: another program listens/)
})
