import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Fetch } from '@vaani/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { EXIT_CODES } from '../failure/exit-codes.ts'
import { runCli } from '../run-cli.ts'
import { createEnvironment, run } from '../test/run.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-raw-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

interface Asked {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: string
  readonly redirect: string | undefined
}

/** Records each request and responds to it. */
function answering(answer: () => Response) {
  const asked: Asked[] = []
  const fetch: Fetch = async (url, { method = 'GET', headers, body, redirect }) => {
    const text = await new Response(body ?? null).text()
    asked.push({ url, method, headers: new Headers(headers), body: text, redirect })
    return answer()
  }
  return { fetch, asked }
}

const COMMAND_LINE_KEY = /^[\w-]{36}$/

test('get prints a JSON response: indented for a person, on one line for machines', async () => {
  const { fetch, asked } = answering(() => Response.json({ name: 'a\u009B2J', numbers: [1] }))
  const { code, stdout } = await run(['get', '/agent/calls?limit=3'], { fetch })
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: '{\n  "name": "a\ufffd2J",\n  "numbers": [\n    1\n  ]\n}\n',
  })
  expect((await run(['get', '/x', '--json'], { fetch })).stdout).toBe('{"name":"a\u009B2J","numbers":[1]}\n')
  const [first] = asked
  expect(first).toMatchObject({ url: 'https://vaani.example.com/agent/calls?limit=3', method: 'GET' })
  expect(first?.headers.get('authorization')).toBe('Bearer sk_test_key')
  expect(first?.headers.has('idempotency-key')).toBe(false)
})

test('post sends JSON from the command line, a file or standard input, with an idempotency key', async () => {
  const { fetch, asked } = answering(() => Response.json({}))
  const file = path.join(folder, 'body.json')
  await writeFile(file, '{"to":"file"}')
  await run(['post', '/agent/calls', '--data', '{"to":"line"}'], { fetch })
  await run(['post', '/agent/calls', '--data', `@${file}`, '--idempotency-key', 'mine'], { fetch })
  const { environment, stdin } = createEnvironment({ fetch })
  stdin.end('{"to":"input"}')
  await runCli(['post', '/agent/calls', '--data', '-'], environment)
  await run(['post', '/agent/calls/call_1/cancel'], { fetch })
  expect(asked.map(({ body, headers }) => [body, headers.get('content-type')])).toEqual([
    ['{"to":"line"}', 'application/json'],
    ['{"to":"file"}', 'application/json'],
    ['{"to":"input"}', 'application/json'],
    ['', null],
  ])
  const keys = asked.map(({ headers }) => headers.get('idempotency-key'))
  expect(keys).toEqual([
    expect.stringMatching(COMMAND_LINE_KEY),
    'mine',
    expect.stringMatching(COMMAND_LINE_KEY),
    expect.stringMatching(COMMAND_LINE_KEY),
  ])
})

test('data that is not JSON is rejected without being shown or sent', async () => {
  const { fetch, asked } = answering(() => Response.json({}))
  const { code, stderr } = await run(['post', '/agent/calls', '--data', '{"key":sk_secret}'], { fetch })
  expect({ code, stderr }).toEqual({ code: EXIT_CODES.usage, stderr: 'vaani: --data must be JSON\n' })
  expect(asked).toEqual([])
})

test.for([
  ['agent/calls', null],
  ['@evil.example', null],
  ['https://evil.example/', null],
  ['/a/../../up', null],
  ['//evil.example/x', 'https://vaani.example.com/api//evil.example/x'],
  ['/\\evil', 'https://vaani.example.com/api//evil'],
] as const)('the key stays with the service: %j', async ([typed, sentTo]) => {
  const { fetch, asked } = answering(() => Response.json({}))
  const variables = { VAANI_API_KEY: 'sk_test_key', VAANI_BASE_URL: 'https://vaani.example.com/api' }
  const { code } = await run(['get', typed], { fetch, variables })
  expect(code).toBe(sentTo === null ? EXIT_CODES.usage : EXIT_CODES.ok)
  expect(asked.map(({ url }) => url)).toEqual(sentTo === null ? [] : [sentTo])
})

