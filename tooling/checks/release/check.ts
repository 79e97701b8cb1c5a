/**
 * `pnpm release:check`: rehearses a release of the committed state, on this machine only. Publishes twice into a private
 * registry, checks each tarball, and uses the packages like outside users. Prints one line per step; the first failure ends it.
 */
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { listModules } from '../published-entries.ts'
import { createBlankProject } from './blank-project.ts'
import { installWithoutSpeech } from './install-without-speech.ts'
import { judgeTarball } from './judge-tarball.ts'
import { loadByRequire } from './load-by-require.ts'
import { startRegistry } from './registry.ts'
import { copyRepository, type PublishedPackage } from './repository-copy.ts'
import { runCommand } from './run-command.ts'
import { createStrangerProject, MANAGERS, startTourServer, WAYS } from './strangers.ts'
import { useShadowWorker } from './use-shadow-worker.ts'

/** Packages whose README examples must print the same in a browser as in Node. */
const FOR_BROWSERS = ['@vaani/client', '@vaani/contracts', '@vaani/pcm-audio', '@vaani/webhook-verifier']
/** These have no example: the test kit's starts the server, and the migration worker is used by a step of its own. */
const PROGRAMS = ['@vaani/server', '@vaani/kyc-shadow-worker']
const UPGRADED = '@vaani/client'
const CONTRACTS = '@vaani/contracts'

const root = path.resolve(import.meta.dirname, '../../..')
const scratch = await mkdtemp(path.join(tmpdir(), 'vaani-release-'))
try {
  await using held = new AsyncDisposableStack()
  const tools = await step('tools', installTools)
  const registry = held.use(
    await step('registry', () =>
      startRegistry({
        directory: path.join(scratch, 'registry'),
        verdaccio: path.join(tools, 'verdaccio/bin/verdaccio'),
      }),
    ),
  )
  const copy = await step('copy of what is committed', () =>
    copyRepository({ root, directory: path.join(scratch, 'repository'), npmrc: registry.npmrc }),
  )
  const first = await step('first release', copy.release)
  for (const published of first)
    await step(`tarball of ${published.name}`, () =>
      judgeTarball({ tools, tarball: registry.tarball(published.name, published.version), published }),
    )
  const project = await step('blank project', () =>
    createBlankProject({ directory: path.join(scratch, 'project'), npmrc: registry.npmrc, packages: first }),
  )
  const printed = new Map<string, string>()
  for (const { name } of first.filter((one) => !PROGRAMS.includes(one.name)))
    await step(`example of ${name}`, async () => void printed.set(name, await project.runExample(name)))
  await step('examples under the strict compiler', project.checkTypes)
  await step('every module by require()', () =>
    loadByRequire({ directory: path.join(scratch, 'project'), modules: listModules(root) }),
  )
  for (const name of FOR_BROWSERS)
    await step(`example of ${name} in Chromium`, () =>
      project.runInBrowser({ name, expected: printed.get(name) ?? '' }),
    )
  const examples = path.join(root, 'packages/testing/examples')
  await cp(examples, path.join(scratch, 'project/examples'), { recursive: true })
  for (const runner of ['node:test', 'vitest', 'jest'] as const)
    await step(`test kit under ${runner}`, () => project.runTests(runner))
  await step('the server without what is under the GPL', () =>
    installWithoutSpeech({
      directory: path.join(scratch, 'without-speech'),
      npmrc: registry.npmrc,
      packages: first,
    }),
  )
  await step('the migration worker and its demo', () =>
    useShadowWorker({
      directory: path.join(scratch, 'shadow-worker'),
      npmrc: registry.npmrc,
      packages: first,
    }),
  )

  const readme = await readFile(path.join(root, 'packages/contracts/README.md'), 'utf8')
  const tour = held.use(
    await step('server for strangers', () => startTourServer(path.join(scratch, 'project'))),
  )
  for (const manager of MANAGERS)
    for (const way of WAYS) {
      const name = `${way.steps} by ${manager}`
      const stranger = await step(`steps of ${name}`, () =>
        createStrangerProject({
          directory: path.join(scratch, name.replaceAll(' ', '-')),
          npmrc: registry.npmrc,
          readme,
          manager,
          way,
          contracts: `${CONTRACTS}@${versionOf(CONTRACTS, first)}`,
        }),
      )
      await step(`types of ${name}`, stranger.checkTypes)
      await step(`server of two routes with ${name}`, () => stranger.run('example.mts'))
      await step(`all routes with ${name}`, () => stranger.run('tour.mts', tour.environment))
      if (way.files.includes('libraries.mts'))
        await step(`libraries of ${name}`, () => stranger.run('libraries.mts'))
    }

  await copy.addPatch(UPGRADED)
  const second = await step('second release, a patch', copy.release)
  await step('only what changed was published', async () => expectPatchOf(UPGRADED, first, second))
  await step('upgrade', () => project.upgrade(UPGRADED, second[0]?.version ?? ''))
  await step(`example of ${UPGRADED}, upgraded`, () => project.runExample(UPGRADED))
} catch (error) {
  console.log(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await rm(scratch, { recursive: true, force: true })
}

async function step<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  const startMs = performance.now()
  let mark = 'FAILED'
  try {
    const result = await run()
    mark = 'ok    '
    return result
  } finally {
    console.log(`${mark} ${name} (${((performance.now() - startMs) / 1000).toFixed(1)} s)`)
  }
}

/** Installed from their lock file and kept, because they have 120 MB. @returns the folder of the packages */
async function installTools(): Promise<string> {
  const source = path.join(import.meta.dirname, 'tools')
  const directory = path.join(root, '.toolchain/release-tools')
  const lock = 'package-lock.json'
  const read = (folder: string) => readFile(path.join(folder, lock), 'utf8').catch(() => '')
  if ((await read(directory)) !== (await read(source))) {
    await rm(directory, { recursive: true, force: true })
    await mkdir(directory, { recursive: true })
    await cp(path.join(source, 'package.json'), path.join(directory, 'package.json'))
    await cp(path.join(source, lock), path.join(directory, lock))
    await runCommand('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: directory }).catch(
      async (error: unknown) => {
        await rm(directory, { recursive: true, force: true })
        throw error
      },
    )
  }
  return path.join(directory, 'node_modules')
}

function expectPatchOf(
  name: string,
  first: readonly PublishedPackage[],
  second: readonly PublishedPackage[],
): void {
  const [major, minor, patch] = versionOf(name, first).split('.')
  const expected = `${name}@${major}.${minor}.${Number(patch) + 1}`
  const found = second.map((one) => `${one.name}@${one.version}`).join(', ')
  if (found !== expected)
    throw new Error(`Expected ${expected} to be published, but found ${found || 'none'}`)
}

function versionOf(name: string, published: readonly PublishedPackage[]): string {
  return published.find((one) => one.name === name)?.version ?? ''
}
