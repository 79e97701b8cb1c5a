import { setImmediate as turn } from 'node:timers/promises'
import type { Fetch } from '@vaani/client'
import { expect, test } from 'vitest'
import { EXIT_CODES } from './failure/exit-codes.ts'
import { createEnvironment, createFastClock, run } from './test/run.ts'
import { runCli } from './run-cli.ts'

const call = (status: string) => ({
  call_id: 'call_1',
  status,
  to: '+977980',
  metadata: { 'a\u001B[2J': 'b\u0007' },
})
const refuse =
  (status: number, error: object): Fetch =>
  async () =>
    Response.json({ error }, { status })

test('prints a resource aligned, without control characters', async () => {
  const { stdout } = await run(['call', 'get', 'call_1'], {
    fetch: async () => Response.json(call('queued')),
  })
  expect(stdout.split('\n')).toEqual([
    'call_id         call_1',
    'status          queued',
    'to              +977980',
    'metadata.a\ufffd[2J  b\ufffd',
    '',
  ])
})

test('prints pages as one table, and reads no unneeded page', async () => {
  const urls: string[] = []
  const fetch: Fetch = async (url) => {
    urls.push(url)
    return Response.json({ data: [call('queued'), call('failed')], has_more: true, next_cursor: 'next' })
  }
  const { stdout } = await run(['call', 'list', '--limit', '3', '--json'], { fetch })
  expect(stdout.trimEnd().split('\n')).toHaveLength(3)
  expect(urls).toEqual([
    'https://vaani.example.com/agent/calls?limit=3',
    'https://vaani.example.com/agent/calls?limit=3&cursor=next',
  ])
})

test.for([
  ['unauthorized', 401, 3],
  ['call_not_found', 404, 4],
  ['invalid_request', 400, 5],
  ['state_conflict', 409, 6],
  ['a_code_of_tomorrow', 418, 1],
] as const)('ends with the code of the family of %s', async ([code, status, exitCode]) => {
  const details = [{ param: 'to', message: 'is \u001B[31mwrong' }]
  const fetch = refuse(status, { code, message: 'No', param: null, details })
  const told = await run(['call', 'cancel', 'call_1'], { fetch })
  expect(told).toMatchObject({ code: exitCode, stdout: '' })
  expect(told.stderr).toBe(`vaani: calls.cancel: ${status} ${code}: No\n  to: is \ufffd[31mwrong\n`)
  const json = await run(['call', 'cancel', 'call_1', '--json'], { fetch })
  expect(JSON.parse(json.stderr).error).toMatchObject({ code, exit_code: exitCode, details })
})

test('names the field if nothing else is known', async () => {
  const fetch = refuse(400, { code: 'invalid_request', message: 'No', param: 'agent_id' })
  const { stderr } = await run(['call', 'cancel', 'call_1'], { fetch })
  expect(stderr).toBe('vaani: calls.cancel: 400 invalid_request: No (agent_id)\n')
})

test('names a field once', async () => {
  const message = 'agent_id: is not an agent of this account'
  const fetch = refuse(400, { code: 'invalid_request', message, param: 'agent_id' })
  const { stderr } = await run(['call', 'cancel', 'call_1'], { fetch })
  expect(stderr).toBe(`vaani: calls.cancel: 400 invalid_request: ${message}\n`)
})

test('prints only the details that the message lacks', async () => {
  const details = [
    { param: 'to', message: 'is no phone number' },
    { param: 'agent_id', message: 'is too long' },
  ]
  const fetch = refuse(422, {
    code: 'invalid_phone',
    message: 'to: is no phone number',
    param: 'to',
    details,
  })
  const { stderr } = await run(['call', 'cancel', 'call_1'], { fetch })
  expect(stderr).toBe(
    'vaani: calls.cancel: 422 invalid_phone: to: is no phone number\n  agent_id: is too long\n',
  )
})

