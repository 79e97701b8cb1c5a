import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createFileBlobStore } from '@vaani/service-kit/blobs/file-blob-store'
import type { BlobStore } from '@vaani/service-kit/blobs/blob-store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readPublishedFlag } from '../../published-flag/published-flag.ts'
import { createKnownFlag } from './known-flag.ts'
import { publisherOf } from './publisher.ts'
import { shareKills } from './shared-kills.ts'

const STORED = {
  stage: 'shadow-10',
  isKilled: false,
  providerStage: null,
  providerIsKilled: false,
  epoch: 1,
  evidenceSinceMs: 0,
  revision: 1,
  changedAtMs: 0,
  changedBy: 'asha',
} as const

let directory: string
let blobs: BlobStore
let nowMs = 0
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'shadow-flag-'))
  blobs = await createFileBlobStore({ directory })
})
afterEach(async () => {
  await blobs.close()
  await rm(directory, { recursive: true })
})

/** Makes the part of a worker that publishes the flag, with a kill file of its own. */
function startPublisher(isKilledByEnvironment = false) {
  const known = createKnownFlag({ stored: STORED, source: 'table', isProvided: false, isKilledByEnvironment })
  const kills = shareKills({ blobs, nowMs: () => nowMs })
  return { known, kills, publish: publisherOf({ blobs, known, kills }) }
}
const isKilled = async () => (await readPublishedFlag(blobs))?.isKilled

test('a kill file of one worker engages the switch, whichever worker publishes last', async () => {
  const [one, other] = [startPublisher(), startPublisher()]
  await other.publish()
  one.known.setFile(true)
  await one.publish()
  for (const { publish } of [other, one, other, other]) {
    await publish()
    expect(await isKilled()).toBe(true)
  }
  expect(other.known.current()).toMatchObject({ isKilled: true, killSource: 'file' })
  one.known.setFile(false)
  await one.publish()
  await other.publish()
  expect(await isKilled()).toBe(false)
})

test('the switch stays engaged until the last worker that said so releases it', async () => {
  const [one, other, third] = [startPublisher(), startPublisher(true), startPublisher()]
  one.known.setFile(true)
  for (const { publish } of [one, other, third]) await publish()
  one.known.setFile(false)
  for (const { publish } of [one, third]) await publish()
  expect(third.known.current().killSource).toBe('environment')
  expect(await isKilled()).toBe(true)
  await other.kills[Symbol.asyncDispose]()
  await third.publish()
  expect(await isKilled()).toBe(false)
})

test('a worker that was killed holds the switch for ten seconds, and a slow one for as long as it lives', async () => {
  const [killed, slow, third] = [startPublisher(), startPublisher(), startPublisher()]
  for (const { known, publish } of [killed, slow]) {
    known.setFile(true)
    await publish()
  }
  await third.publish()
  nowMs += 9000
  await slow.publish()
  await third.publish()
  nowMs += 9000
  await third.publish()
  expect(await isKilled()).toBe(true)
  nowMs += 1000
  await third.publish()
  expect(await isKilled()).toBe(false)
  await slow.publish()
  await third.publish()
  expect(await isKilled()).toBe(true)
})
