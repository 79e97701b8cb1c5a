import { access, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copyBinaries, isWhole } from './binaries.ts'

let folder: string
let native: string
let target: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-binaries-'))
  native = path.join(folder, 'project/native')
  target = path.join(folder, 'kept/postgres-18')
  for (const name of ['bin', 'lib']) await mkdir(path.join(native, name), { recursive: true })
  await mkdir(path.dirname(target))
  for (const file of ['bin/postgres', 'bin/initdb', 'lib/libicu.so.60.2'])
    await writeFile(path.join(native, file), file)
  const link = { source: 'native/lib/libicu.so.60.2', target: 'native/lib/libicu.so.60' }
  await writeFile(path.join(native, 'pg-symlinks.json'), JSON.stringify([link]))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const library = () => readFile(path.join(target, 'lib/libicu.so.60'), 'utf8')

test.each([
  ['no links, because no script ran at the install', undefined],
  ['relative links, as the install script of the package makes them', 'libicu.so.60.2'],
  ['absolute links', '/nowhere/libicu.so.60.2'],
])('a copy of a package with %s outlives the project that made it', async (_, link) => {
  if (link !== undefined) await symlink(link, path.join(native, 'lib/libicu.so.60'))
  await copyBinaries(native, target)
  await rm(path.join(folder, 'project'), { recursive: true })
  expect(await library()).toBe('lib/libicu.so.60.2')
  expect(await readlink(path.join(target, 'lib/libicu.so.60'))).toBe('libicu.so.60.2')
  expect(await isWhole(target)).toBe(true)
})

test.each([
  ['has lost a file', () => rm(path.join(target, 'lib/libicu.so.60.2'))],
  ['has a file that was cut short', () => writeFile(path.join(target, 'bin/postgres'), 'bin')],
  ['has a list that was cut short', () => writeFile(path.join(target, 'files.json'), '{"bin/po')],
  ['has no list, because an earlier version made it', () => rm(path.join(target, 'files.json'))],
])('a copy that %s is replaced', async (_, damage) => {
  await copyBinaries(native, target)
  await damage()
  expect(await isWhole(target)).toBe(false)
  await copyBinaries(native, target)
  expect(await isWhole(target)).toBe(true)
  expect(await library()).toBe('lib/libicu.so.60.2')
})

test.each(['nothing', 'a copy that lost a file'])(
  'copies that are made at once where there is %s leave one',
  async (before) => {
    if (before !== 'nothing') {
      await copyBinaries(native, target)
      await rm(path.join(target, 'bin/initdb'))
    }
    await Promise.all(Array.from({ length: 12 }, () => copyBinaries(native, target)))
    expect(await isWhole(target)).toBe(true)
    expect(await readdir(path.dirname(target))).toEqual(['postgres-18'])
  },
)

test('a copy that cannot be made leaves nothing', async () => {
  await rm(path.join(native, 'bin/initdb'))
  await expect(copyBinaries(native, target)).rejects.toThrow('ENOENT')
  await expect(access(target)).rejects.toThrow('ENOENT')
})
