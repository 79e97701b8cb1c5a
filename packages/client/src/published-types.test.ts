import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '..')
const verifier = path.join(root, '../webhook-verifier')
const runIn = (cwd: string, program: string, ...parameters: readonly string[]) =>
  promisify(execFile)(process.execPath, [path.join(cwd, 'node_modules', program), ...parameters], { cwd })
const run = (program: string, ...parameters: readonly string[]) => runIn(root, program, ...parameters)
const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
  target: 'es2024',
  module: 'esnext',
  moduleResolution: 'bundler',
  // The libraries of a web page, without the types of Node.
  lib: ['es2024', 'dom'],
  types: [],
}
const USE = `import { type MigrationStage, type SynthesisEvent, Vaani } from './dist/index.js'
import { createMigration } from './dist/resources/migration.js'
export async function speak(vaani: Vaani, play: (samples: Int16Array) => void): Promise<void> {
  await using session = await vaani.realtime.synthesize()
  session.speak('Good morning.')
  session.end()
  for await (const samples of session.audio()) play(samples)
}
export const markOf = (event: SynthesisEvent): string | null => (event.type === 'mark' ? event.text : null)
export const stageOf = async (apiKey: string): Promise<MigrationStage> =>
  (await createMigration({ apiKey }).retrieve()).stage
`

let project: string
beforeAll(async () => {
  project = await mkdtemp(path.join(tmpdir(), 'client-types-'))
  // The types of the client take in those of the verifier from its build, which a fresh clone lacks.
  if (!existsSync(path.join(verifier, 'dist/index.d.ts')))
    await runIn(verifier, 'tsdown/dist/run.mjs', '--logLevel', 'error')
  await run('tsdown/dist/run.mjs', '--out-dir', path.join(project, 'dist'), '--logLevel', 'error')
  const write = (file: string, text: string): Promise<void> => writeFile(path.join(project, file), text)
  await write('package.json', '{ "type": "module" }')
  await write('use.ts', USE)
  await write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['use.ts', 'dist/**/*.d.ts'] }))
})
afterAll(() => rm(project, { recursive: true, force: true }))

test('the published types compile with only the types of a web page', async () => {
  const problems = await run('typescript/bin/tsc', '-p', project).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
  expect(problems).toBe('')
})
