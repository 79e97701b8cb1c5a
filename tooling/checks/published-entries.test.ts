import path from 'node:path'
import { expect, test } from 'vitest'
import { listEntries } from './published-entries.ts'
import { readWorkspaces } from './workspaces.ts'

const root = path.resolve(import.meta.dirname, '../..')
const entries = listEntries(root)

test('every published package that has declarations has a report, and each entry one of its own', () => {
  const published = readWorkspaces(root).filter(({ manifest }) => manifest.private !== true)
  const without = published.filter(({ directory }) => entries.every((entry) => entry.directory !== directory))
  // Started, and not imported.
  expect(without.map(({ manifest }) => manifest.name)).toEqual(['@vaani/server'])
  expect(new Set(entries.map(({ report }) => report)).size).toBe(entries.length)
})

test('a report is named after what is imported', () => {
  expect(entries).toContainEqual({
    directory: 'packages/client',
    declarations: path.join(root, 'packages/client/dist/resources/speech.d.ts'),
    report: 'packages/client/etc/client.speech.api.md',
  })
})
