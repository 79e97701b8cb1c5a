import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readEngines } from './engines-file.ts'
import { identitySettings } from './settings.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-engines-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function read(content: unknown, variables: Record<string, string> = {}) {
  const file = path.join(folder, 'engines.json')
  await writeFile(file, JSON.stringify(content))
  return readEngines(identitySettings.read({ VAANI_IDENTITY_ENGINES_FILE: file, ...variables }))
}

describe('the file of engines', () => {
  it('gives each mode its own, with paths from its folder and the settings that all share', async () => {
    const { test, live } = await read(
      {
        face: { box: 'face-api', own: './own.json' },
        liveness: { vendor: 'https://engines.example/live.json' },
        test: { face: 'box' },
        live: { face: 'own', liveness: 'vendor' },
      },
      { VAANI_ENGINE_SECRET: 'a-secret-of-engines' },
    )
    expect(test).toMatchObject({ face: 'face-api', liveness: undefined, secret: 'a-secret-of-engines' })
    expect(live).toMatchObject({
      face: path.join(folder, 'own.json'),
      liveness: 'https://engines.example/live.json',
    })
  })

  it('takes null as absent', async () => {
    const { test, live } = await read({
      face: { box: 'face-api' },
      liveness: null,
      test: { face: 'box', liveness: null },
      live: null,
    })
    expect(test).toMatchObject({ face: 'face-api', liveness: undefined })
    expect(live).toMatchObject({ face: undefined, liveness: undefined })
  })

  it('gives both modes the same object if they choose the same', async () => {
    const { test, live } = await read({
      face: { box: 'face-api' },
      test: { face: 'box' },
      live: { face: 'box' },
    })
    expect(live).toBe(test)
  })

  it.each([
    ['live.face: names no engine of face', { live: { face: 'none' } }, {}],
    ['faces', { faces: {} }, {}],
    ['set it, or set them', {}, { VAANI_FACE_ENGINE: 'face-api' }],
  ])('is refused with %s', async (problem, content, variables) => {
    await expect(read(content, variables)).rejects.toThrow(problem)
  })
})
