import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

const OWN = '@vaani/kyc-shadow-worker'
const SERVER = '@vaani/server'
/** Under the GPL, and nothing here speaks. */
const LEFT_OUT = '@vaani/speech-espeak'
const INSTALL_LIMIT_MS = 5 * 60_000

/** The server is not installed, and npm did not install it. The message is for the person who runs the demo. */
export class ServerMissingError extends Error {
  override readonly name = 'ServerMissingError'
}

/** A program of ours, as Node runs it. */
export interface Program {
  readonly file: string
  readonly execArgv: readonly string[]
}

const manifestSchema = z.object({ peerDependencies: z.record(z.string(), z.string()) })
const run = promisify(execFile)
const require = createRequire(import.meta.url)

/** In a clone everything runs from the sources, and nothing is built. */
const isSource = import.meta.filename.endsWith('.ts')

const programIn = (manifest: string): Program =>
  isSource
    ? { file: path.join(path.dirname(manifest), 'src/main.ts'), execArgv: ['--conditions=vaani-source'] }
    : { file: path.join(path.dirname(manifest), 'dist/main.js'), execArgv: [] }

export const findOwnProgram = (): Program => programIn(require.resolve(`${OWN}/package.json`))

/** The reference server and the generated pictures that come with it. */
export interface Server {
  readonly program: Program
  specimen(name: string): string
}

/** Returns the reference server that is installed beside this package; null without one. */
export function findServer(): Server | null {
  try {
    return serverAt(require.resolve(`${SERVER}/package.json`))
  } catch {
    return null
  }
}

/**
 * Installs the reference server into a folder. A deployment of this package needs none, so it is no dependency.
 *
 * @throws ServerMissingError
 */
export async function installServer(folder: string): Promise<Server> {
  const { peerDependencies } = manifestSchema.parse(
    JSON.parse(await readFile(require.resolve(`${OWN}/package.json`), 'utf8')),
  )
  const manifest = {
    private: true,
    dependencies: { [SERVER]: peerDependencies[SERVER] },
    overrides: { [LEFT_OUT]: '-' },
  }
  await mkdir(folder)
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest))
  const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const options = { cwd: folder, timeout: INSTALL_LIMIT_MS, shell: process.platform === 'win32' }
  await run('npm', ['install', ...flags], options).catch((cause: unknown) => {
    const remedy = `Install it beside ${OWN}, then run the demo again: npm install ${SERVER}`
    throw new ServerMissingError(`npm could not fetch ${SERVER}. ${remedy}`, { cause })
  })
  return serverAt(createRequire(path.join(folder, 'package.json')).resolve(`${SERVER}/package.json`))
}

function serverAt(manifest: string): Server {
  const { resolve } = createRequire(manifest)
  return {
    program: programIn(manifest),
    specimen: (name) => resolve(`@vaani/identity-checks/specimens/${name}`),
  }
}