test('a redirect is reported and not followed', async () => {
  const { fetch, asked } = answering(
    () => new Response(null, { status: 302, headers: { location: '/docs' } }),
  )
  const { code, stderr } = await run(['get', '/'], { fetch })
  expect({ code, stderr }).toEqual({
    code: EXIT_CODES.unexpected,
    stderr: 'vaani: GET /: 302, to /docs\n',
  })
  expect(asked).toMatchObject([{ redirect: 'manual' }])
})

test('an error of the service ends with the exit code of its family and its message', async () => {
  const error = {
    code: 'invalid_request',
    message: 'agent_id: is not an agent of this account',
    param: 'agent_id',
    request_id: 'req_1',
    details: [{ param: 'agent_id', message: 'is \u001B[31mwrong' }],
  }
  const { fetch } = answering(() => Response.json({ error }, { status: 400 }))
  const told = await run(['post', '/agent/calls'], { fetch })
  expect(told).toMatchObject({
    code: EXIT_CODES.rejected,
    stdout: '',
    stderr:
      'vaani: POST /agent/calls: 400 invalid_request: agent_id: is not an agent of this account\n' +
      '  agent_id: is \ufffd[31mwrong\n',
  })
  const { stderr } = await run(['post', '/agent/calls', '--json'], { fetch })
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'invalid_request',
    exit_code: 5,
    request_id: 'req_1',
    param: 'agent_id',
    idempotency_key: expect.stringMatching(COMMAND_LINE_KEY),
  })
})

test('an error that is not from the service is named by its status', async () => {
  const { fetch } = answering(() => new Response('<h1>Bad gateway</h1>', { status: 502 }))
  expect(await run(['get', '/readyz'], { fetch })).toMatchObject({
    code: EXIT_CODES.unavailable,
    stderr: 'vaani: GET /readyz: 502 unrecognized\n',
  })
})

test('a request without a response reports its idempotency key, with which it can be resumed', async () => {
  const fetch: Fetch = async () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) })
  }
  const { code, stderr } = await run(['post', '/agent/calls', '--json'], { fetch })
  expect(code).toBe(EXIT_CODES.unavailable)
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'connection_failed',
    message: 'POST /agent/calls: no complete response (ECONNREFUSED)',
    idempotency_key: expect.stringMatching(COMMAND_LINE_KEY),
  })
})

test('a request has a time limit', async () => {
  const fetch: Fetch = (_url, { signal }) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  const { code, stderr } = await run(['get', '/readyz', '--timeout', '0.01', '--json'], { fetch })
  expect(code).toBe(EXIT_CODES.pending)
  expect(JSON.parse(stderr).error).toMatchObject({ code: 'timed_out' })
})

test('a response that breaks off is reported like a missing one, and leaves no file', async () => {
  const broken = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(3))
        controller.error(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
      },
    })
  const { fetch } = answering(() => new Response(broken()))
  expect(await run(['get', '/x', '--out', path.join(folder, 'call.wav')], { fetch })).toMatchObject({
    code: EXIT_CODES.unavailable,
    stderr: 'vaani: GET /x: no complete response (ECONNRESET)\n',
  })
  expect(await readdir(folder)).toEqual([])
})

test('a response that is not JSON goes to a file or a pipe, never to a terminal', async () => {
  const bytes = Buffer.from([0x1b, 0x5b, 0xff])
  const { fetch } = answering(() => new Response(bytes, { headers: { 'content-type': 'audio/wav' } }))
  const out = path.join(folder, 'call.wav')
  expect(await run(['get', '/x', '--out', out], { fetch })).toMatchObject({ code: 0 })
  expect(await readFile(out)).toEqual(bytes)
  expect(await readdir(folder)).toEqual(['call.wav'])
  const piped = createEnvironment({ fetch })
  expect(await runCli(['get', '/x'], piped.environment)).toBe(0)
  expect(piped.environment.stdout.isTTY).toBeUndefined()
  const terminal = createEnvironment({ fetch })
  Object.assign(terminal.environment.stdout, { isTTY: true })
  expect(await runCli(['get', '/x'], terminal.environment)).toBe(EXIT_CODES.usage)
  expect(terminal.stdout()).toBe('')
})

test('a response without a body prints nothing', async () => {
  const { fetch } = answering(() => new Response(null, { status: 204 }))
  expect(await run(['get', '/x', '--json'], { fetch })).toEqual({ code: 0, stdout: '', stderr: '' })
})
