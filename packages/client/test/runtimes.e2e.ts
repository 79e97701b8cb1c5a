/**
 * Plays the fault table in runtimes other than that of the unit tests. The runtimes take 450 MB and are not dependencies of this
 * repository: the rows run in those found in the folder `VAANI_TEST_RUNTIMES`, which CI sets, and in Chromium if it is installed.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bundleFile } from '@vaani/browser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MEDIA } from './faults/fault.ts'
import { faultTable } from './faults/table.ts'
import { type ControlServer, startControlServer } from './runtimes/control-server.ts'
import { limits } from './runtimes/limits.ts'
import { type Running, type Runtime, runtimes } from './runtimes/runtimes.ts'

/** Bundles the rows, the client and all dependencies, for runtimes that have only web APIs. */
const bundle = ({ entry, format }: Runtime): Promise<string> =>
  bundleFile(path.join(import.meta.dirname, 'runtimes/entries', entry), format)

test('the table of limits names existing rows', () => {
  const rows = faultTable.map((fault) => fault.name)
  for (const row of Object.values(limits).flatMap(Object.keys)) expect(rows).toContain(row)
})

test('the README names the runtimes that play the table, with the versions that CI installs', async () => {
  const read = (file: string) => readFile(path.join(import.meta.dirname, file), 'utf8')
  const [readme, ci] = await Promise.all([read('../README.md'), read('../../../.ci/run')])
  const [claim = ''] = /^The whole table, [^]*?:$/m.exec(readme) ?? []
  expect(claim).toContain(`${faultTable.length} rows`)
  const names = runtimes.map(({ name }) => (name === 'edge-vm' ? 'edge-runtime/vm' : name))
  const claimed = claim.matchAll(/(?<name>[\w/-]+)`?\s(?<version>\d[\d.]*\d)(?=[\s,:)]|$)/g)
  const versions = new Map(Array.from(claimed, ({ groups }) => [groups?.['name'], groups?.['version']]))
  expect([...versions.keys()].toSorted()).toEqual(names.toSorted())
  versions.delete('Chromium') // The machine's own version.
  for (const version of versions.values()) expect(ci).toContain(`@${version}`)
})

describe.each(runtimes)('the fault table in $title', (runtime) => {
  const { name, installed } = runtime
  let folder: string
  let control: ControlServer
  let running: Running

  beforeAll(async () => {
    if (installed === undefined) return
    folder = await mkdtemp(path.join(tmpdir(), 'vaani-runtime-'))
    const [mediaPath, script] = [path.join(folder, 'media'), path.join(folder, 'rows.mjs')]
    const code = await bundle(runtime)
    await Promise.all([writeFile(mediaPath, MEDIA), writeFile(script, code)])
    const files = {
      '/page': { type: 'text/html', text: '<script type="module" src="/rows.js"></script>' },
      '/rows.js': { type: 'text/javascript', text: code },
    }
    control = await startControlServer({ mediaPath, files })
    running = await runtime.start({ installed, script, controlUrl: control.url, mediaPath })
    const ended = await Promise.race([control.ready, running.ended])
    if (ended !== undefined) throw new Error(ended)
  })
  afterAll(async () => {
    await control?.stop()
    await running?.stop()
    if (folder) await rm(folder, { recursive: true, maxRetries: 5 })
  })

  test.each(faultTable)('$name', { tags: 'runtimes' }, async (fault) => {
    const reason = limits[name][fault.name]
    const failure = await control.play(fault, running.ended)
    if (reason === undefined) expect(failure).toBeNull()
    else expect(failure, `It passes, but the table of limits states: ${reason}`).not.toBeNull()
  })
})
