import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { createFileBlobStore } from '@vaani/service-kit/blobs/file-blob-store'
import { systemClock } from '@vaani/service-kit/clock'
import { createIdMaker } from '@vaani/service-kit/ids'
import { createVault } from '@vaani/service-kit/vault/vault'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isSampled } from '../../rules/sampling/sample.ts'
import { hashSubject } from '../../rules/sampling/subject.ts'
import { openSpool, type Spool } from '../../spool/spool.ts'
import type { Watcher } from '../exchange.ts'
import type { GatewayFlag } from '../flag-cache.ts'
import type { SamplingTools } from './copy-submission.ts'
import { createMemoryBudget } from './memory-budget.ts'
import { createSpoolRoom, type SpoolRoom } from './spool-room.ts'
import { watchSubmission } from './watch-submission.ts'

const TYPE = 'multipart/form-data; boundary=b'
const KEY = randomBytes(32)
/** A subject that a share of one half samples, and one that it does not. */
const [IN, OUT] = [true, false].map((isIn) => {
  for (let i = 0; ; i++) if (isSampled(`person-${i}`, 0.5, KEY) === isIn) return `person-${i}`
}) as [string, string]

let stack: AsyncDisposableStack
let spool: Spool
let room: SpoolRoom
let flag: GatewayFlag
let noted: string[]
let underWay: Promise<void>[]
let noiseShare: number

beforeEach(async () => {
  stack = new AsyncDisposableStack()
  const directory = await mkdtemp(path.join(tmpdir(), 'sampling-'))
  stack.defer(() => rm(directory, { recursive: true }))
  const blobs = await createFileBlobStore({ directory })
  stack.defer(() => blobs.close())
  spool = openSpool({ blobs, vault: createVault([randomBytes(32)]) })
  room = createSpoolRoom({ spool: () => spool, maxBytes: 10_000_000, maxSubmissions: 10 })
  await room.refresh()
  flag = { stage: 'shadow-50', isKilled: false, epoch: 7 }
  noted = []
  underWay = []
  noiseShare = 0
})
afterEach(() => stack.disposeAsync())

function watch(more: Partial<SamplingTools> = {}, contentLength: number | null = null): Watcher | null {
  const tools: SamplingTools = {
    spool: () => spool,
    room,
    memory: createMemoryBudget(100_000_000),
    key: KEY,
    noiseShare,
    flag: () => flag,
    makeId: createIdMaker(systemClock),
    clock: systemClock,
    metrics: { dropped: (reason) => void noted.push(reason), sampled: (kind) => void noted.push(kind) },
    track: (work) => void underWay.push(work),
    ...more,
  }
  return watchSubmission(tools, { contentType: TYPE, contentLength })
}

const video = randomBytes(800_000)
const textPart = (name: string, value: string): Buffer =>
  Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
const videoPart = (): Buffer =>
  Buffer.concat([
    Buffer.from('--b\r\nContent-Disposition: form-data; name="liveness_video"; filename="a"\r\n\r\n'),
    video,
    Buffer.from('\r\n'),
  ])
const END = Buffer.from('--b--\r\n')
const idFirst = (id: string): Buffer => Buffer.concat([textPart('external_id', id), videoPart(), END])
const idLast = (id: string): Buffer => Buffer.concat([videoPart(), textPart('external_id', id), END])

/** Passes a form as the wire would: in chunks, between which the store gets its turn. */
async function pass(watcher: Watcher | null, form: Buffer): Promise<void> {
  for (let i = 0; i < form.length; i += 65_536) {
    watcher?.onRequestData(form.subarray(i, i + 65_536))
    await turn()
  }
}
async function finish(watcher: Watcher | null, answer: object = { verification_id: 'ver_1' }, status = 200) {
  watcher?.onRequestEnd()
  watcher?.onAnswer(status)
  watcher?.onAnswerData(Buffer.from(JSON.stringify(answer)))
  watcher?.onEnd('answered')
  await Promise.all(underWay)
}
async function stored() {
  const files = await Array.fromAsync(spool.list())
  return Promise.all(
    files
      .filter(({ kind }) => kind === 'entry')
      .map(async ({ pairId }) => {
        const entry = await spool.readEntry(pairId)
        return { entry, media: await buffer(await spool.openMedia(entry)) }
      }),
  )
}
const countFiles = async (): Promise<number> => (await Array.fromAsync(spool.list())).length

