/** Runs `vaani` of `packages/cli` against the server, as a person would. */
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EXIT_CODES } from '@vaani/cli'
import {
  type ApiKey,
  type Call,
  type CallTurn,
  Vaani,
  type Verification,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '@vaani/client'
import type { WebhookEventType } from '@vaani/contracts'
import { decodeWav } from '@vaani/pcm-audio'
import { SIMULATOR_NUMBERS } from '@vaani/telephony-sip/simulator'
import { canRunAs } from '@vaani/test-services'
import { startReceiver } from '@vaani/test-harness'
import { createVerifier } from '@vaani/webhook-verifier'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ChatUpstream, startChatUpstream, writeUpstreams } from './support/chat-upstream.ts'
import { makePdf } from './support/documents.ts'
import { createCommandLine } from './support/command-line.ts'
import { startCli } from './support/cli-process.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'
import { specimenPath } from './support/specimen-path.ts'

const PHONE = '+9779812345678'

let upstream: ChatUpstream
let server: TestServer
let home: string
/** Environment with the API key; tests of `login` run without it. */
let variables: Record<string, string>
beforeAll(async () => {
  upstream = await startChatUpstream()
  const upstreams = { local: { base_url: upstream.baseUrl, models: ['chat-large'] } }
  const { settings, remove } = await writeUpstreams({ upstreams })
  server = await startTestServer({
    config: { ...settings, identityPolicy: 'document-only', callbackAllowCidrs: ['127.0.0.0/8'] },
  })
  await remove()
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await upstream?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'vaani-cli-'))
  variables = { VAANI_API_KEY: server.key, VAANI_BASE_URL: server.url, HOME: home }
})
afterEach(() => rm(home, { recursive: true, force: true }))

const { vaani, json } = createCommandLine(() => ({ variables, homeDirectory: home }))

