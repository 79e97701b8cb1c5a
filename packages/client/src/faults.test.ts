import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, test } from 'vitest'
import { MEDIA, playFault } from '../test/faults/fault.ts'
import { faultTable } from '../test/faults/table.ts'
import { startFaultServer } from '../test/support/fault-server.ts'

// The other runtimes play the same rows in test/runtimes.e2e.ts.
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-media-'))
  await writeFile(path.join(folder, 'media'), MEDIA)
})
afterAll(() => rm(folder, { recursive: true }))

test.each(faultTable.map((fault) => [fault.name, fault] as const))('%s', async (_, fault) =>
  playFault(fault, {
    server: await startFaultServer(fault),
    inspect: (value) => inspect(value, { depth: 9 }),
    mediaPath: path.join(folder, 'media'),
  }),
)
