/** Runs `vaani` of `packages/cli` against the server: commands that manage an account, and raw requests. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, symlink, writeFile, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { EXIT_CODES } from '@vaani/cli'
import type {
  Agent,
  Batch,
  Call,
  CallerId,
  StartedCallerId,
  LexiconList,
  Verification,
  Voice,
  WebhookEndpoint,
  WebhookSecret,
} from '@vaani/client'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createCommandLine } from './support/command-line.ts'
import { PROCESS_ENVIRONMENT } from './support/process-environment.ts'
import { recordSpeaker } from './support/recordings.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'
import { specimenPath } from './support/specimen-path.ts'

let server: TestServer
let home: string
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.[Symbol.asyncDispose]())
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'vaani-cli-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const variables = () => ({ VAANI_API_KEY: server.key, VAANI_BASE_URL: server.url, HOME: home })
const { vaani, json } = createCommandLine(() => ({ variables: variables(), homeDirectory: home }))

test('an endpoint is created, listed and changed, its secret rotated, and deleted', async () => {
  const url = 'https://example.com/hooks'
  const create = ['endpoints', 'create', url, '--event', 'call.completed']
  const [created] = await json<WebhookEndpoint & WebhookSecret>(...create)
  expect(created).toMatchObject({ url, events: ['call.completed'], secret: expect.any(String) })
  const id = created?.endpoint_id ?? ''
  const read = () => json<WebhookEndpoint>('endpoints', 'get', id)
  const { stdout: listed } = await vaani(['endpoints', 'list'])
  expect(listed).toMatch(new RegExp(`${id} +enabled +${url} +call\\.completed\\n`))
  await json(
    'endpoints',
    'update',
    id,
    '--url',
    `${url}/2`,
    '--event',
    'call.failed',
    'call.queued',
    '--disable',
  )
  expect(await read()).toMatchObject([
    { url: `${url}/2`, enabled: false, events: ['call.failed', 'call.queued'] },
  ])
  await json('endpoints', 'update', id, '--enable')
  expect(await read()).toMatchObject([{ url: `${url}/2`, enabled: true }])
  expect(await vaani(['endpoints', 'update', id])).toMatchObject({ code: EXIT_CODES.usage })
  expect(await vaani(['endpoints', 'update', id, '--enable', '--disable'])).toMatchObject({
    code: EXIT_CODES.usage,
  })
  const rotate = ['endpoints', 'rotate', id, '--overlap', '1', '--sign-with', 'previous']
  const [rotated] = await json<WebhookSecret>(...rotate)
  expect(rotated?.secret).not.toBe(created?.secret)
  expect(rotated?.previous_secret_until).not.toBeNull()
  expect((await vaani(['endpoints', 'get', id])).stdout).not.toContain(rotated?.secret)
  expect(await json('endpoints', 'delete', id)).toEqual([{ endpoint_id: id, deleted: true }])
  expect(await vaani(['endpoints', 'get', id])).toMatchObject({ code: EXIT_CODES.not_found })
})

test('an agent is created, replaced and listed', async () => {
  const put = ['agents', 'put', 'clinic', '--name', 'Clinic', '--language', 'en-US', '--voice', 'nova']
  await json('agents', 'put', ...put.slice(2), '--greeting', 'Hello {{name}}.', '--translation', 'ne-NP=नमस्ते')
  const clinic = async () => (await json<Agent>('agents')).find(({ agent_id }) => agent_id === 'clinic')
  expect(await clinic()).toMatchObject({ greeting: 'Hello {{name}}.', translations: { 'ne-NP': 'नमस्ते' } })
  await json(...put, '--greeting', 'Good morning.')
  expect(await clinic()).toMatchObject({ greeting: 'Good morning.', translations: {} })
  expect(await json<Agent>('agents', 'list')).toEqual(await json<Agent>('agents'))
  const voiceless = [
    'agents',
    'put',
    'clinic',
    '--name',
    'Clinic',
    '--language',
    'en-US',
    '--voice',
    'nobody',
  ]
  expect(await vaani([...voiceless, '--greeting', 'Hello'])).toMatchObject({ code: EXIT_CODES.rejected })
})

test('a batch file of OpenAI names its endpoint, and another needs an option', async () => {
  const file = path.join(home, 'batch.jsonl')
  const line = (custom_id: string, more: object = {}) =>
    JSON.stringify({
      custom_id,
      ...more,
      body: { model: 'vaani-echo', messages: [{ role: 'user', content: 'hi' }] },
    })
  const own = { method: 'POST', url: '/v1/chat/completions' }
  await writeFile(file, `${line('one', own)}\n${line('two', own)}\n`)
  const [sent] = await json<Batch>('batch', 'create', file)
  expect(sent).toMatchObject({ endpoint: '/v1/chat/completions', counts: { total: 2 } })
  await writeFile(file, line('one'))
  const create = ['batch', 'create', file]
  expect(await vaani(create)).toMatchObject({
    code: EXIT_CODES.usage,
    stderr: expect.stringContaining('--endpoint is missing'),
  })
  expect(await json<Batch>(...create, '--endpoint', own.url)).toMatchObject([{ endpoint: own.url }])
})

test('a lexicon is set from a file, shown, listed and deleted', async () => {
  const file = path.join(home, 'lexicon.json')
  const entries = [{ term: 'KYC', spoken_as: 'know your customer' }]
  await writeFile(file, JSON.stringify(entries))
  const [saved] = await json<LexiconList['data'][number]>('lexicon', 'set', 'en-US', file)
  expect(saved).toMatchObject({ language: 'en-US', entry_count: 1 })
  expect(await json('lexicon')).toEqual([saved])
  expect((await vaani(['lexicon', 'get', 'en-US'])).stdout).toMatch(/KYC +know your customer\n/)
  const { stdout } = await vaani(['lexicon', 'get', 'en-US', '--json'])
  await writeFile(file, stdout.replace('know your', 'knows the'))
  await json('lexicon', 'set', 'en-US', file)
  // What was printed is of an older version now.
  await writeFile(file, stdout.replace('know your', 'knew the'))
  expect(await vaani(['lexicon', 'set', 'en-US', file])).toMatchObject({ code: EXIT_CODES.conflict })
  expect(await json('lexicon', 'delete', 'en-US')).toEqual([{ language: 'en-US', deleted: true }])
  expect(await vaani(['lexicon', 'get', 'en-US'])).toMatchObject({ code: EXIT_CODES.not_found })
  expect(await vaani(['lexicon', 'get', '../keys'])).toMatchObject({ code: EXIT_CODES.usage })
  await writeFile(file, 'KYC')
  expect(await vaani(['lexicon', 'set', 'en-US', file])).toMatchObject({ code: EXIT_CODES.usage })
})

test('a deployment is created with a private manifest, shown, listed and revoked', async () => {
  const { key } = await server.createAccount({ tier: 'enterprise' })
  const deployer = createCommandLine(() => ({
    variables: { ...variables(), VAANI_API_KEY: key },
    homeDirectory: home,
  }))
  const run = (...args: string[]) => deployer.vaani(['deploy', ...args])
  const file = path.join(home, 'compose.yaml')
  const options = ['--model', 'synth-l1', '--also', 'stream-tts', '--seats', '2', '--days', '30']
  const { stdout } = await run('create', 'speech', ...options, '--out', file, '--json')
  const { license, ...created }: Record<string, string> = JSON.parse(stdout)
  expect(created).toMatchObject({ seats: 2, models: ['synth-l1', 'stream-tts'], target: 'docker' })
  expect(created).not.toHaveProperty('manifest')
  expect(await readFile(file, 'utf8')).toContain(license)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const id = created['deployment_id'] ?? ''
  const replace = await run('create', 'other', '--model', 'synth-l1', '--out', file)
  expect(replace).toMatchObject({ code: EXIT_CODES.usage, stderr: expect.stringContaining('exists') })
  expect(await readFile(file, 'utf8')).toContain(license)
  expect((await run('list')).stdout).not.toContain('other')
  expect(JSON.parse((await run('retrieve', id, '--json')).stdout)).toEqual(created)
  expect((await run('list')).stdout).toMatch(new RegExp(`${id} +speech +ready +docker`))
  expect((await run('revoke', id)).stdout).toContain('revoked')
  expect(await vaani(['deploy', 'create', 'speech', '--model', 'synth-l1'])).toMatchObject({
    code: EXIT_CODES.access,
  })
})

test('a caller id is added, listed and deleted', async () => {
  const [added] = await json<CallerId>('caller-ids', 'add', '+9779812345678')
  const id = added?.caller_id_id ?? ''
  expect((await vaani(['caller-ids', 'list'])).stdout).toMatch(new RegExp(`${id} +\\+9779812345678`))
  expect(await json('caller-ids', 'delete', id)).toEqual([{ caller_id_id: id, deleted: true }])
  expect(await json('caller-ids', 'list')).toEqual([])
  expect(await vaani(['caller-ids', 'add', '12'])).toMatchObject({ code: EXIT_CODES.rejected })
})

test('a caller id is verified by a code', async () => {
  const [started] = await json<StartedCallerId>(
    'caller-ids',
    'verify',
    '+9779812345677',
    '--language',
    'ne-NP',
  )
  const { caller_id_id: id = '', test_code: code = '' } = started ?? {}
  expect((await vaani(['caller-ids', 'list'])).stdout).toMatch(
    new RegExp(`${id} +\\+9779812345677 +pending +call`),
  )
  expect(await json('caller-ids', 'confirm', id, code)).toMatchObject([
    { caller_id_id: id, status: 'verified' },
  ])
  expect(await vaani(['caller-ids', 'confirm', id, code])).toMatchObject({ code: EXIT_CODES.conflict })
  await json('caller-ids', 'delete', id)
})

test('a voice is cloned with consent, heard, listed and deleted', async () => {
  const file = path.join(home, 'sita.wav')
  await writeFile(file, await recordSpeaker('woman'))
  const clone = ['voices', 'clone', file, '--name', 'Sita']
  expect(await vaani(clone)).toMatchObject({ code: EXIT_CODES.usage })
  const [voice] = await json<Voice>(...clone, '--consent', '--language', 'en-US')
  const id = voice?.voice_id ?? ''
  expect(voice).toMatchObject({ name: 'Sita', language: 'en-US', kind: 'parametric', status: 'ready' })
  const out = path.join(home, 'spoken.wav')
  expect(await vaani(['speak', 'Good morning.', '--voice', id, '--out', out])).toMatchObject({ code: 0 })
  expect(await json('voices', 'list')).toMatchObject([{ voice_id: id }])
  expect(await json('voices', 'delete', id)).toEqual([{ voice_id: id, deleted: true }])
  expect(await json('voices', 'list')).toEqual([])
})

test('a verification in review is found and decided, and its person erased', async () => {
  const media = ['--front', specimenPath('passport.jpg'), '--video', specimenPath('liveness.mp4')]
  const submit = ['kyc', 'submit', ...media, '--external-id', 'test_review_glare']
  const [submitted] = await json<Verification>(...submit)
  const id = submitted?.verification_id ?? ''
  const list = ['kyc', 'list', '--status', 'review', '--external-id', 'test_review_glare']
  const [found] = await until(
    () => json<Verification>(...list),
    (verifications) => verifications.length > 0,
  )
  expect(found?.verification_id).toBe(id)
  const { stdout: queue } = await vaani(['kyc', 'queue'])
  expect(queue).toMatch(new RegExp(`${id} .*0 of 1 +image_glare`))
  // By name, as other tests may leave reviews as well.
  expect(await json('kyc', 'claim', id, '--reviewer', 'staff-7')).toMatchObject([
    { verification: { verification_id: id }, claim: { reviewer: 'staff-7' } },
  ])
  expect((await vaani(['kyc', 'release', id, '--reviewer', 'staff-7'])).stdout).toMatch(
    /document_quality warning: image_glare/,
  )
  expect((await vaani(['kyc', 'claim'])).code).toBe(0)
  expect(await json('kyc', 'note', id, 'Asked for a picture.')).toMatchObject([{ type: 'note' }])
  const frames = path.join(home, 'frames')
  const [saved] = await json<{ frames: number }>('kyc', 'frames', id, '--out', frames)
  expect((await readdir(frames)).slice(0, 2)).toEqual(['00000.jpg', '00500.jpg'])
  expect(await readdir(frames)).toHaveLength(saved?.frames ?? 0)
  const picture = path.join(home, 'front.jpg')
  const look = ['kyc', 'look', id, 'front_image', '--out', picture, '--reviewer', 'staff-7']
  expect(await json(...look)).toEqual([
    { verification_id: id, artifact: 'front_image', out: picture, bytes: (await stat(picture)).size },
  ])
  expect(await vaani(['kyc', 'review', id, 'review'])).toMatchObject({ code: EXIT_CODES.usage })
  const why = ['--reason', 'document_unreadable', '--note', 'Glare.']
  const [decided] = await json<Verification>('kyc', 'review', id, 'declined', ...why)
  expect(decided).toMatchObject({
    verification_id: id,
    status: 'declined',
    resubmit: true,
    reasons: [{ code: 'document_unreadable' }],
  })
  const history = await vaani(['kyc', 'history', id])
  expect(history.stdout).toMatch(/vote declined +document_unreadable +Glare\./)
  expect(history.stdout).toMatch(/staff-7 +look front_image/)
  expect(await json('kyc', 'subject', 'test_review_glare')).toMatchObject([{ verification_id: id }])
  expect(await json(...list)).toEqual([])
  expect(await vaani(['kyc', 'review', id, 'approved'])).toMatchObject({ code: EXIT_CODES.conflict })
  const person = ['--external-id', 'test_review_glare']
  expect(await json('kyc', 'list', ...person)).toHaveLength(1)
  expect(await json('kyc', 'erase', 'test_review_glare')).toEqual([
    { external_id: 'test_review_glare', person: 'erased' },
  ])
  expect(await json('kyc', 'list', ...person)).toEqual([])
})

test('raw requests send the key, and print responses and errors of any route', async () => {
  const data = JSON.stringify({ to: '+9779812345678', agent_id: 'reminder' })
  const [placed] = await json<Call>('post', '/agent/calls', '--data', data, '--idempotency-key', 'raw-1')
  const [again] = await json<Call>('post', '/agent/calls', '--data', data, '--idempotency-key', 'raw-1')
  expect(again?.call_id).toBe(placed?.call_id)
  expect((await vaani(['get', `/agent/calls/${placed?.call_id}`])).stdout).toContain('\n  "status": ')
  const missing = await vaani(['get', '/agent/calls/call_00000000000000000000000000', '--json'])
  expect(missing.code).toBe(EXIT_CODES.not_found)
  expect(JSON.parse(missing.stderr).error).toMatchObject({
    code: 'call_not_found',
    request_id: expect.stringMatching(/^req_/),
  })
  const refused = await vaani(['post', '/agent/calls', '--data', '{"agent_id":"reminder"}'])
  expect(refused.code).toBe(EXIT_CODES.rejected)
  expect(refused.stderr.match(/\bto: /g)).toHaveLength(1)
  const out = path.join(home, 'reference.html')
  const { stdout: address } = await vaani(['open', 'docs'])
  expect(address).toBe(`${server.url}/docs\n`)
  expect(await vaani(['get', new URL(address).pathname, '--out', out])).toMatchObject({ code: 0 })
  expect(await readFile(out, 'utf8')).toContain('<html')
})

test.skipIf(process.platform === 'win32')(
  './vaani of a clone runs in the caller’s working directory',
  async () => {
    const script = fileURLToPath(new URL('../../../vaani', import.meta.url))
    const options = { cwd: home, env: { ...PROCESS_ENVIRONMENT, ...variables() } }
    const run = (...line: string[]) => promisify(execFile)(script, line, options)
    const { stdout } = await run('get', '/readyz', '--out', 'ready.json')
    expect(stdout).toBe('')
    expect(JSON.parse(await readFile(path.join(home, 'ready.json'), 'utf8'))).toMatchObject({ status: 'ok' })
    await expect(run('call', 'lst')).rejects.toMatchObject({ code: EXIT_CODES.usage })
    const link = path.join(home, 'vaani')
    await symlink(script, link)
    const linked = await promisify(execFile)(link, ['agents', '--json'], options)
    expect(linked.stdout).toContain('"agent_id":"reminder"')
  },
)
