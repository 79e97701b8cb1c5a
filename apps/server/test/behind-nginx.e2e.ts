/** nginx with the configuration of docs/operate in front of a server: TLS, streams, sockets, uploads and the addresses of callers. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { ADDRESS_LIMITS } from '@vaani/contracts'
import { until } from '@vaani/test-services/until'
import { Agent, fetch, type RequestInit } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  type ChatUpstream,
  chunkOf,
  eventOf,
  startChatUpstream,
  writeUpstreams,
} from './support/chat-upstream.ts'
import { openSocket } from './support/open-socket.ts'
import { freePort } from './support/redis-process.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const ORIGIN = 'https://app.example.com'
const CONFIGURATION = path.resolve(import.meta.dirname, '../../../docs/operate/nginx.conf')

const agents = new Map<string, Agent>()
const held = new AsyncDisposableStack()
let server: TestServer
let key: string
let upstream: ChatUpstream
let nginx: Nginx

interface Nginx extends AsyncDisposable {
  url: string
  certificate: string
}

/** Starts nginx with the documented configuration, whose addresses and files are replaced. */
async function startNginx(serverUrl: string, changed: Readonly<Record<string, string>> = {}): Promise<Nginx> {
  await using started = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-nginx-'))
  started.defer(() => rm(folder, { recursive: true, force: true }))
  const [keyFile, certificateFile] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')]
  const made = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost'
  const named = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', keyFile, '-out', certificateFile]
  await promisify(execFile)('openssl', [...made.split(' '), ...named])
  const port = await freePort()
  const replaced = {
    '127.0.0.1:8080': new URL(serverUrl).host,
    'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
    '/etc/nginx/vaani.crt': certificateFile,
    '/etc/nginx/vaani.key': keyFile,
    ...changed,
  }
  let site = await readFile(CONFIGURATION, 'utf8')
  for (const [documented, own] of Object.entries(replaced)) {
    expect(site).toContain(documented)
    site = site.replace(documented, own)
  }
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const file = path.join(folder, 'nginx.conf')
  await writeFile(
    file,
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr crit; events {}
http { access_log off; ${folders.join(' ')}
${site} }`,
  )
  const child = spawn('nginx', ['-c', file, '-p', folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  started.defer(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const resources = started.move()
  return {
    url: `https://127.0.0.1:${port}`,
    certificate: await readFile(certificateFile, 'utf8'),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** Asks through nginx, from an address of this machine. */
async function ask(
  route: string,
  { from = '127.0.0.2', through = nginx, ...request }: RequestInit & { from?: string; through?: Nginx } = {},
) {
  const id = `${from} ${through.url}`
  const dispatcher = agents.get(id) ?? new Agent({ connect: tlsOf(through), localAddress: from })
  agents.set(id, dispatcher)
  return fetch(through.url + route, { ...request, dispatcher })
}

const tlsOf = ({ certificate }: Nginx) => ({ ca: certificate, servername: 'localhost' })

const post = (body: object, headers: Readonly<Record<string, string>> = {}) => ({
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

describe('behind nginx', { tags: ['nginx', 'openssl'] }, () => {
  beforeAll(async () => {
    upstream = held.use(await startChatUpstream())
    const { settings, remove } = await writeUpstreams({
      upstreams: { own: { base_url: upstream.baseUrl, models: ['chat-large'] } },
      models: { 'chat-large': [{ upstream: 'own' }] },
    })
    const config = {
      ...settings,
      roles: new Set(['api' as const]),
      trustedProxies: ['127.0.0.1/32'],
      corsOrigins: [ORIGIN],
    }
    server = held.use(await startTestServer({ config, clock: { nowMs: () => Date.UTC(2026, 10, 27) } }))
    await remove()
    key = (await server.createAccount({ tier: 'enterprise' })).key
    nginx = held.use(await startNginx(server.url))
    await until(
      () => ask('/healthz').then(({ status }) => status, String),
      (status) => status === 200,
    )
  })
  afterAll(async () => {
    await Promise.all([...agents.values()].map((agent) => agent.destroy()))
    await held.disposeAsync()
  })

  test('events reach a page of the console as they come, even if nginx buffers other answers', async () => {
    await using buffering = await startNginx(server.url, { 'proxy_buffering off': 'proxy_buffering on' })
    const mark = { 'x-vaani-console': '1', 'content-type': 'application/json' }
    const signedIn = await ask('/console/session', {
      method: 'POST',
      headers: mark,
      body: JSON.stringify({ key }),
    })
    const session = await signedIn.json()
    const keyId = z.object({ key_id: z.string() }).parse(session).key_id
    const cookie = signedIn.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
    for (const through of [nginx, buffering]) {
      await until(
        () => ask('/healthz', { through }).then(({ status }) => status, String),
        (status) => status === 200,
      )
      const leaving = new AbortController()
      const { body } = await ask(`/console/events?key_id=${keyId}`, {
        through,
        headers: { cookie, 'sec-fetch-site': 'same-origin' },
        signal: leaving.signal,
      })
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      while (!text.includes('event: reset')) text += (await reader?.read())?.value ?? ''
      leaving.abort()
    }
  })

  test('a stream arrives while its source still waits', async () => {
    const isRead = Promise.withResolvers<void>()
    upstream.next.push(async (response) => {
      response.write(eventOf(chunkOf({ content: 'One ' })))
      await isRead.promise
      response.end(eventOf(chunkOf({ content: 'two' }, 'stop')) + eventOf('[DONE]'))
    })
    const messages = [{ role: 'user', content: 'Count.' }]
    const { body } = await ask('/v1/chat/completions', post({ model: 'chat-large', messages, stream: true }))
    let text = ''
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      if (text.includes('One ')) isRead.resolve()
    }
    expect(text).toMatch(/One .*two.*data: \[DONE\]/s)
  })

  test('a WebSocket speaks', async () => {
    using socket = await openSocket({ url: nginx.url, key, tls: tlsOf(nginx) })
    socket.say({ type: 'speak', text: 'Hello.' }, { type: 'end' })
    await socket.until('audio')
    await socket.until('ended')
  })

  test('a body over the limit of its route gets the error of the server', async () => {
    const metadata = { text: 'a'.repeat(2_097_152) }
    const answer = await ask('/agent/calls', post({ metadata }))
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ error: { code: 'payload_too_large' } })
  })

  test('callers have limits of their own, whatever address they claim', async () => {
    const { limit } = ADDRESS_LIMITS.public_documents
    const statuses: Record<number, number> = {}
    for (let index = 0; index < limit + 2; index++) {
      const headers = { 'x-forwarded-for': `192.0.2.${index % 256}` }
      const { status, body } = await ask('/enterprise/issuer', { from: '127.0.0.3', headers })
      await body?.cancel()
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    expect(statuses).toEqual({ 200: limit, 429: 2 })
    expect(await ask('/enterprise/issuer', { from: '127.0.0.4' })).toHaveProperty('status', 200)
  })

  test('a page of an allowed origin gets the headers of the server', async () => {
    const headers = { origin: ORIGIN, 'access-control-request-method': 'POST' }
    const answer = await ask('/agent/calls', { method: 'OPTIONS', headers })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN)
  })

  test('a session of the console is sent over TLS only, to a page of the same origin', async () => {
    const own = { 'x-vaani-console': '1', 'sec-fetch-site': 'same-origin', origin: nginx.url }
    const answer = await ask('/console/session', post({ key }, own))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Strict; Secure$/)
    const foreign = await ask('/console/session', post({ key }, { ...own, 'sec-fetch-site': 'same-site' }))
    expect(foreign.status).toBe(403)
  })
})