describe('login', () => {
  test('stores a typed key for later commands in a file that only its owner can read', async () => {
    const typed = await vaani(['login'], {
      stdin: `${server.url}/\n${server.key}\n`,
      isTerminal: true,
      variables: {},
    })
    expect(typed).toMatchObject({ code: 0 })
    expect(typed.stdout + typed.stderr).not.toContain(server.key)
    const file = path.join(home, '.config/vaani/config.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(path.dirname(file))).toEqual(['config.json'])
    expect(await vaani(['call', 'list'], { variables: {} })).toMatchObject({ code: 0 })
    // The key must not be sent to another service.
    const elsewhere = await vaani(['call', 'list'], { variables: { VAANI_BASE_URL: 'http://127.0.0.1:1' } })
    expect(elsewhere.code).toBe(EXIT_CODES.access)
    expect(await vaani(['logout'], { variables: {} })).toMatchObject({ code: 0 })
    expect(await vaani(['call', 'list'], { variables: {} })).toMatchObject({ code: EXIT_CODES.access })
  })

  test('reads a key from a pipe, and stores no wrong key', async () => {
    const config = { XDG_CONFIG_HOME: path.join(home, 'xdg') }
    const login = ['login', '--key-stdin', '--base-url', server.url]
    const wrong = await vaani(login, { stdin: 'sk_test_0123456789abcdefghijklmnop\n', variables: config })
    expect(wrong.code).toBe(EXIT_CODES.access)
    expect(await readdir(home)).toEqual([])
    expect(await vaani(login, { stdin: `${server.key}\n`, variables: config })).toMatchObject({ code: 0 })
    expect(await readFile(path.join(home, 'xdg/vaani/config.json'), 'utf8')).toContain(server.url)
    const { key } = await server.createAccount({}, ['speech:write'])
    expect(await vaani(login, { stdin: key, variables: config })).toMatchObject({ code: 0 })
  })

  test('prompts only on a terminal', async () => {
    expect(await vaani(['login'], { stdin: server.key })).toMatchObject({ code: EXIT_CODES.usage })
  })
})

describe('speak', () => {
  test('writes a complete WAV file', async () => {
    const out = path.join(home, 'speech.wav')
    const request = ['speak', 'Good morning.', '--language', 'en-US', '--voice', 'atlas', '--emotion', 'warm']
    const [told] = await json<{ voice: string; duration_seconds: number }>(...request, '--out', out)
    const { format, samples } = decodeWav(await readFile(out))
    expect(format).toMatchObject({ sampleRateHz: 16_000, channels: 1 })
    expect(samples.length / 16_000).toBe(told?.duration_seconds)
    expect(told?.voice).toBe('atlas')
    expect(await readdir(home)).toEqual(['speech.wav'])
  })

  test('pipes text from standard input to WAV on standard output', async () => {
    const line = ['speak', '-', '--language', 'en-US', '--out', '-']
    const { code, bytes, stderr } = await vaani(line, { stdin: 'Good morning.\n' })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(decodeWav(bytes).samples.length).toBeGreaterThan(8000)
  })

  test('plays what it writes', async () => {
    const player = path.join(home, 'aplay')
    await writeFile(player, `#!/bin/sh\nexec /bin/cat > ${home}/played\n`)
    await chmod(player, 0o755)
    const line = ['speak', 'Good morning.', '--language', 'en-US', '--play', '--out', `${home}/speech.wav`]
    expect(await vaani(line, { variables: { ...variables, PATH: home } })).toMatchObject({ code: 0 })
    const wav = await readFile(path.join(home, 'speech.wav'))
    expect((await readFile(path.join(home, 'played'))).equals(wav.subarray(44))).toBe(true)
  })

  test('leaves no partial file behind on failure', async () => {
    const out = path.join(home, 'speech.wav')
    const { code, stderr } = await vaani(['speak', 'Hello', '--voice', 'nobody', '--out', out])
    expect({ code, stderr }).toEqual({
      code: EXIT_CODES.rejected,
      stderr: expect.stringContaining('voice_not_found'),
    })
    expect(await readdir(home)).toEqual([])
  })
})

describe('chat', () => {
  test('prints the answer, or its chunks as JSON', async () => {
    const question = 'Has the parcel arrived?'
    expect(await vaani(['chat', question])).toMatchObject({ code: 0, stdout: `${question}\n` })
    const line = ['chat', '-', '--model', 'chat-large', '--system', 'Be brief.', '--json']
    const { stdout } = await vaani(line, { stdin: question })
    const chunks = stdout
      .trimEnd()
      .split('\n')
      .map((chunk) => JSON.parse(chunk))
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(question)
    expect(upstream.requests.at(-1)?.body.messages[0]).toEqual({ role: 'system', content: 'Be brief.' })
  })

  test('reports an unknown model', async () => {
    expect(await vaani(['chat', 'Hello', '--model', 'nothing'])).toMatchObject({
      code: EXIT_CODES.not_found,
      stderr: expect.stringContaining('not_found'),
    })
  })
})

describe('watermark', () => {
  const synthesize = async (body: object) => {
    const text = 'Your appointment with the doctor has been moved to Thursday morning.'
    const response = await server.fetch('/v1/engine/synthesize', {
      body: { model: 'synth-v1', text, ...body },
    })
    return { id: response.headers.get('x-request-id'), file: Buffer.from(await response.arrayBuffer()) }
  }

  test('is found in a file and on standard input, with the request', async () => {
    const { id, file } = await synthesize({})
    const recording = path.join(home, 'speech.wav')
    await writeFile(recording, file)
    expect(await json('watermark', 'detect', recording)).toMatchObject([{ detected: true, request_id: id }])
    const piped = await vaani(['watermark', 'detect', '-'], { stdin: file })
    expect(piped).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`request_id               ${id}`),
    })
    const { key } = await server.createAccount()
    const other = await vaani(['watermark', 'detect', recording], {
      variables: { ...variables, VAANI_API_KEY: key },
    })
    expect(other).toMatchObject({ code: 0, stderr: expect.stringContaining('another account') })
  })

  test('that is not found, and a file that is not there, have exit codes of their own', async () => {
    const { file } = await synthesize({ text: 'Good morning.', enable_watermark: false })
    const none = await vaani(['watermark', 'detect', '-', '--json'], { stdin: file })
    expect(none.code).toBe(EXIT_CODES.unsuccessful)
    expect(JSON.parse(none.stdout)).toMatchObject({ detected: false, request_id: null })
    expect(JSON.parse(none.stderr)).toMatchObject({ error: { code: 'watermark_not_detected' } })
    const missing = await vaani(['watermark', 'detect', path.join(home, 'none.wav')])
    expect(missing.code).toBe(EXIT_CODES.usage)
    const text = await vaani(['watermark', 'detect', '-'], { stdin: 'no audio' })
    expect(text).toMatchObject({
      code: EXIT_CODES.rejected,
      stderr: expect.stringContaining('media_unreadable'),
    })
  })
})

