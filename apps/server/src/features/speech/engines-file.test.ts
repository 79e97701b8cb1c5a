import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readContent } from './add-voice/engines-content.ts'
import { isOnDemand, readEnginesFile } from './engines-file.ts'

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

test('null counts as absent, and what engines take as they are keeps it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-engines-'))
  const file = path.join(folder, 'engines.json')
  const own = {
    type: 'openai',
    base_url: 'http://127.0.0.1:1/v1',
    api_key_file: null,
    model: 'm',
    voices: {},
    languages: [{ tag: 'en', note: null, body: { seed: null } }],
  }
  const engines = { flite: { type: 'flite', workers: null }, espeak: null, own }
  try {
    await writeFile(file, JSON.stringify({ engines, routes: [{ languages: null, engines: ['own'] }] }))
    const read = await readEnginesFile(file)
    expect(read.engines).toMatchObject({
      flite: { options: {} },
      own: { options: { languages: [{ tag: 'en', body: { seed: null } }] } },
    })
    expect(read).toMatchObject({ routes: [{ engines: ['own'] }] })
    const content = await readContent(file)
    expect(content.routes).toEqual([{ engines: ['own'] }])
    expect(Object.keys(content.engines)).toEqual(['flite', 'own'])
    await writeFile(file, JSON.stringify({ engines, routes: null }))
    expect(await readContent(file)).not.toHaveProperty('routes')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the embedded engines are warm', async () => {
  expect(await isOnDemand({ speechEnginesFile: undefined, speechApiKey: undefined })).toBe(false)
})
