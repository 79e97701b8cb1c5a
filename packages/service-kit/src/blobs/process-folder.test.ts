import { access, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { claimProcessFolder } from './process-folder.ts'

const ENDED = '8e5b1f5a-0d0d-4a3e-9a53-5e3f4f0c2d11'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'vaani-process-folder-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

test('is private, and removed with all content when disposed', async () => {
  const folder = await claimProcessFolder(directory)
  expect((await stat(folder.path)).mode & 0o777).toBe(0o700)
  await writeFile(path.join(folder.path, 'picture'), 'bytes')
  await folder[Symbol.asyncDispose]()
  expect(await readdir(directory)).toEqual([])
})

test.each([
  ['with a free lock', true],
  ['without a lock', false],
])('a folder %s is removed by the next claim', async (_, hasLock) => {
  await mkdir(path.join(directory, ENDED))
  await writeFile(path.join(directory, ENDED, 'picture'), 'bytes')
  if (hasLock) await writeFile(path.join(directory, `${ENDED}.lock`), '')
  await using folder = await claimProcessFolder(directory)
  const name = path.basename(folder.path)
  expect((await readdir(directory)).toSorted()).toEqual([name, `${name}.lock`])
})

test('a sweep removes a folder left behind later, and nothing else', async () => {
  await using folder = await claimProcessFolder(directory)
  await mkdir(path.join(directory, ENDED))
  await mkdir(path.join(directory, 'lost+found'))
  await folder.sweep()
  const name = path.basename(folder.path)
  expect((await readdir(directory)).toSorted()).toEqual([name, `${name}.lock`, 'lost+found'].toSorted())
})

test('concurrent claims and sweeps remove no claimed folder', async () => {
  await using held = new AsyncDisposableStack()
  const first = held.use(await claimProcessFolder(directory))
  const claims = Array.from({ length: 25 }, async () => {
    const folder = held.use(await claimProcessFolder(directory))
    await first.sweep()
    return folder
  })
  for (const { path: folder } of [first, ...(await Promise.all(claims))])
    await expect(access(folder)).resolves.toBeUndefined()
})