test.each([
  ['first', idFirst],
  ['last', idLast],
] as const)(
  'a sampled subject that comes %s is stored as it was sent, with its answer',
  async (_, formOf) => {
    const form = formOf(IN)
    const watcher = watch({}, form.length)
    await pass(watcher, form)
    await finish(watcher)
    const [one, ...others] = await stored()
    expect(others).toEqual([])
    expect(one?.media.equals(form)).toBe(true)
    expect(one?.entry).toMatchObject({
      kind: 'comparison',
      stage: 'shadow-50',
      epoch: 7,
      answeredBy: 'v1',
      subject: hashSubject(IN, KEY),
      contentType: TYPE,
      mediaBytes: form.length,
      answer: { status: 200, verificationId: 'ver_1', errorCode: null },
    })
    expect(one?.entry.answer?.answerMs).toBeGreaterThanOrEqual(0)
    expect(noted).toEqual(['comparison'])
  },
)

test.each([
  ['first', idFirst],
  ['last', idLast],
] as const)('of a subject outside the sample that comes %s nothing stays', async (_, formOf) => {
  const watcher = watch()
  await pass(watcher, formOf(OUT))
  await finish(watcher)
  expect(await countFiles()).toBe(0)
  expect(noted).toEqual([])
  expect(room.usage()).toEqual({ bytes: 0, submissions: 0 })
})

test('a form without an external id is sampled by its media', async () => {
  flag = { ...flag, stage: 'shadow-100' }
  const watcher = watch()
  await pass(watcher, Buffer.concat([videoPart(), END]))
  await finish(watcher)
  expect(await stored()).toHaveLength(1)
})

test('a refusal is stored with its code', async () => {
  const watcher = watch()
  await pass(watcher, idFirst(IN))
  await finish(watcher, { error: { code: 'spoof_detected' } }, 422)
  expect((await stored())[0]?.entry.answer).toMatchObject({
    status: 422,
    verificationId: null,
    errorCode: 'spoof_detected',
  })
})

test('a deployment that fails after the form was whole is stored as no answer', async () => {
  const watcher = watch()
  await pass(watcher, idFirst(IN))
  watcher?.onRequestEnd()
  watcher?.onEnd('primary_failed')
  await Promise.all(underWay)
  expect((await stored())[0]?.entry.answer).toMatchObject({ status: 503, verificationId: null })
})

test('some of the sampled are noise, but only while version 1 answers', async () => {
  noiseShare = 1
  for (const stage of ['shadow-100', 'live'] as const) {
    flag = { ...flag, stage }
    const watcher = watch()
    await pass(watcher, idFirst(IN))
    await finish(watcher)
  }
  expect(noted).toEqual(['noise', 'comparison'])
  expect((await stored()).map(({ entry }) => entry.answeredBy).toSorted()).toEqual(['v1', 'v2'])
})

test.each(['off', 'complete'] as const)(
  'nothing is watched at the stage %s, or once it is killed',
  (stage) => {
    flag = { ...flag, stage }
    expect(watch()).toBeNull()
    flag = { stage: 'shadow-100', isKilled: true, epoch: 1 }
    expect(watch()).toBeNull()
  },
)

test('the kill switch stops what is under way', async () => {
  const watcher = watch()
  await pass(watcher, idFirst(IN))
  flag = { ...flag, isKilled: true }
  await finish(watcher)
  expect(await countFiles()).toBe(0)
  expect(noted).toEqual([])
})

