import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { findFence } from '../readmes/readme-example.ts'
import { runCommand } from './run-command.ts'

const CONTRACTS = '@vaani/contracts'
const SOURCES = path.join(import.meta.dirname, 'strangers')
/** Asks for what a tour has left out; every tour uses it. */
const ASK_OTHERS = path.resolve(import.meta.dirname, '../../conformance/integrator/ask-others.mts')
const TOOLS = ['typescript@7.0.2', '@types/node@24']
const START_LIMIT_MS = 60_000

const configuration = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    allowImportingTsExtensions: true,
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.asynciterable'],
    module: 'nodenext',
    types: ['node'],
  },
  include: ['*.mts'],
}

interface Way {
  /** Opening of its steps in the README, after `sh`. */
  readonly steps: string
  readonly files: readonly string[]
  /** Module that provides ts-rest. */
  readonly core: string
  readonly fastify: string
}

/** The ways to build on the contracts that their README describes. */
export const WAYS: readonly Way[] = [
  {
    steps: 'ts-rest',
    files: ['types.mts', 'tour.mts'],
    core: `${CONTRACTS}/ts-rest`,
    fastify: `${CONTRACTS}/ts-rest/fastify`,
  },
  {
    steps: 'ts-rest packages',
    files: ['types.mts', 'tour.mts', 'libraries.mts'],
    core: '@ts-rest/core',
    fastify: '@ts-rest/fastify',
  },
]
export const MANAGERS = ['npm', 'pnpm'] as const
export type Manager = (typeof MANAGERS)[number]

/** A third-party project that builds on the contracts with ts-rest, set up only by the steps of the README. */
export interface StrangerProject {
  /** Checks all files under `skipLibCheck: false`. */
  checkTypes(): Promise<void>
  /** @returns the output of the file */
  run(file: string, environment?: Readonly<Record<string, string>>): Promise<string>
}

export async function createStrangerProject(options: {
  directory: string
  npmrc: string
  readme: string
  manager: Manager
  way: Way
  /** Installed in place of our package's name. */
  contracts: string
}): Promise<StrangerProject> {
  const { directory, npmrc, readme, manager, way, contracts } = options
  const steps = findFence(readme, `sh ${way.steps}`)
  const example = findFence(readme, 'ts ts-rest')
  if (steps === undefined || example === undefined)
    throw new Error(`The README of ${CONTRACTS} has no steps or no example of ${way.steps}`)
  await mkdir(directory)
  const write = (file: string, text: string): Promise<void> => writeFile(path.join(directory, file), text)
  await write('package.json', '{ "private": true, "type": "module" }')
  await write('.npmrc', npmrc)
  await write('tsconfig.json', JSON.stringify(configuration))
  await write('example.mts', importsOf(example, way))
  for (const file of way.files)
    await write(file, importsOf(await readFile(path.join(SOURCES, file), 'utf8'), way))
  await copyFile(ASK_OTHERS, path.join(directory, 'ask-others.mts'))
  const install = (packages: readonly string[]): Promise<string> =>
    runCommand(manager, [manager === 'npm' ? 'install' : 'add', '--ignore-scripts', ...packages], {
      cwd: directory,
      environment: { pnpm_config_pm_on_fail: 'ignore' },
    })
  for (const [, names = ''] of steps.matchAll(/^npm install (.+)$/gm))
    await install(names.split(' ').map((name) => (name === CONTRACTS ? contracts : name)))
  await install(TOOLS)
  return {
    async checkTypes() {
      await runCommand(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'], { cwd: directory })
    },
    run: (file, environment = {}) => runCommand(process.execPath, [file], { cwd: directory, environment }),
  }
}

/** Rewrites imports of ts-rest to the modules of this way. */
const importsOf = (source: string, { core, fastify }: Way): string =>
  source
    .replaceAll(/'(?:@ts-rest|@vaani\/contracts\/ts-rest)\/fastify'/g, `'${fastify}'`)
    .replaceAll(/'(?:@ts-rest\/core|@vaani\/contracts\/ts-rest)'/g, `'${core}'`)

/** A server for the tour, in a project that has our test kit. */
export interface TourServer extends AsyncDisposable {
  readonly environment: Readonly<Record<string, string>>
}

export async function startTourServer(directory: string): Promise<TourServer> {
  await copyFile(path.join(SOURCES, 'serve.mts'), path.join(directory, 'serve.mts'))
  const child = spawn(process.execPath, ['serve.mts'], { cwd: directory, stdio: ['pipe', 'pipe', 'pipe'] })
  const exited = once(child, 'exit')
  const end = async (): Promise<void> => {
    child.stdin.end()
    await exited
  }
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    errors = (errors + piece).slice(-20_000)
  })
  const failed = exited.then(() => {
    throw new Error(`The server for the tour has ended: ${errors}`)
  })
  failed.catch(() => undefined)
  try {
    const started = once(createInterface(child.stdout), 'line', {
      signal: AbortSignal.timeout(START_LIMIT_MS),
    })
    const [line] = await Promise.race([started, failed])
    return { environment: JSON.parse(String(line)), [Symbol.asyncDispose]: end }
  } catch (error) {
    await end()
    throw error
  }
}