describe('call', () => {
  const place = ['call', 'place', PHONE, '--agent', 'reminder', '--language', 'en-US']

  const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()

  test('is placed, awaited, read and listed, and its recording downloaded', async () => {
    const calls = await json<Call>(...place, '--metadata', 'name=Sita', 'clinic=Patan', '--wait')
    expect(calls[0]).toMatchObject({ status: 'queued', metadata: { name: 'Sita', clinic: 'Patan' } })
    expect(calls.at(-1)).toMatchObject({ status: 'completed' })
    const id = calls[0]?.call_id ?? ''
    expect(await json<Call>('call', 'get', id)).toEqual([calls.at(-1)])
    const listed = await vaani(['call', 'list', '--status', 'completed', '--limit', '1'])
    expect(listed.stdout.split('\n')).toEqual([
      expect.stringMatching(/^call_id +status +to /),
      expect.stringMatching(new RegExp(`^${id}  completed  \\${PHONE}  reminder  `)),
      '',
    ])
    const out = path.join(home, 'call.wav')
    expect(await vaani(['call', 'recording', id, '--out', out])).toMatchObject({ code: 0 })
    const { samples } = decodeWav(await readFile(out))
    expect(samples.some((sample) => Math.abs(sample) > 1000)).toBe(true)
    const transcript = await vaani(['call', 'transcript', id])
    expect(transcript.stdout).toMatch(/^seconds +speaker +cut_by +text\n[\d.]+ +agent +\S.*Sita/)
    expect(await json<CallTurn>('call', 'transcript', id)).toMatchObject([{ speaker: 'agent' }])
    expect(await vaani(['call', 'erase-recording', id])).toMatchObject({ code: 0 })
    expect(await vaani(['call', 'transcript', id])).toMatchObject({ code: EXIT_CODES.not_found })
    expect(await vaani(['call', 'recording', id, '--out', out])).toMatchObject({ code: EXIT_CODES.not_found })
    expect(await vaani(['call', 'cancel', id])).toMatchObject({ code: EXIT_CODES.conflict })
  })

  test('that is scheduled stays pending until it is canceled', async () => {
    const waited = await vaani([...place, '--at', tomorrow(), '--wait', '--timeout', '0.1', '--json'])
    expect(waited.code).toBe(EXIT_CODES.pending)
    const { error } = JSON.parse(waited.stderr)
    expect(error).toMatchObject({ code: 'still_pending', status: 'queued', exit_code: 9 })
    expect(await json<Call>('call', 'cancel', error.id)).toMatchObject([{ failure_reason: 'canceled' }])
  })

  test('that fails or is rejected exits with the code of its error family', async () => {
    const busy = await vaani([
      'call',
      'place',
      SIMULATOR_NUMBERS.busy.number,
      '--agent',
      'reminder',
      '--wait',
    ])
    expect(busy).toMatchObject({ code: EXIT_CODES.unsuccessful, stderr: 'vaani: the call failed: busy\n' })
    const refused = await vaani(['call', 'place', '12', '--agent', 'reminder', '--json'])
    expect(refused).toMatchObject({ code: EXIT_CODES.rejected, stdout: '' })
    expect(JSON.parse(refused.stderr).error).toMatchObject({
      code: 'invalid_phone',
      param: 'to',
      operation: 'calls.place',
      request_id: expect.stringMatching(/^req_/),
    })
  })

  test('stops waiting at once on Ctrl-C', async () => {
    const process = startCli([...place, '--at', tomorrow(), '--wait'], variables)
    await until(
      async () => process.stdout(),
      (text) => text.includes('queued'),
    )
    process.interrupt()
    expect(await process.exit).toBe(EXIT_CODES.interrupted)
  })
})

