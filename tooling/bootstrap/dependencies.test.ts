import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { areDependenciesCurrent, dependencyFingerprint, parseWorkspacePatterns } from './dependencies.mjs'

const files = {
  'package.json': '{}',
  'pnpm-lock.yaml': 'lockfileVersion: 9',
  'pnpm-workspace.yaml': 'packages:\n  - packages/*\n  - apps/*\n\ncatalog:\n  zod: 4\n',
  'packages/one/package.json': '{"name":"one"}',
  'patches/one.patch': 'diff',
}
let scratch = ''
let original = ''

beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'vaani-bootstrap-'))
  original = await makeTree('original', {})
})
afterAll(() => rm(scratch, { recursive: true }))

test('the same tree has the same fingerprint', async () => {
  const copy = path.join(scratch, 'copy')
  await cp(original, copy, { recursive: true })
  expect(await fingerprint(copy)).toBe(await fingerprint(original))
})

test.each([
  ...Object.keys(files).map(
    (file) => [`${file} changes`, { [file]: `${files[file as keyof typeof files]} ` }] as const,
  ),
  ['a workspace appears', { 'apps/two/package.json': '{}' }] as const,
  ['a patch appears', { 'patches/two.patch': '' }] as const,
])('the fingerprint changes when %s', async (name, changes) => {
  expect(await fingerprint(await makeTree(name.replaceAll('/', '-'), changes))).not.toBe(
    await fingerprint(original),
  )
})

test('the fingerprint changes with the version of Node', async () => {
  const other = await dependencyFingerprint({ root: original, nodeVersion: '24.22.0' })
  expect(other).not.toBe(await fingerprint(original))
})

test('sources do not affect the fingerprint', async () => {
  const tree = await makeTree('sources', { 'packages/one/src/index.ts': 'export {}' })
  expect(await fingerprint(tree)).toBe(await fingerprint(original))
})

test('dependencies are current only if the marker contains this fingerprint', async () => {
  const root = await makeTree('marked', {})
  expect(await areDependenciesCurrent({ root, fingerprint: 'a' })).toBe(false)
  await mkdir(path.join(root, 'node_modules'))
  await writeFile(path.join(root, 'node_modules/.vaani-installed'), 'a')
  expect(await areDependenciesCurrent({ root, fingerprint: 'a' })).toBe(true)
  expect(await areDependenciesCurrent({ root, fingerprint: 'b' })).toBe(false)
})

test('an unsupported workspace pattern is refused', () => {
  expect(parseWorkspacePatterns("packages:\n  - 'packages/*'\n")).toEqual(['packages'])
  expect(() => parseWorkspacePatterns('packages:\n  - packages/**\n')).toThrow(/only entries like/)
  expect(() => parseWorkspacePatterns('catalog:\n')).toThrow(/no `packages` list/)
})

function fingerprint(root: string): Promise<string> {
  return dependencyFingerprint({ root, nodeVersion: '24.21.0' })
}

async function makeTree(name: string, changes: Record<string, string>): Promise<string> {
  const root = path.join(scratch, name)
  for (const [file, content] of Object.entries({ ...files, ...changes })) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true })
    await writeFile(path.join(root, file), content)
  }
  return root
}
