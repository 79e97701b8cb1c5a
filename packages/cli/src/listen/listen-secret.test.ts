import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listenSecret } from './listen-secret.ts'

let homeDirectory: string
beforeEach(async () => {
  homeDirectory = await mkdtemp(path.join(tmpdir(), 'vaani-home-'))
})
afterEach(() => rm(homeDirectory, { recursive: true, force: true }))

test('is created once, readable only by its owner, and replaced if the file is damaged', async () => {
  const machine = { homeDirectory, variables: {} }
  const first = await listenSecret(machine)
  expect(first).toMatchObject({ secret: expect.stringMatching(/^whsec_.{32}$/), isKept: true })
  expect(await listenSecret(machine)).toEqual(first)
  const file = path.join(homeDirectory, '.config/vaani/listen-secret')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await writeFile(file, 'whsec_')
  const again = await listenSecret(machine)
  expect(again.secret).not.toBe(first.secret)
  expect(await listenSecret(machine)).toEqual(again)
})

test('is valid for one run if it cannot be stored', async () => {
  const file = path.join(homeDirectory, 'a-file')
  await writeFile(file, '')
  const machine = { homeDirectory: file, variables: {} }
  const { secret, isKept } = await listenSecret(machine)
  expect(isKept).toBe(false)
  expect((await listenSecret(machine)).secret).not.toBe(secret)
})