describe('kyc', () => {
  test('is submitted with progress on a terminal, decided and read', async () => {
    const video = specimenPath('liveness.mp4')
    const submit = [
      'kyc',
      'submit',
      '--front',
      specimenPath('passport.jpg'),
      '--video',
      video,
      '--external-id',
      'cli-1',
    ]
    const submitted = await vaani([...submit, '--wait'], { isTerminal: true })
    expect(submitted).toMatchObject({ code: 0, stdout: expect.stringContaining('approved') })
    expect(submitted.stderr).toContain('] 100 % of ')
    const id = /ver_\w+/.exec(submitted.stdout)?.[0] ?? ''
    const [read] = await json<Verification>('kyc', 'status', id, '--extracted')
    expect(read).toMatchObject({ status: 'approved', external_id: 'cli-1', extracted: expect.anything() })
    expect(await json<Verification>('kyc', 'wait', id)).toMatchObject([{ status: 'approved' }])
    const lines = await json<Verification>(...submit.slice(0, -1), 'test_approved', '--wait')
    expect(lines.map(({ status }) => status)).toEqual(['pending', 'approved'])
    const left = await vaani([...submit.slice(0, -1), 'test_review_glare', '--wait', '--json'])
    expect(left.code).toBe(EXIT_CODES.review)
    const statuses = left.stdout.trimEnd().split('\n')
    expect(statuses.map((line) => JSON.parse(line).status)).toEqual(['pending', 'review'])
    const missing = await vaani(['kyc', 'submit', '--front', 'nowhere.jpg', '--video', video])
    expect(missing).toMatchObject({ code: EXIT_CODES.usage, stderr: expect.stringContaining('ENOENT') })
    const unreadable = await vaani(['kyc', 'submit', '--front', video, '--video', video])
    expect(unreadable.code).toBe(EXIT_CODES.rejected)
  })
})

