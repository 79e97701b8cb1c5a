import { spawnSync } from 'node:child_process'
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { withLock } from './lock.mjs'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-lock-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('only one process holds the lock at a time, and each gets its turn', async () => {
  const file = path.join(folder, 'shared/lock')
  let holders = 0
  const seen = await Promise.all(
    [1, 2, 3].map(() =>
      withLock(file, async () => {
        holders += 1
        await access(file)
        const during = holders
        holders -= 1
        return during
      }),
    ),
  )
  expect(seen).toEqual([1, 1, 1])
})

test('a failure releases the lock and is passed on', async () => {
  const file = path.join(folder, 'failing')
  await expect(withLock(file, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await withLock(file, async () => 'free')).toBe('free')
})

test('the lock of a dead process is taken over', async () => {
  const file = path.join(folder, 'left-behind')
  await writeFile(file, String(spawnSync(process.execPath, ['--version']).pid))
  expect(await withLock(file, async () => 'taken')).toBe('taken')
})
