import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'

const START_LIMIT_MS = 60_000

export interface Registry extends AsyncDisposable {
  /** Lines of an .npmrc by which our packages, and no others, are of this registry. */
  readonly npmrc: string
  /** Where a published package lies. */
  tarball(name: string, version: string): string
}

/** A registry on this machine that holds our packages only, and takes them from anybody. */
export async function startRegistry(options: { directory: string; verdaccio: string }): Promise<Registry> {
  const { directory, verdaccio } = options
  await mkdir(directory)
  const storage = path.join(directory, 'storage')
  const configuration = path.join(directory, 'config.yaml')
  // JSON is YAML.
  await writeFile(
    configuration,
    JSON.stringify({
      storage,
      auth: { htpasswd: { file: path.join(directory, 'htpasswd') } },
      packages: { '@vaani/*': { access: '$all', publish: '$all' } },
      log: { type: 'stdout', format: 'json', level: 'http' },
      web: { enable: false },
    }),
  )
  const host = `127.0.0.1:${await findFreePort()}`
  const child = spawn(process.execPath, [verdaccio, '--config', configuration, '--listen', host], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  // Also where the rehearsal ends by an error that nobody caught.
  const end = (): void => void child.kill()
  process.once('exit', end)
  await new Promise<void>((resolve, reject) => {
    let text = ''
    const fail = (what: string): void => reject(new Error(`verdaccio ${what}: ${text}`))
    const timer = setTimeout(() => fail('did not start'), START_LIMIT_MS)
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => {
        text = (text + piece).slice(-20_000)
        if (!text.includes('http address')) return
        clearTimeout(timer)
        resolve()
      })
    child.once('exit', () => fail('has ended'))
  })
  return {
    // Any token will do, but npm publishes with none only after a login.
    npmrc: `@vaani:registry=http://${host}/\n//${host}/:_authToken=rehearsal\n`,
    tarball: (name, version) => path.join(storage, name, `${name.replace(/^@.*\//, '')}-${version}.tgz`),
    async [Symbol.asyncDispose]() {
      process.off('exit', end)
      end()
      await exited
    },
  }
}

/** verdaccio does not tell which port it took where it may choose. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
