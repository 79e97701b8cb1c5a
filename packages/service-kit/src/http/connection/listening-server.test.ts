import { once } from 'node:events'
import { Agent, get, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { STOP_NOW } from '../../lifecycle/stop-deadline.ts'
import { openListeningServer } from './listening-server.ts'

/** Real time, because Node's timers of sockets cannot be replaced. */
const RECEIVER_IDLE_MS = 50

async function open(handler: RequestListener) {
  const listening = await openListeningServer({
    host: '127.0.0.1',
    port: 0,
    whileStarting: handler,
    receiverIdleMs: RECEIVER_IDLE_MS,
  })
  const agent = new Agent({ keepAlive: true })
  return {
    async ask(): Promise<IncomingMessage> {
      const [response] = await once(get({ port: listening.port, agent }), 'response')
      return response
    },
    async [Symbol.asyncDispose]() {
      agent.destroy()
      await listening.stop(STOP_NOW)
    },
  }
}

const endless = () =>
  Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(65_536)
    })(),
  )

describe('a receiver', () => {
  test('that reads nothing of a response is dropped', async () => {
    const closed = Promise.withResolvers<void>()
    await using server = await open((_, response: ServerResponse) => {
      response.once('close', closed.resolve)
      endless().pipe(response)
    })
    const response = await server.ask()
    await closed.promise
    await expect(text(response)).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  test('that waits for a slow response gets it, and keeps the connection', async () => {
    const ports = new Set<number | undefined>()
    await using server = await open(async (request, response) => {
      ports.add(request.socket.remotePort)
      await text(request)
      response.write('first')
      await delay(4 * RECEIVER_IDLE_MS)
      response.end(' last')
    })
    for (let requests = 0; requests < 2; requests++) {
      expect(await text(await server.ask())).toBe('first last')
      await delay(2 * RECEIVER_IDLE_MS)
    }
    expect(ports.size).toBe(1)
  })
})
