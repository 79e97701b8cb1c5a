import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { PublishedModule } from '../published-entries.ts'
import { compilerOptions } from './blank-project.ts'
import { OLDER_COMPILER, OLDER_RESOLUTIONS } from './older-resolutions.ts'
import { runCommand } from './run-command.ts'

/** These run in a worker thread only. */
const WORKERS = [
  '@vaani/telephony-sip/line-worker',
  '@vaani/telephony-sip/simulator-worker',
  '@vaani/telephony-media-streams/line-worker',
]

/**
 * Compiles a CommonJS file that imports every module of the installed packages, and requires each.
 *
 * @throws Error if one is not found or is loaded twice
 */
export async function loadByRequire(options: {
  directory: string
  modules: readonly PublishedModule[]
}): Promise<void> {
  const { directory, modules } = options
  const names = modules.filter(({ file }) => file.endsWith('.js')).map(({ name }) => name)
  const write = (file: string, text: string): Promise<void> => writeFile(path.join(directory, file), text)
  const node = (...parameters: string[]): Promise<string> =>
    runCommand(process.execPath, parameters, { cwd: directory })
  for (const [resolution, { file, options: own }] of Object.entries(OLDER_RESOLUTIONS)) {
    const configuration = `tsconfig.${resolution}.json`
    await write(`modules.${file}`, importsOf(names))
    await write(
      configuration,
      JSON.stringify({ compilerOptions: { ...compilerOptions, ...own }, files: [`modules.${file}`] }),
    )
    await node(OLDER_COMPILER, '-p', configuration)
  }
  await write('modules.cjs', requiresOf(names.filter((name) => !WORKERS.includes(name))))
  await node('modules.cjs')
}

const importsOf = (names: readonly string[]): string =>
  [
    ...names.map((name, index) => `import * as module${index} from '${name}'`),
    `export const modules = [${names.map((_, index) => `module${index}`).join(', ')}]`,
  ].join('\n')

const requiresOf = (names: readonly string[]): string => `const assert = require('node:assert/strict')
async function load() {
  for (const name of ${JSON.stringify(names)})
    assert.equal(require(name), await import(name), name)
}
load()
`
