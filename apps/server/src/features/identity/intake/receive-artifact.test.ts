import { createHmac } from 'node:crypto'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { receiveArtifact } from './receive-artifact.ts'

test('a file that failed to be written before the end is rejected', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-artifact-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'front_image')
  await writeFile(file, 'of another')
  await using sink = receiveArtifact({
    name: 'front_image',
    param: 'front_image',
    file,
    fingerprint: createHmac('sha256', 'key'),
    sealed: null,
    pace: async () => undefined,
  })
  await sink.write(Buffer.from('image'))
  // Opening the file fails, which closes the stream.
  for (let look = 0; look < 5; look++) await stat(file).then(() => turn())
  await expect(sink.end()).rejects.toMatchObject({ code: 'EEXIST' })
})
