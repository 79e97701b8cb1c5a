import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import sherpa from '@vaani/speech-sherpa/package.json' with { type: 'json' }
import { packTar } from 'modern-tar'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hasAdapter, installAdapter } from '../src/features/speech/add-voice/adapter.ts'
import { serve } from './support/toy-voice.ts'

const { signal } = new AbortController()

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-voices-'))
  vi.stubEnv('npm_execpath', undefined)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  await rm(folder, { recursive: true })
})

describe('the packages of sherpa-onnx', () => {
  test('are installed by npm', async () => {
    const manifest = JSON.stringify({ name: 'any', version: '1.13.8', main: 'index.js' })
    const tarball = gzipSync(
      await packTar([
        { header: { name: 'package/package.json', size: manifest.length }, body: manifest },
        { header: { name: 'package/index.js', size: 0 }, body: '' },
      ]),
    )
    using registry = await serve(({ url = '', headers }, response) => {
      if (url.endsWith('.tgz')) return response.end(tarball)
      const name = decodeURIComponent(url.slice(1))
      const dist = { tarball: `http://${headers.host}/any.tgz` }
      // Those of later releases do not fit.
      const fitting = name === 'sherpa-onnx-node' ? '1.13.9' : sherpa.version
      const versions = Object.fromEntries(
        [fitting, '99.0.0'].map((version) => [version, { name, version, dist }]),
      )
      return response.end(JSON.stringify({ name, 'dist-tags': { latest: '99.0.0' }, versions }))
    })
    vi.stubEnv('npm_config_registry', registry.url)
    vi.stubEnv('npm_config_cache', path.join(folder, 'cache'))
    const directory = path.join(folder, 'packages')
    await installAdapter(directory, { lasting: directory, signal })
    expect(hasAdapter(directory)).toBe(true)
    const { packages } = JSON.parse(await readFile(path.join(directory, 'package-lock.json'), 'utf8'))
    expect(packages).toMatchObject({
      'node_modules/@vaani/speech-sherpa': { version: sherpa.version },
      'node_modules/sherpa-onnx-node': { version: '1.13.9' },
    })
  })

  test('or the command is named with which an operator can do it', async () => {
    using registry = await serve((_, response) => response.writeHead(404).end())
    vi.stubEnv('npm_config_registry', registry.url)
    vi.stubEnv('npm_config_cache', path.join(folder, 'cache'))
    const lasting = path.join(folder, 'voices', 'packages')
    await expect(installAdapter(path.join(folder, 'aside'), { lasting, signal })).rejects.toThrow(
      `npm install --prefix ${lasting} --ignore-scripts '@vaani/speech-sherpa@^${sherpa.version}' 'sherpa-onnx-node@^1.13.8'`,
    )
  })

  test('are installed by the npm that runs the server, if one does', async () => {
    const cli = path.join(folder, 'npm-cli.js')
    await writeFile(cli, `require('node:fs').writeFileSync(__dirname + '/given', process.argv[2])`)
    vi.stubEnv('npm_execpath', cli)
    vi.stubEnv('PATH', folder)
    await installAdapter(path.join(folder, 'a b'), { lasting: folder, signal })
    expect(await readFile(path.join(folder, 'given'), 'utf8')).toBe('install')
  })

  test('are never installed through the shell of Windows', async () => {
    vi.stubGlobal('process', Object.create(process, { platform: { value: 'win32' } }))
    const lasting = String.raw`C:\my data & more\packages`
    await expect(installAdapter(path.join(folder, 'aside'), { lasting, signal })).rejects.toThrow(
      `npm install --prefix "${lasting}" --ignore-scripts "@vaani/speech-sherpa@^${sherpa.version}" "sherpa-onnx-node@^1.13.8"`,
    )
  })

  test('an npm that is asked to stop has ended before anything is cleaned up', async () => {
    const started = path.join(folder, 'started')
    const npm = `#!/bin/sh\ntrap '' TERM\necho $$ > ${started}.new\nmv ${started}.new ${started}\nwhile :; do sleep 1; done\n`
    await writeFile(path.join(folder, 'npm'), npm, { mode: 0o755 })
    vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
    const stopping = new AbortController()
    const installing = installAdapter(path.join(folder, 'aside'), {
      lasting: folder,
      signal: stopping.signal,
    })
    const refused = expect(installing).rejects.toThrow('could not be installed')
    const id = await vi.waitUntil(() => readFile(started, 'utf8').catch(() => undefined), { timeout: 60_000 })
    stopping.abort()
    await refused
    expect(() => process.kill(Number(id), 0)).toThrow('ESRCH')
  })
})
