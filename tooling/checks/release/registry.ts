import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'

const START_LIMIT_MS = 60_000

export interface Registry extends AsyncDisposable {
  /** Lines of an .npmrc that direct only our packages to this registry. */
  readonly npmrc: string
  /** Path of a published package. */
  tarball(name: string, version: string): string
}

/** Starts a registry on this machine that has only our packages, and accepts them without authentication. */
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
  // Also if the rehearsal ends by an uncaught error.
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
    // Any token works, but without one npm publishes only after a login.
    npmrc: `@vaani:registry=http://${host}/\n//${host}/:_authToken=rehearsal\n`,
    tarball: (name, version) => path.join(storage, name, `${name.replace(/^@.*\//, '')}-${version}.tgz`),
    async [Symbol.asyncDispose]() {
      process.off('exit', end)
      end()
      await exited
    },
  }
}

/** verdaccio does not report its port if it chooses one itself. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
