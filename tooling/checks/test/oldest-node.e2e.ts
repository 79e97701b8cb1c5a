/**
 * Uses the built packages in the oldest Node that they support. It lacks syntax, regular expressions and globals that the Node of the
 * other tests has. The compiler finds the globals too, see `tooling/oldest-node`, but not regular expressions.
 */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { findRuntime } from '@vaani/test-services/find-runtime'
import { thorough } from '@vaani/test-services/thorough'
import { startVaani } from '@vaani/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { listForOldestNode } from '../oldest-node.ts'
import { listModules } from '../published-entries.ts'
import { readFences } from '../readmes/read-fences.ts'
import { runExample } from '../readmes/run-example.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const modules = listModules(root).filter(({ file }) => file.endsWith('.js'))
const packages = listForOldestNode(root).map(({ directory, manifest: { name } }) => ({ directory, name }))
const node = path.join(findRuntime('node-linux-*') ?? '', 'bin/node')
const run = promisify(execFile)

/** Runs a module in the directory of a package, which may import the package by its name. */
const evaluate = (directory: string, code: string) =>
  run(node, ['--input-type=module', '--eval', code], { cwd: path.join(root, directory) })

/** These run in a worker thread only. */
const WORKERS = [
  '@vaani/telephony-sip/line-worker',
  '@vaani/telephony-sip/simulator-worker',
  '@vaani/telephony-media-streams/line-worker',
]

/** Imports modules by their names, each from its own package. */
const IMPORT_ALL = `
for (const { from, names } of JSON.parse(process.env.PLACES))
  for (const name of names) await import(import.meta.resolve(name, from))`

describe('in the oldest Node', { tags: 'runtimes' }, () => {
  beforeAll(() => {
    const missing = modules.filter(({ directory, file }) => !existsSync(path.join(root, directory, file)))
    if (missing.length > 0) throw new Error(`Run pnpm build first: no ${missing[0]?.file}`)
  })

  test('every module of every package can be imported', async () => {
    const places = packages.map(({ directory }) => ({
      from: pathToFileURL(path.join(root, directory, 'package.json')).href,
      names: modules
        .filter((one) => one.directory === directory && !WORKERS.includes(one.name))
        .map(({ name }) => name),
    }))
    for (const { from, names } of places) expect(names, from).not.toEqual([])
    // In one process, because starting them takes longer than the modules.
    await run(node, ['--experimental-import-meta-resolve', '--input-type=module', '--eval', IMPORT_ALL], {
      cwd: root,
      env: { ...process.env, PLACES: JSON.stringify(places) },
    })
  })

  // `pnpm check` runs them in the newest Node, and the compiler knows what the oldest lacks.
  // `pnpm check` runs them in the newest Node, and the compiler knows what the oldest lacks. The tag skips no test with `runIf`.
  const told = thorough({ usual: [], long: packages })
  test.each(told)('the examples of $name run', async ({ directory }) => {
    const readme = readFileSync(path.join(root, directory, 'README.md'), 'utf8')
    for (const fence of readFences(readme))
      if (fence.opening === 'ts example')
        expect(await runExample(path.join(root, directory), fence, [node])).toBeUndefined()
  })

  test('text is read in every language', async () => {
    const { stdout } = await evaluate(
      'packages/speech',
      `import { SPOKEN_LANGUAGES, toSpokenText } from '@vaani/speech'
      const text = 'On 29-Nov-26 at 3:30 pm, 1h 30m, 5 km/h, $2.50, 14.05.1446, 28.11.-3.12.2026, 08h.'
      for (const language of SPOKEN_LANGUAGES) console.log(toSpokenText(text, { language }).text)`,
    )
    expect(stdout.split('\n').length).toBeGreaterThan(10)
  })

  test('a runner of checks starts its processes', () =>
    evaluate(
      'packages/identity-checks',
      `import { createCheckRunner } from '@vaani/identity-checks'
      const runner = createCheckRunner({ places: 2 })
      await runner.prepare()
      await runner[Symbol.asyncDispose]()`,
    ))

  test('the command line writes speech to a file', async () => {
    await using vaani = await startVaani()
    const folder = await mkdtemp(path.join(tmpdir(), 'vaani-oldest-node-'))
    try {
      const out = path.join(folder, 'speech.wav')
      await run(node, [path.join(root, 'packages/cli/dist/main.js'), 'speak', 'Hello', '--out', out], {
        env: { HOME: folder, VAANI_API_KEY: vaani.key, VAANI_BASE_URL: vaani.url },
      })
      expect((await readFile(out)).length).toBeGreaterThan(1000)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test.each([
    ['@vaani/server', 'apps/server', ['dist/bin.js']],
    ['@vaani/kyc-shadow-worker', 'apps/kyc-shadow-worker', ['dist/bin.js', 'gateway']],
  ])('%s says which Node it needs', async (name, directory, parameters) => {
    const ended = run(node, parameters, { cwd: path.join(root, directory) })
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`^${name} needs Node 24\\.9 or newer; this is 22\\.\\d+\\n$`)),
    })
  })

  test('so does the test kit', async () => {
    await expect(evaluate('packages/testing', `import '@vaani/testing'`)).rejects.toMatchObject({
      stderr: expect.stringContaining('Error: @vaani/testing needs Node 24.9 or newer; this is 22.'),
    })
  })
})
