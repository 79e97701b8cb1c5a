import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { documentOfOurs, fileOfPackage, readDocuments } from './document.ts'

const START_WITHIN_MS = 300_000
const END_WITHIN_MS = 5000
/** Length of the end of its log that is kept, to explain why it ended. */
const KEPT_CHARACTERS = 20_000
const IN_PRISM = path.join(import.meta.dirname, 'in-prism.ts')

/** Prism in a separate process, on a free port of the loopback address. */
export interface Prism extends AsyncDisposable {
  readonly url: string
  /** The end of its log. */
  log(): string
}

/**
 * Starts Prism with the published documents of all our services, modified to require all fields that our server always sends. With an upstream, Prism
 * proxies and validates its exchanges; otherwise Prism is a mock.
 *
 * @throws Error with its log, if it does not start
 * @example
 * await using prism = await startPrism({ upstream: server.url })
 */
export async function startPrism(options: { readonly upstream?: string } = {}): Promise<Prism> {
  const { upstream } = options
  const directory = await mkdtemp(path.join(tmpdir(), 'vaani-prism-'))
  const file = path.join(directory, 'openapi.json')
  await writeFile(file, JSON.stringify(documentOfOurs(await readDocuments())))
  const command = upstream === undefined ? ['mock', file] : ['proxy', file, upstream]
  const program = fileOfPackage('@stoplight/prism-cli', 'dist/index.js')
  const listen = ['--host', '127.0.0.1', '--port', '0']
  // Writing its log takes a third of its work, and what it logs of an exchange is in its answer.
  const quiet = ['--verboseLevel', 'fatal']
  const child = spawn(process.execPath, ['--import', IN_PRISM, program, ...command, ...listen, ...quiet])
  const ended = once(child, 'exit')
  let text = ''
  const address = new Promise<string>((resolve, reject) => {
    const read = (data: Buffer): void => {
      text = (text + String(data)).slice(-KEPT_CHARACTERS)
      const found = /Prism listens on (http:\/\/127\.0\.0\.1:\d+)/.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    const fail = (why: string) => reject(new Error(`Prism ${why}: ${text}`))
    child.once('exit', (code) => fail(`ended with ${code}`))
    AbortSignal.timeout(START_WITHIN_MS).addEventListener('abort', () => fail('did not start in time'))
  })
  const end = async (): Promise<void> => {
    if (child.exitCode !== null) console.error(`Prism ended by itself, with ${child.exitCode}: ${text}`)
    const limit = AbortSignal.timeout(END_WITHIN_MS)
    limit.addEventListener('abort', () => child.kill('SIGKILL'))
    child.kill()
    await ended
    await rm(directory, { recursive: true })
  }
  try {
    return { url: await address, log: () => text, [Symbol.asyncDispose]: end }
  } catch (error) {
    await end()
    throw error
  }
}
