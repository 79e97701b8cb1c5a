import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import type { Server as TcpServer } from 'node:net'
import { request } from 'undici'
import type { Agent } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseAllowedRanges } from './address-ranges.ts'
import { checkDestination } from './guard-url.ts'
import { createGuardedAgent, DestinationRefusedError } from './guarded-agent.ts'
import type { GuardedAgentOptions } from './guarded-agent.ts'
import type { ResolveHost } from './resolve-host.ts'

const OPEN_IPV4_LOOPBACK = parseAllowedRanges(['127.0.0.1/32'])

let cleanUps: (() => Promise<void> | void)[] = []
/** Every address that a socket of this process tried to connect to. */
let attempts: string[] = []

beforeEach(() => {
  cleanUps = []
  attempts = []
  const watch = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    socket.on('connectionAttempt', (address) => attempts.push(address))
  }
  subscribe('net.client.socket', watch)
  cleanUps.push(() => void unsubscribe('net.client.socket', watch))
})

afterEach(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp()
})

async function listen(server: TcpServer, host: string) {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, host)
  await once(server, 'listening')
  cleanUps.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { port: address.port, sockets, connections: () => connections }
}

/** An HTTP server on 127.0.0.1 that counts connections and keeps request headers. */
async function startReceiver(answer: RequestListener = (_request, response) => response.end('ok')) {
  const headers: IncomingHttpHeaders[] = []
  const server = createServer((incoming, response) => {
    headers.push(incoming.headers)
    answer(incoming, response)
  })
  return { ...(await listen(server, '127.0.0.1')), headers }
}

function startAgent(options: Partial<GuardedAgentOptions> & { answers?: readonly string[] } = {}): Agent {
  const { answers = [], ...rest } = options
  const agent = createGuardedAgent({ allowed: [], resolve: () => Promise.resolve(answers), ...rest })
  cleanUps.push(() => agent.destroy())
  return agent
}

async function post(dispatcher: Agent, url: string): Promise<number> {
  const { statusCode, body } = await request(url, { method: 'POST', body: '{}', dispatcher })
  await body.dump()
  return statusCode
}

const expectRefusal = async (delivery: Promise<unknown>) => {
  const error: unknown = await delivery.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(DestinationRefusedError)
  expect(error).toMatchObject({ code: 'destination_refused' })
}

