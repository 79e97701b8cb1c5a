import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createFileBlobStore } from '@vaani/service-kit/blobs/file-blob-store'
import { createVault } from '@vaani/service-kit/vault/vault'
import { expect, onTestFinished, test } from 'vitest'
import type { SpooledMedia, SpoolEntry } from './entry.ts'
import { openSpool } from './spool.ts'

async function startSpool() {
  const directory = await mkdtemp(path.join(tmpdir(), 'spool-'))
  const blobs = await createFileBlobStore({ directory })
  onTestFinished(async () => {
    await blobs.close()
    await rm(directory, { recursive: true })
  })
  return { directory, spool: openSpool({ blobs, vault: createVault([randomBytes(32)]) }) }
}

async function* chunksOf(bytes: Buffer) {
  for (let start = 0; start < bytes.length; start += 50_000) yield bytes.subarray(start, start + 50_000)
}

const entryOf = (pairId: string, media: SpooledMedia): SpoolEntry => ({
  pairId,
  kind: 'comparison',
  stage: 'shadow-10',
  epoch: 1,
  answeredBy: 'v1',
  receivedAtMs: 1,
  subject: 'ab',
  contentType: 'multipart/form-data; boundary=x',
  mediaBytes: 200_000,
  media,
  answer: null,
})

test('a submission is read back as it was stored', async () => {
  const { spool } = await startSpool()
  const media = randomBytes(200_000)
  const key = await spool.putMedia('pair_1', chunksOf(media))
  await spool.complete(entryOf('pair_1', key))
  const entry = await spool.readEntry('pair_1')
  expect(entry).toEqual(entryOf('pair_1', key))
  expect(await buffer(await spool.openMedia(entry))).toEqual(media)
})

test('nothing that was sent can be read from its files', async () => {
  const { spool, directory } = await startSpool()
  const secret = 'person-42 of the external ids'
  const key = await spool.putMedia('pair_1', chunksOf(Buffer.from(secret)))
  await spool.complete({ ...entryOf('pair_1', key), contentType: secret })
  const files = await readdir(directory, { recursive: true, withFileTypes: true })
  for (const file of files.filter((found) => found.isFile()))
    expect(await readFile(path.join(file.parentPath, file.name), 'latin1')).not.toContain('person-42')
})

test('an entry cannot take the place of another', async () => {
  const { spool, directory } = await startSpool()
  await spool.complete(entryOf('pair_1', { kind: 'sealed', key: 'key' }))
  const folder = path.join(directory, 'shadow/spool')
  await rename(path.join(folder, 'pair_1.entry'), path.join(folder, 'pair_2.entry'))
  await expect(spool.readEntry('pair_2')).rejects.toMatchObject({ code: 'damaged' })
})

test('media that is small can be in the entry', async () => {
  const { spool, directory } = await startSpool()
  const media = { kind: 'inline', bytes: Buffer.from('person-42').toString('base64') } as const
  await spool.complete(entryOf('pair_1', media))
  const entry = await spool.readEntry('pair_1')
  expect(String(await buffer(await spool.openMedia(entry)))).toBe('person-42')
  const [file] = await readdir(path.join(directory, 'shadow/spool'))
  const stored = await readFile(path.join(directory, 'shadow/spool', file ?? ''), 'latin1')
  expect(stored).not.toContain(media.bytes)
  await spool.remove('pair_1')
  expect(await Array.fromAsync(spool.list())).toEqual([])
})

test('lists media under way apart from entries, and nothing once they are removed', async () => {
  const { spool } = await startSpool()
  const key = await spool.putMedia('pair_1', chunksOf(randomBytes(10)))
  expect(await Array.fromAsync(spool.list())).toMatchObject([{ pairId: 'pair_1', kind: 'media' }])
  await spool.complete(entryOf('pair_1', key))
  expect(await Array.fromAsync(spool.list())).toHaveLength(2)
  await spool.remove('pair_1')
  await spool.remove('pair_1')
  expect(await Array.fromAsync(spool.list())).toEqual([])
})