describe('webhooks', () => {
  test('are triggered, received, verified, forwarded with a new signature, and resent', async () => {
    await using program = await startReceiver()
    const listen = ['webhooks', 'listen', '--forward-to', `${program.url}/hooks`, '--port', '0', '--json']
    const process = startCli([...listen, '--event', 'call.completed', 'call.queued'], variables)
    const lines = () =>
      process
        .stdout()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
    const [listening] = await until(
      async () => lines(),
      (found) => found.length > 0,
    )
    const [sent] = await json<WebhookDelivery>('webhooks', 'trigger', 'call.completed')
    expect(sent?.endpoint_id).toBe(listening.endpoint_id)
    const [, told] = await until(
      async () => lines(),
      (found) => found.length > 1,
    )
    expect(told).toMatchObject({ type: 'delivery', event_id: sent?.event_id, status: 204, error: null })

    const [delivery] = program.deliveries
    const verifier = createVerifier({ secrets: listening.secret })
    const verified = await verifier.verify(delivery?.body, delivery?.headers ?? {})
    expect(verified).toMatchObject({ ok: true, id: sent?.event_id })

    const id = sent?.delivery_id ?? ''
    await until(
      () => json<WebhookDelivery>('webhooks', 'deliveries', '--status', 'delivered'),
      (deliveries) => deliveries.some(({ delivery_id }) => delivery_id === id),
    )
    program.answer(() => 500)
    await json('webhooks', 'resend', id)
    const [, , again] = await until(
      async () => lines(),
      (found) => found.length > 2,
    )
    expect(again).toMatchObject({ event_id: sent?.event_id, status: 500 })
    expect(program.deliveries[1]?.body.equals(delivery?.body ?? Buffer.of())).toBe(true)

    process.interrupt()
    expect(await process.exit).toBe(0)
    expect(await vaani(['webhooks', 'trigger', 'call.completed'])).toMatchObject({ code: EXIT_CODES.usage })
  })

  /** Starts `vaani webhooks listen` and parses the lines of JSON that it prints. */
  function startListening(...options: readonly string[]) {
    const process = startCli(['webhooks', 'listen', ...options, '--json'], variables)
    const lines = () =>
      process
        .stdout()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
    return {
      process,
      line: (at: number) =>
        until(
          async () => lines()[at],
          (line) => line !== undefined,
        ),
    }
  }
  const endpoints = () => json<WebhookEndpoint>('endpoints', 'list')

  test('are printed in full, through an endpoint that is deleted at the end', async () => {
    const { process, line } = startListening('--port', '0', '--event', 'call.failed')
    const { endpoint_id, secret } = await line(0)
    expect(secret).toBeUndefined()
    expect(await endpoints()).toMatchObject([{ endpoint_id, events: ['call.failed'] }])
    const [sent] = await json<WebhookDelivery>('webhooks', 'trigger', 'call.failed')
    expect(await line(1)).toMatchObject({
      type: 'event',
      event_type: 'call.failed',
      event: { event_id: sent?.event_id, type: 'call.failed', data: { status: 'failed' } },
    })
    process.interrupt()
    expect(await process.exit).toBe(0)
    expect(await endpoints()).toEqual([])
  })

  test('are signed with the secret of the previous run, even if that run was killed', async () => {
    await using program = await startReceiver()
    // Find a port that was free a moment ago.
    const other = await startReceiver()
    const { port } = new URL(other.url)
    await other[Symbol.asyncDispose]()
    const first = startListening('--forward-to', program.url, '--port', port)
    const started = await first.line(0)
    expect(started.secret).toMatch(/^whsec_/)
    first.process.kill()
    await first.process.exit
    expect(await endpoints()).toMatchObject([{ endpoint_id: started.endpoint_id, enabled: true }])
    const second = startListening('--forward-to', program.url, '--port', port)
    expect(await second.line(0)).toEqual(started)
    program.trust(started.secret)
    await json('webhooks', 'trigger', 'call.completed')
    await program.waitFor('call.completed')
    expect(program.deliveries.map(({ signature }) => signature)).toEqual(['genuine'])
    second.process.interrupt()
    expect(await second.process.exit).toBe(0)
    expect(await endpoints()).toEqual([])
    const kept = path.join(home, '.config/vaani/listen-secret')
    expect((await stat(kept)).mode & 0o777).toBe(0o600)
  })

  test('without a valid signature are not forwarded', async () => {
    await using program = await startReceiver()
    const other = await startReceiver()
    const { port } = new URL(other.url)
    await other[Symbol.asyncDispose]()
    const secret = 'a secret of my own'
    const listen = ['webhooks', 'listen', '--forward-to', program.url, '--port', port]
    const process = startCli(listen, { ...variables, VAANI_WEBHOOK_SECRET: secret })
    await until(
      async () => process.stdout(),
      (text) => text.includes('Listening as '),
    )
    const forged = await fetch(`http://127.0.0.1:${port}/vaani-listen`, { method: 'POST', body: '{}' })
    expect(forged.status).toBe(400)
    await until(
      async () => process.stdout(),
      (text) => text.includes('refused: missing_signature'),
    )
    process.interrupt()
    expect(await process.exit).toBe(0)
    expect(process.stdout() + (await process.stderr)).not.toContain(secret)
    expect(program.deliveries).toEqual([])
    await expect(stat(path.join(home, '.config'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('are polled from a service that cannot reach this machine, each event once', async () => {
    await using closed = await startTestServer()
    await using program = await startReceiver()
    const { webhooks } = new Vaani({ apiKey: closed.key, baseUrl: closed.url })
    const endpoints = await Promise.all(
      ['first', 'second'].map((name) =>
        webhooks.createEndpoint({ url: `https://${name}.invalid/hooks`, events: ['call.queued'] }),
      ),
    )
    const testEvent = (index: number, type: WebhookEventType) =>
      webhooks.sendTestEvent(endpoints[index]?.endpoint_id ?? '', { type })
    await testEvent(0, 'call.queued')

    const secret = 'whsec_c2l4dGVlbiBieXRlcyBvciBtb3Jl'
    program.trust(secret)
    const elsewhere = { ...variables, VAANI_API_KEY: closed.key, VAANI_BASE_URL: closed.url }
    const process = startCli(
      [
        'webhooks',
        'listen',
        '--forward-to',
        program.url,
        '--port',
        '0',
        '--event',
        'call.queued',
        'call.failed',
      ],
      { ...elsewhere, VAANI_WEBHOOK_SECRET: secret },
    )
    await until(
      async () => process.stdout(),
      (text) => text.includes('reading its deliveries'),
    )
    await closed.json('/agent/calls', { body: { to: PHONE, agent_id: 'reminder' } })
    await testEvent(1, 'call.completed')
    const failed = await testEvent(1, 'call.failed')
    await program.waitFor('call.failed')
    await webhooks.resend(failed.delivery_id)
    await testEvent(0, 'call.failed')
    await program.waitFor(() => program.deliveries.length === 3)
    process.interrupt()
    expect(await process.exit).toBe(0)
    expect(program.deliveries.map(({ event, signature }) => [event.type, signature])).toEqual([
      ['call.queued', 'genuine'],
      ['call.failed', 'genuine'],
      ['call.failed', 'genuine'],
    ])
  })
})

test('keys are created, shown once, listed without their secret, and revoked', async () => {
  const [key] = await json<ApiKey & { key: string }>(
    'keys',
    'create',
    '--name',
    'reader',
    '--scope',
    'calls:read',
  )
  const reader = { ...variables, VAANI_API_KEY: key?.key ?? '' }
  const id = key?.key_id ?? ''
  expect(await vaani(['call', 'list'], { variables: reader })).toMatchObject({ code: 0 })
  expect(await vaani(['keys', 'list'], { variables: reader })).toMatchObject({ code: EXIT_CODES.access })
  const listed = await vaani(['keys', 'list'])
  expect(listed.stdout).toContain(id)
  expect(listed.stdout).not.toContain(key?.key)
  expect(await json<ApiKey>('keys', 'revoke', id)).toMatchObject([{ key_id: id }])
  expect(await vaani(['call', 'list'], { variables: reader })).toMatchObject({ code: EXIT_CODES.access })
})

const UNKNOWN_ID = 12_345
test.skipIf(!canRunAs(UNKNOWN_ID))(
  'a container user without a name or home directory can run commands',
  async () => {
    const nobodyKnown = { uid: UNKNOWN_ID }
    const { VAANI_API_KEY = '', VAANI_BASE_URL = '' } = variables
    const listed = startCli(['agents'], { VAANI_API_KEY, VAANI_BASE_URL }, nobodyKnown)
    expect([await listed.exit, await listed.stderr]).toEqual([0, ''])
    const without = startCli(['agents'], {}, nobodyKnown)
    expect([await without.exit, await without.stderr]).toEqual([3, expect.stringContaining('vaani login')])
  },
)

test('agents are listed', async () => {
  expect(await json('agents')).toContainEqual(expect.objectContaining({ agent_id: 'reminder' }))
})

test('output is coloured only on terminals, unless colours are turned off', async () => {
  await json('call', 'place', PHONE, '--agent', 'reminder')
  const colour = '\u001B['
  expect((await vaani(['call', 'list'])).stdout).not.toContain(colour)
  expect((await vaani(['call', 'list'], { isTerminal: true })).stdout).toContain(colour)
  const quiet = { ...variables, NO_COLOR: '1' }
  expect((await vaani(['call', 'list'], { isTerminal: true, variables: quiet })).stdout).not.toContain(colour)
})

test('a missing object, an unreachable server and a misspelt command each have their own exit code', async () => {
  expect(await vaani(['call', 'get', 'call_00000000000000000000000000'])).toMatchObject({
    code: EXIT_CODES.not_found,
    stdout: '',
    stderr: expect.stringContaining('call_not_found'),
  })
  const unreachable = { ...variables, VAANI_BASE_URL: 'http://127.0.0.1:1' }
  const down = await vaani(['call', 'list'], { variables: unreachable })
  expect(down.code).toBe(EXIT_CODES.unavailable)
  expect((await vaani(['call', 'lst'])).stderr).toContain('Did you mean list?')
  expect(await vaani(['call', 'get', '../keys'])).toMatchObject({ code: EXIT_CODES.usage })
  expect(await vaani(['speak', 'Hello'])).toMatchObject({ code: EXIT_CODES.usage })
})

test('ocr prints the text of a document, or everything as JSON', async () => {
  const document = makePdf([{ text: 'Please bring the letter' }])
  expect(await vaani(['ocr', '-'], { stdin: document })).toMatchObject({
    code: 0,
    stdout: 'Please bring the letter\n',
  })
  const file = path.join(home, 'letter.pdf')
  await writeFile(file, document)
  expect(await json('ocr', file, '--language', 'ne+en')).toMatchObject([
    { text: 'Please bring the letter', language: 'ne+en', pages: [{ source: 'text_layer' }] },
  ])
  expect(await vaani(['ocr', '-', '--language', 'eo'], { stdin: document })).toMatchObject({
    code: EXIT_CODES.rejected,
    stderr: expect.stringContaining('language'),
  })
})