test('an answer that comes before the form is whole is not sampled', async () => {
  const watcher = watch()
  await pass(watcher, idFirst(IN).subarray(0, 200_000))
  watcher?.onAnswer(413)
  watcher?.onEnd('answered')
  await Promise.all(underWay)
  expect(await countFiles()).toBe(0)
  expect(noted).toEqual([])
})

test.each([
  ['mid-upload', false],
  ['before the answer', true],
])('a caller that leaves %s is counted, and nothing stays', async (_, isWhole) => {
  const watcher = watch()
  const form = idFirst(IN)
  await pass(watcher, isWhole ? form : form.subarray(0, 300_000))
  if (isWhole) watcher?.onRequestEnd()
  watcher?.onEnd('caller_left')
  await Promise.all(underWay)
  expect(await countFiles()).toBe(0)
  expect(noted).toEqual(['caller_left'])
})

test('a form that cannot be read is counted, and nothing stays', async () => {
  const watcher = watch()
  await pass(watcher, videoPart())
  await finish(watcher, { error: { code: 'invalid_request' } }, 400)
  expect(await countFiles()).toBe(0)
  expect(noted).toEqual(['not_a_form'])
})

test('a full spool drops only what is sampled', async () => {
  room = createSpoolRoom({ spool: () => spool, maxBytes: 1000, maxSubmissions: 10 })
  await room.refresh()
  for (const form of [idFirst(IN), idLast(IN), idFirst(OUT), idLast(OUT)]) {
    const watcher = watch({}, form.length)
    await pass(watcher, form)
    await finish(watcher)
  }
  expect(noted).toEqual(['spool_full', 'spool_full'])
  expect(await countFiles()).toBe(0)
})

test('a form whose length is not known fills the spool on its way', async () => {
  room = createSpoolRoom({ spool: () => spool, maxBytes: 500_000, maxSubmissions: 10 })
  await room.refresh()
  const watcher = watch()
  await pass(watcher, idFirst(IN))
  await finish(watcher)
  expect(noted).toEqual(['spool_full'])
  expect(await countFiles()).toBe(0)
})

test.each([
  ['refuses', () => Promise.reject(new Error('no'))],
  ['is gone', null],
] as const)('a store that %s is counted', async (_, putMedia) => {
  const broken = putMedia === null ? null : { ...spool, putMedia }
  const watcher = watch({ spool: () => broken })
  await pass(watcher, idFirst(IN))
  await finish(watcher)
  expect(noted).toEqual(['spool_failed'])
})

test('an entry that cannot be written is counted, and its media goes', async () => {
  const watcher = watch({ spool: () => ({ ...spool, complete: () => Promise.reject(new Error('full')) }) })
  await pass(watcher, idFirst(IN))
  await finish(watcher)
  expect(noted).toEqual(['spool_failed'])
  expect(await countFiles()).toBe(0)
})

test('a store that hangs holds no more than its buffer, and the submission is given up', async () => {
  const memory = createMemoryBudget(100_000_000)
  let taken = 0
  const counting = {
    take(bytes: number) {
      const isTaken = memory.take(bytes)
      if (isTaken) taken += bytes
      return isTaken
    },
    give(bytes: number) {
      taken -= bytes
      memory.give(bytes)
    },
  }
  const hanging: Spool = {
    ...spool,
    async putMedia(_, source) {
      // Ends only when the copy is dropped.
      for await (const _chunk of source) await turn()
      return { kind: 'sealed', key: '' }
    },
  }
  const watcher = watch({ spool: () => hanging, memory: counting })
  watcher?.onRequestData(textPart('external_id', IN))
  let most = 0
  for (let i = 0; i < 200; i++) {
    watcher?.onRequestData(Buffer.alloc(65_536))
    most = Math.max(most, taken)
  }
  await finish(watcher)
  expect(most).toBeLessThanOrEqual(8_388_608)
  expect(taken).toBe(0)
  expect(noted).toEqual(['buffer'])
})
