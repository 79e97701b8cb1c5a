import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isOnDemand } from './engines-file.ts'

test.each([
  [
    'no engine that is warm',
    { a: { type: 'espeak', warm_workers: 0 }, b: { type: 'flite', warm_workers: 0 } },
    true,
  ],
  ['an engine that is warm', { a: { type: 'espeak', warm_workers: 0 }, b: { type: 'flite' } }, false],
])('a file with %s', async (_, engines, expected) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-engines-'))
  try {
    const speechEnginesFile = path.join(folder, 'engines.json')
    await writeFile(speechEnginesFile, JSON.stringify({ engines }))
    expect(await isOnDemand({ speechEnginesFile, speechApiKey: undefined })).toBe(expected)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the embedded engines are warm', async () => {
  expect(await isOnDemand({ speechEnginesFile: undefined, speechApiKey: undefined })).toBe(false)
})
