import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Fault, FaultServer } from '../faults/fault.ts'
import { startFaultServer } from '../support/fault-server.ts'

/** Row for a runtime to play. */
export interface NextRow {
  readonly name: string
  readonly url: string
  readonly mediaPath: string
}

export interface Outcome {
  /** Null if the row passed. */
  readonly failure: string | null
}

/** Hands rows to a runtime, one at a time, and gives it access to their fault server. */
export interface ControlServer {
  readonly url: string
  /** Resolves when the runtime requests its first row. */
  readonly ready: Promise<void>
  /** Plays a row. Resolves with its failure or the reason why the runtime ended, or with null if the row passed. */
  play(fault: Fault, ended: Promise<string>): Promise<string | null>
  /** Signals the end of the rows and stops. */
  stop(): Promise<void>
}

/** @param options `files`: further files to serve, by path: the page and its script, for a browser */
export async function startControlServer(options: {
  readonly mediaPath: string
  readonly files?: Readonly<Record<string, { readonly type: string; readonly text: string }>>
}): Promise<ControlServer> {
  const { mediaPath, files = {} } = options
  const ready = Promise.withResolvers<void>()
  let current: FaultServer | undefined
  let asked = Promise.withResolvers<NextRow | null>()
  let outcome = Promise.withResolvers<Outcome>()

  const answers: Record<string, (request: IncomingMessage) => unknown> = {
    async '/next'() {
      ready.resolve()
      const next = await asked.promise
      asked = Promise.withResolvers()
      return next
    },
    '/outcome': async (request) => outcome.resolve((await json(request)) as Outcome),
    '/seen': () => current?.seen(),
    '/begun': async (request) => current?.begun(Number(await json(request))),
    '/received': async (request) => current?.received(Number(await json(request))),
    '/closed': async (request) => current?.closed(Number(await json(request))),
    '/hang-up': async (request) => current?.hangUp(Number(await json(request))),
    '/stop': () => current?.stop(),
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '' } = request
    const file = files[url]
    if (file) {
      response.setHeader('content-type', file.type).end(file.text)
      return
    }
    const action = answers[url]
    if (!action) throw new Error(`There is no ${url}`)
    const value = (await action(request)) ?? null
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    ready: ready.promise,
    async play(fault, ended) {
      current = await startFaultServer(fault)
      outcome = Promise.withResolvers()
      asked.resolve({ name: fault.name, url: current.url, mediaPath })
      try {
        return await Promise.race([outcome.promise.then(({ failure }) => failure), ended])
      } finally {
        await current.stop()
      }
    },
    async stop() {
      asked.resolve(null)
      await current?.stop()
      server.close()
      // The runtime has received its last response, or has ended.
      server.closeIdleConnections()
    },
  }
}