describe('createGuardedAgent', () => {
  it.each(['http', 'https'])(
    'never dials the second answer for a name that is rebound to loopback, over %s',
    async (scheme) => {
      const receiver = await startReceiver()
      const answers = [['93.184.215.14'], ['127.0.0.1']]
      const resolve: ResolveHost = () => Promise.resolve(answers.shift() ?? ['127.0.0.1'])
      const url = `${scheme}://rebind.example.com:${receiver.port}/`

      const verdict = await checkDestination(url, { allowed: [], resolve })
      if (scheme === 'https') expect(verdict).toEqual({ ok: true })
      const agent = startAgent({ resolve })
      await expectRefusal(post(agent, url))
      await expectRefusal(post(agent, url))

      expect(attempts).toEqual([])
      expect(receiver.connections()).toBe(0)
    },
  )

  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '127.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '169.254.169.254',
  ])('refuses the address %s, which bypasses the lookup', async (host) => {
    const receiver = await startReceiver()
    const resolve: ResolveHost = () => Promise.reject(new Error('asked'))
    const agent = startAgent({ resolve })
    for (const scheme of ['http', 'https'])
      await expectRefusal(post(agent, `${scheme}://${host}:${receiver.port}/`))
    expect(attempts).toEqual([])
    expect(receiver.connections()).toBe(0)
  })

  it('does not let a Host header redirect an address', async () => {
    const receiver = await startReceiver()
    const agent = startAgent({ answers: ['127.0.0.1'] })
    const delivery = request(`http://127.0.0.1:${receiver.port}/`, {
      headers: { host: 'example.com' },
      dispatcher: agent,
    })
    await expectRefusal(delivery)
    expect(receiver.connections()).toBe(0)
  })

  it.each([
    { what: 'only private addresses', answers: ['10.0.0.1', '::1', '::ffff:127.0.0.1', 'fd00:ec2::254'] },
    { what: 'no address', answers: [] },
    { what: 'answers that are not addresses', answers: ['127.1', 'localhost', ''] },
  ])('refuses a name with $what', async ({ answers }) => {
    const receiver = await startReceiver()
    const agent = startAgent({ answers })
    await expectRefusal(post(agent, `https://hooks.example.com:${receiver.port}/`))
    expect(attempts).toEqual([])
    expect(receiver.connections()).toBe(0)
  })

  it.each(['localhost', 'app.localhost', 'receiver', 'db.internal'])('does not resolve %s', async (host) => {
    let asked = 0
    const agent = startAgent({ resolve: () => Promise.resolve([`10.0.0.${++asked}`]) })
    await expectRefusal(post(agent, `https://${host}/`))
    expect(asked).toBe(0)
  })

  it('sends plain http only to opened ranges', async () => {
    const agent = startAgent({ allowed: OPEN_IPV4_LOOPBACK, answers: ['93.184.215.14'] })
    await expectRefusal(post(agent, 'http://hooks.example.com/'))
    await expectRefusal(post(agent, 'http://93.184.215.14/'))
    await expectRefusal(post(agent, 'https://receiver/'))
    expect(attempts).toEqual([])
  })

  it.each(['127.0.0.1', 'localhost', 'hooks.example.com', '[::ffff:127.0.0.1]'])(
    'delivers to %s if its range is opened',
    async (host) => {
      const receiver = await startReceiver()
      const agent = startAgent({ allowed: OPEN_IPV4_LOOPBACK, answers: ['::1', '127.0.0.1'] })
      expect(await post(agent, `http://${host}:${receiver.port}/`)).toBe(200)
      expect(receiver.connections()).toBe(1)
    },
  )

  it('dials only the permitted addresses of mixed answers', async () => {
    const receiver = await startReceiver()
    const answers = ['10.0.0.1', '127.0.0.2', '127.0.0.1', '::1', '169.254.169.254']
    const agent = startAgent({ allowed: OPEN_IPV4_LOOPBACK, answers })
    expect(await post(agent, `http://hooks.example.com:${receiver.port}/`)).toBe(200)
    expect(attempts).toEqual(['127.0.0.1'])
  })

  it('dials only the permitted addresses of mixed answers over TLS too', async () => {
    const dialled: (string | undefined)[] = []
    const server = createTcpServer((socket) => {
      dialled.push(socket.localAddress)
      socket.destroy()
    })
    const { port } = await listen(server, '0.0.0.0')
    const answers = ['127.0.0.2', '10.0.0.1', '127.0.0.1', '::ffff:127.0.0.3', '169.254.169.254']
    const agent = startAgent({ allowed: OPEN_IPV4_LOOPBACK, answers })
    await expect(post(agent, `https://hooks.example.com:${port}/`)).rejects.toThrow()
    expect(dialled).toEqual(['127.0.0.1'])
  })

  it('tries the next permitted address if one does not respond', async () => {
    const receiver = await startReceiver()
    const allowed = parseAllowedRanges(['127.0.0.0/8', '::1/128'])
    const agent = startAgent({ allowed, answers: ['::1', '127.0.0.1'] })
    expect(await post(agent, `http://hooks.example.com:${receiver.port}/`)).toBe(200)
    expect(attempts).toEqual(['::1', '127.0.0.1'])
  })

  it('passes on the error if a name does not resolve', async () => {
    const failure = Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' })
    const agent = startAgent({ resolve: () => Promise.reject(failure) })
    await expect(post(agent, 'https://hooks.example.com/')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })

  it('applies the connect timeout to the DNS', async () => {
    const agent = startAgent({ connectTimeoutMs: 20, resolve: () => new Promise(() => {}) })
    await expect(post(agent, 'https://hooks.example.com/')).rejects.toMatchObject({
      code: 'UND_ERR_CONNECT_TIMEOUT',
    })
  })

  it('follows no redirect', async () => {
    const receiver = await startReceiver((_request, response) =>
      response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    )
    const agent = startAgent({ allowed: OPEN_IPV4_LOOPBACK })
    expect(await post(agent, `http://127.0.0.1:${receiver.port}/`)).toBe(307)
    expect(receiver.headers.length).toBe(1)
  })

  it('reuses sockets, and limits connections per origin', async () => {
    const receiver = await startReceiver()
    const agent = startAgent({ allowed: OPEN_IPV4_LOOPBACK, connectionsPerOrigin: 2 })
    const url = `http://127.0.0.1:${receiver.port}/`
    await Promise.all(Array.from({ length: 20 }, () => post(agent, url)))
    expect(receiver.connections()).toBe(2)
  })

  it('keeps no more sockets than its limit, and forgets the origins', async () => {
    const receiver = await startReceiver()
    const agent = startAgent({ allowed: OPEN_IPV4_LOOPBACK, answers: ['127.0.0.1'], maxKeptSockets: 3 })
    for (let index = 0; index < 12; index++)
      await post(agent, `http://h${index}.example.com:${receiver.port}/`)
    expect(receiver.headers.map(({ connection }) => connection)).toEqual(
      Array.from({ length: 12 }, (_, index) => (index < 3 ? 'keep-alive' : 'close')),
    )
    await expect.poll(() => receiver.sockets.size).toBe(3)
    await expect.poll(() => Object.keys(agent.stats).length).toBe(3)
  })

  it('closes a kept socket after its own timeout, whatever the receiver proposes', async () => {
    const receiver = await startReceiver((_request, response) => {
      response.setHeader('keep-alive', 'timeout=3600').end()
    })
    const agent = startAgent({ allowed: OPEN_IPV4_LOOPBACK, keepAliveTimeoutMs: 10 })
    await post(agent, `http://127.0.0.1:${receiver.port}/`)
    await expect.poll(() => receiver.sockets.size, { timeout: 4000 }).toBe(0)
    await expect.poll(() => Object.keys(agent.stats)).toEqual([])
  })

  it('remembers no origin that it refused', async () => {
    const agent = startAgent({ answers: ['10.0.0.1'] })
    for (let index = 0; index < 5; index++) await expectRefusal(post(agent, `https://h${index}.example.com/`))
    await expectRefusal(post(agent, 'https://10.0.0.1/'))
    await expect.poll(() => Object.keys(agent.stats)).toEqual([])
  })
})
