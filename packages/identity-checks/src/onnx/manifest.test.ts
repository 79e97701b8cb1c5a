import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { livenessManifest, readManifest } from './manifest.ts'

test('a manifest may begin with a byte order mark, and null counts as absent', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-manifest-'))
  const file = path.join(folder, 'liveness.json')
  const model = { file: 'a.onnx', width: 1, height: 1, mean: null, output: null, softmax: null }
  const manifest = { name: 'a', version: '1', model, thresholds: { passed: 0.9, warning: 0.6 } }
  try {
    await writeFile(file, `\ufeff${JSON.stringify(manifest)}`)
    const read = await readManifest(file, livenessManifest)
    expect(read.model).toMatchObject({ mean: [0, 0, 0], softmax: false })
    expect(read.model).not.toHaveProperty('output')
  } finally {
    await rm(folder, { recursive: true })
  }
})
