import path from 'node:path'
import { expect, test } from 'vitest'
import { listEntries } from './published-entries.ts'
import { readWorkspaces } from './workspaces.ts'

const root = path.resolve(import.meta.dirname, '../..')
const entries = listEntries(root)

test('every published package with declarations has a report for each entry', () => {
  const published = readWorkspaces(root).filter(({ manifest }) => manifest.private !== true)
  const without = published.filter(({ directory }) => entries.every((entry) => entry.directory !== directory))
  // The server is started, not imported.
  expect(without.map(({ manifest }) => manifest.name)).toEqual(['@vaani/server'])
  expect(new Set(entries.map(({ report }) => report)).size).toBe(entries.length)
})

test('a report is named after its import path', () => {
  expect(entries).toContainEqual({
    directory: 'packages/client',
    declarations: path.join(root, 'packages/client/dist/resources/speech.d.ts'),
    report: 'packages/client/etc/client.speech.api.md',
  })
})
