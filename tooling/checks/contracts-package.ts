/**
 * Builds and packs @vaani/contracts, installs it into a blank npm project like its users, and checks that its types are
 * correct without skipLibCheck in ES modules and in CommonJS, and that it runs.
 */
import { execFile } from 'node:child_process'
import { glob, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { hoverOver } from './language-server.ts'
import { buildClean } from './release/build-clean.ts'
import { OLDER_COMPILER, OLDER_RESOLUTIONS, OLDER_TYPESCRIPT } from './release/older-resolutions.ts'
import { readWorkspaces } from './workspaces.ts'

const root = path.resolve(import.meta.dirname, '../..')
const packageDirectory = path.join(root, 'packages/contracts')
/** Time limit of each command; an install from a cold cache is the slowest. */
const timeLimitMs = 120_000
const maxTarballBytes = 300_500

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
  target: 'es2024',
  module: 'nodenext',
  types: [],
}

const name = '@vaani/contracts'
const script = `import { createId, ERRORS, isE164, placeCallSchema } from '${name}'
import { fullDocument } from '${name}/openapi'
import document from '${name}/openapi.json' with { type: 'json' }
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
assert.equal(createRequire(import.meta.url)('${name}').createId, createId)
assert.match(createId('call', { nowMs: 0, random: new Uint8Array(10) }), /^call_/)
assert.equal(isE164('+9779812345678'), true)
assert.equal(ERRORS.invalid_phone.status, 422)
assert.equal(placeCallSchema.parse({ to: '+9779812345678', agent_id: 'reminder' }).language, 'ne-NP')
assert.deepEqual(fullDocument(), document)
`

/** Each line causes an error that must name the route or the group instead of expanding its definition. */
const wrong = `import { contract } from '${name}'
export const route: number = contract.calls.place
export const group: number = contract.calls
contract.calls.place.nothing
`
const ROUTE = 'ContractRoute<"calls.place">'
const MESSAGES = [
  `wrong.mts(2,14): error TS2322: Type '${ROUTE}' is not assignable to type 'number'.`,
  `wrong.mts(3,14): error TS2322: Type 'ContractGroup<"calls">' is not assignable to type 'number'.`,
  `wrong.mts(4,22): error TS2339: Property 'nothing' does not exist on type '${ROUTE}'.`,
]

const project = await mkdtemp(path.join(tmpdir(), 'contracts-package-'))
try {
  const tarball = await pack()
  await createProject(tarball)
  await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'])
  for (const resolution of Object.keys(OLDER_RESOLUTIONS))
    await run(process.execPath, [OLDER_COMPILER, '-p', `${resolution}.json`])
  await run(process.execPath, ['use.mjs'])
  await expectNames()
  const { size } = await stat(tarball)
  if (size > maxTarballBytes) throw new Error(`the tarball has ${size} bytes, more than ${maxTarballBytes}`)
  console.log(
    `contracts package: types, type names and run work in a blank project, ${Math.ceil(size / 1000)} kB packed`,
  )
} catch (error) {
  console.log(`contracts package: ${describeFailure(error)}`)
  process.exitCode = 1
} finally {
  await rm(project, { recursive: true })
}

async function pack(): Promise<string> {
  await buildClean(
    root,
    readWorkspaces(root).filter(({ manifest }) => manifest.name === name),
  )
  await run('pnpm', ['pack', '--pack-destination', project], packageDirectory)
  const [tarball] = await Array.fromAsync(glob('*.tgz', { cwd: project }))
  if (tarball === undefined) throw new Error('pnpm pack created no tarball')
  return path.join(project, tarball)
}

async function createProject(tarball: string): Promise<void> {
  const typescript = JSON.parse(
    await readFile(path.join(packageDirectory, 'node_modules/typescript/package.json'), 'utf8'),
  )
  const cases = await readFile(path.join(packageDirectory, 'src/contract.test-d.ts'), 'utf8')
  const write = (file: string, text: string): Promise<void> => writeFile(path.join(project, file), text)
  await write('package.json', '{ "private": true }')
  await write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['cases.mts'] }))
  // The package's own type tests, importing from the installed package.
  const imported = cases.replaceAll(/(?<= from ')[^']+(?=')/g, name)
  await write('cases.mts', imported)
  for (const [resolution, { file, options }] of Object.entries(OLDER_RESOLUTIONS)) {
    const configuration = { ...compilerOptions, ...options }
    await write(
      `${resolution}.json`,
      JSON.stringify({ compilerOptions: configuration, files: [`cases.${file}`] }),
    )
    await write(`cases.${file}`, imported)
  }
  await write('use.mjs', script)
  await write('wrong.json', JSON.stringify({ compilerOptions, include: ['wrong.mts'] }))
  await write('wrong.mts', wrong)
  const packages = [tarball, `typescript@${typescript.version}`, OLDER_TYPESCRIPT]
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages])
}

async function expectNames(): Promise<void> {
  const said = await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'wrong.json']).then(
    () => '',
    (error: unknown) => String(Reflect.get(Object(error), 'stdout')).trim(),
  )
  if (said !== MESSAGES.join('\n')) throw new Error(`Unexpected compiler output:\n${said}`)
  const shown = await hoverOver({ directory: project, file: 'wrong.mts', word: 'place' })
  if (shown !== `(property) place: ${ROUTE}`) throw new Error(`Unexpected hover in an editor:\n${shown}`)
}

async function run(file: string, args: readonly string[], cwd = project): Promise<void> {
  await promisify(execFile)(file, args, { cwd, timeout: timeLimitMs, killSignal: 'SIGKILL' })
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) throw error
  const output = ['stdout', 'stderr'].map((name) => String(Reflect.get(error, name) ?? '').trim())
  return [error.message, ...output].filter((text) => text !== '').join('\n')
}
