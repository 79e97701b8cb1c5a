import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile, readdir } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The toy model, packed by `tar -C packages/speech-sherpa -cjf apps/server/test/support/toy-voice.tar.bz2 toy`. */
export const TOY_FILE = fileURLToPath(import.meta.resolve('./toy-voice.tar.bz2'))
export const TOY = await readFile(TOY_FILE)

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Describes an archive that has the toy model's files. */
export const toyOptions = (archive: Uint8Array) => ({
  sha256: sha256(archive),
  family: 'vits',
  languages: 'sw-KE,en-US',
  speakers: '0,1',
})

export async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Every path below a folder, with the content of files. */
export async function contentOf(directory: string) {
  const paths = await readdir(directory, { recursive: true, withFileTypes: true })
  return Promise.all(
    paths.map(async (one) => {
      const file = path.join(one.parentPath, one.name)
      return [file, one.isFile() ? await readFile(file, 'utf8') : null]
    }),
  )
}