test('rejects URLs and idempotency keys that cannot be sent', async () => {
  const place = ['call', 'place', '+977980', '--agent', 'reminder', '--idempotency-key']
  for (const line of [
    [...place, ''],
    [...place, 'a\nb'],
    ['webhooks', 'listen', '--forward-to', 'http://sita:password@127.0.0.1:3000'],
  ]) {
    const { code, stderr } = await run(line)
    expect(code).toBe(EXIT_CODES.usage)
    expect(stderr).not.toContain('password')
  }
})

test('waits until a call has ended, through transient errors', async () => {
  const answers = [call('queued'), null, call('in-progress'), call('in-progress'), call('completed')]
  const fetch: Fetch = async () => {
    const answer = answers.shift()
    return answer
      ? Response.json(answer)
      : Response.json({ error: { code: 'internal_error' } }, { status: 500 })
  }
  const line = ['call', 'place', '+977980', '--agent', 'reminder', '--wait', '--json']
  const { code, stdout } = await run(line, { fetch, clock: createFastClock() })
  const statuses = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).status)
  expect({ code, statuses }).toEqual({ code: 0, statuses: ['queued', 'in-progress', 'completed'] })
})

test('gives up waiting after the time limit, and reports the resource', async () => {
  const line = ['call', 'place', '+977980', '--agent', 'reminder', '--wait', '--timeout', '60', '--json']
  const fetch = async () => Response.json(call('queued'))
  const { code, stderr } = await run(line, { fetch, clock: createFastClock() })
  expect(code).toBe(EXIT_CODES.pending)
  expect(JSON.parse(stderr).error).toMatchObject({ code: 'still_pending', id: 'call_1', status: 'queued' })
})

test('ends a wait at once if it is interrupted', async () => {
  const interruption = new AbortController()
  const { environment } = createEnvironment({
    signal: interruption.signal,
    // A stopped clock.
    clock: { nowMs: () => 0, after: () => () => undefined },
    fetch: async () => Response.json(call('queued')),
  })
  const code = runCli(['call', 'place', '+977980', '--agent', 'reminder', '--wait'], environment)
  await turn()
  interruption.abort()
  expect(await code).toBe(EXIT_CODES.interrupted)
})

test('reports the idempotency key of a request whose outcome is unknown, and resumes the request with it', async () => {
  const keys: (string | null)[] = []
  const fetch: Fetch = async (_url, { headers }) => {
    keys.push(new Headers(headers).get('idempotency-key'))
    throw new TypeError('reset')
  }
  const line = ['call', 'place', '+977980', '--agent', 'reminder', '--json']
  const clock = createFastClock()
  const { code, stderr } = await run(line, { fetch, clock })
  const { idempotency_key: key } = JSON.parse(stderr).error
  expect(code).toBe(EXIT_CODES.unavailable)
  await run([...line, '--idempotency-key', key], { fetch, clock })
  expect(new Set(keys)).toEqual(new Set([key]))
})

test('is silent if its reader is gone', async () => {
  const reason = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
  const fetch = async () => Response.json({ data: [], has_more: false, next_cursor: null })
  const ended = await run(['call', 'list'], { fetch, signal: AbortSignal.abort(reason) })
  expect(ended).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('names the variable that does not contain a key', async () => {
  const variables = { VAANI_API_KEY: 'sk_test_secret\r', VAANI_BASE_URL: 'https://vaani.example.com' }
  const { code, stderr } = await run(['call', 'list'], { variables })
  expect([code, stderr]).toEqual([EXIT_CODES.usage, expect.stringContaining('VAANI_API_KEY')])
  expect(stderr).not.toContain('secret')
})

test('shows help on demand, and if a command is missing', async () => {
  expect(await run(['call', '--help'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('recording'),
  })
  expect(await run(['call'])).toMatchObject({ code: 2, stderr: expect.stringContaining('recording') })
  expect(await run(['--version'])).toMatchObject({ code: 0 })
})

test('does not accept a key as an argument, and does not repeat it', async () => {
  const secret = 'sk_live_secret'
  for (const line of [
    ['login', '--api-key', secret],
    ['call', 'list', secret],
    ['--key', secret, 'call', 'list'],
  ]) {
    const { code, stdout, stderr } = await run(line)
    expect(code).toBe(EXIT_CODES.usage)
    expect(stdout + stderr).not.toContain(secret)
  }
})
