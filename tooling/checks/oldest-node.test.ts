import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { listForOldestNode } from './oldest-node.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string): Readonly<Record<string, unknown>> =>
  JSON.parse(readFileSync(path.join(root, 'tooling/oldest-node', file), 'utf8'))

test('the sources of each package that supports Node 22 are checked with its types', () => {
  const packages = listForOldestNode(root)
  expect(packages.length).toBeGreaterThan(10)
  expect(read('tsconfig.json')['include']).toEqual(
    expect.arrayContaining(packages.map(({ directory }) => `../../${directory}/src`)),
  )
  const dependencies = packages.map(({ manifest }) => [manifest.name, 'workspace:*'])
  expect(read('package.json')['devDependencies']).toMatchObject(Object.fromEntries(dependencies))
})
