/** What a migrator asks first: whether the migration can begin. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ErrorBody } from '@vaani/contracts'
import type { Migration, MigrationChecks } from '@vaani/contracts/migration'
import { Vaani } from '@vaani/client'
import { type Clock, systemClock } from '@vaani/service-kit/clock'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startDeployment } from './support/deployments.ts'
import { findFreePort } from './support/spool-submission.ts'
import { type ScriptedDeployment, startScriptedDeployment } from './support/scripted-deployment.ts'
import { startTestWorker, type TestWorker } from './support/start-test-worker.ts'

let cleanUp: AsyncDisposableStack
let primary: ScriptedDeployment
let candidate: ScriptedDeployment
beforeEach(async () => {
  cleanUp = new AsyncDisposableStack()
  primary = cleanUp.use(await startScriptedDeployment('one', systemClock))
  candidate = cleanUp.use(await startScriptedDeployment('two', systemClock))
  // As a deployment refuses a submission without anything in it.
  primary.script = candidate.script = { submit: 400 }
})
afterEach(() => cleanUp.disposeAsync())

const start = async (environment: Record<string, string> = {}): Promise<TestWorker> =>
  cleanUp.use(
    await startTestWorker({
      environment: {
        VAANI_SHADOW_PRIMARY_URL: primary.url,
        VAANI_SHADOW_PRIMARY_API_KEY: 'sk_test_primary',
        VAANI_SHADOW_CANDIDATE_URL: candidate.url,
        ...environment,
      },
    }),
  )

async function check(worker: TestWorker) {
  const { body } = await worker.send<MigrationChecks>('GET', '/migration/check')
  const states = Object.fromEntries(body.checks.map(({ name, state }) => [name, state]))
  const messages = Object.fromEntries(body.checks.map(({ name, message }) => [name, message]))
  return { passed: body.passed, states, messages }
}

test('everything is well, and neither deployment holds anything after it', async () => {
  const { states, passed } = await check(await start())
  expect(states).toEqual({
    primary_answers: 'passed',
    candidate_answers: 'passed',
    primary_key: 'passed',
    candidate_key: 'passed',
    decisions: 'passed',
    callbacks: 'skipped',
  })
  expect(passed).toBe(true)
  const sent = [primary, candidate].flatMap(({ submissions }) => submissions)
  expect(sent.map(({ path, verificationId }) => [path, verificationId])).toEqual([
    ['/identity/kyc/v1', null],
    ['/identity/kyc/v2', null],
  ])
})

describe('callbacks', () => {
  const OTHER_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
  /** Ten seconds of the worker are one. */
  const hurried: Clock = { nowMs: () => STARTED_MS + (Date.now() - STARTED_MS) * 10 }
  const STARTED_MS = Date.now()

  /** Starts a worker that has the address of another one, which shares its database, as behind a load balancer. */
  async function startReached(environment: Record<string, string> = {}, clock?: Clock) {
    const secret = { VAANI_SHADOW_CANDIDATE_WEBHOOK_SECRET: candidate.secret, ...environment }
    const receiver = await start({ ...secret, VAANI_SHADOW_CALLBACK_BASE_URL: 'http://127.0.0.1:1' })
    return cleanUp.use(
      await startTestWorker({
        beside: receiver,
        ...(clock && { clock }),
        environment: {
          VAANI_SHADOW_PRIMARY_URL: primary.url,
          VAANI_SHADOW_PRIMARY_API_KEY: 'sk_test_primary',
          VAANI_SHADOW_CANDIDATE_URL: candidate.url,
          ...secret,
          VAANI_SHADOW_CALLBACK_BASE_URL: receiver.url,
        },
      }),
    )
  }
  const submitted = () => candidate.submissions.filter(({ verificationId }) => verificationId !== null)

  test('pass if the candidate sends one that is signed with the secret, and nothing is left there', async () => {
    candidate.script = { needsMedia: true }
    const { states, messages, passed } = await check(await startReached())
    expect(messages['callbacks']).toMatch(
      /^A callback of the candidate to 127\.0\.0\.1:\d+ arrives here, signed/,
    )
    expect(states).toMatchObject({ callbacks: 'passed' })
    expect(passed).toBe(true)
    const [submission, ...more] = submitted()
    expect(more).toEqual([])
    const { external_id: person } = JSON.parse(submission!.body.toString())
    expect(person).toMatch(/^test_approved:check-/)
    expect(candidate.erased).toEqual([`/identity/subjects/${person}`])
  })

  test('fail if they are signed with another secret', async () => {
    candidate.script = { needsMedia: true }
    const worker = await startReached({ VAANI_SHADOW_CANDIDATE_WEBHOOK_SECRET: OTHER_SECRET })
    const { states, messages } = await check(worker)
    expect(states).toMatchObject({ callbacks: 'failed' })
    expect(messages['callbacks']).toContain('is not signed with VAANI_SHADOW_CANDIDATE_WEBHOOK_SECRET')
    expect(candidate.erased).toHaveLength(1)
  })

  test('fail if none arrives in time, and what was submitted is erased', async () => {
    candidate.script = { needsMedia: true, callback: 'never' }
    const { states, messages } = await check(await startReached({}, hurried))
    expect(states).toMatchObject({ callbacks: 'failed' })
    expect(messages['callbacks']).toMatch(/^No callback of the candidate arrived here in 20 s\. This machine/)
    expect(candidate.erased).toHaveLength(1)
  })

  test('fail if the address leads nowhere', async () => {
    candidate.script = { needsMedia: true, callback: 'never' }
    const worker = cleanUp.use(
      await startTestWorker({
        clock: hurried,
        environment: {
          VAANI_SHADOW_CANDIDATE_URL: candidate.url,
          VAANI_SHADOW_CANDIDATE_WEBHOOK_SECRET: candidate.secret,
          VAANI_SHADOW_CALLBACK_BASE_URL: 'http://127.0.0.1:1',
        },
      }),
    )
    const { messages } = await check(worker)
    expect(messages['callbacks']).toContain('127.0.0.1:1 does not answer (ECONNREFUSED)')
  })

  test('fail if the candidate refuses the address, before anything is submitted', async () => {
    candidate.script = { needsMedia: true, refusesCallbacks: 'must be https' }
    const { states, messages } = await check(await startReached())
    expect(states).toMatchObject({ callbacks: 'failed' })
    expect(messages['callbacks']).toMatch(
      /\(callback_url: must be https\)\. Correct VAANI_SHADOW_CALLBACK_BASE_URL/,
    )
    expect(submitted()).toEqual([])
    expect(candidate.erased).toEqual([])
  })

  test('are not tried with a live key, whose submissions are real ones, and the check says so', async () => {
    candidate.script = { needsMedia: true }
    const worker = await startReached({ VAANI_SHADOW_CANDIDATE_API_KEY: 'sk_live_candidate' })
    const { states, messages } = await check(worker)
    expect(states).toMatchObject({ candidate_key: 'passed', callbacks: 'skipped' })
    expect(messages['callbacks']).toContain('is not tried, because a submission with a live key')
    expect(submitted()).toEqual([])
  })
})

describe('callbacks of the server of this repository', () => {
  /** An account of the migration with the key that a worker gets. */
  async function startCandidate(environment: Record<string, string> = {}) {
    const server = cleanUp.use(await startDeployment(environment))
    const account = await server.client.admin.createAccount({ name: 'Migration' })
    const { key } = await server.client.admin.createKey({
      account_id: account.account_id,
      name: 'migration',
      scopes: ['identity:write', 'identity:read'],
    })
    const port = await findFreePort()
    const worker = await start({
      PORT: String(port),
      VAANI_SHADOW_CANDIDATE_URL: server.url,
      VAANI_SHADOW_CANDIDATE_API_KEY: key,
      VAANI_SHADOW_CANDIDATE_WEBHOOK_SECRET: account.webhook_secret,
      VAANI_SHADOW_CALLBACK_BASE_URL: `http://127.0.0.1:${port}`,
    })
    return { worker, account: new Vaani({ baseUrl: server.url, apiKey: key }) }
  }

  test('arrive, and of what was submitted only the record of the decision is left', async () => {
    const { worker, account } = await startCandidate()
    const { states, messages } = await check(worker)
    expect(messages['callbacks']).toMatch(/arrives here, signed with/)
    expect(states).toMatchObject({ callbacks: 'passed' })
    const { data } = await account.identity.list()
    expect(data).toMatchObject([{ livemode: false, external_id: null, decision: 'approved' }])
  })

  test('are refused if it is not meant to call back to this machine', async () => {
    const { worker, account } = await startCandidate({ VAANI_CALLBACK_ALLOW_CIDRS: '' })
    const { states, messages } = await check(worker)
    expect(states).toMatchObject({ callbacks: 'failed' })
    expect(messages['callbacks']).toContain('(callback_url: must be https)')
    expect((await account.identity.list()).data).toEqual([])
  })
})

async function startWebsite(): Promise<string> {
  const server = createServer((_, response) => void response.end('<p>Welcome</p>'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanUp.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a deployment that is away, or is something else, is named with its setting', async () => {
  const worker = await start({
    VAANI_SHADOW_PRIMARY_URL: 'http://127.0.0.1:1',
    VAANI_SHADOW_CANDIDATE_URL: await startWebsite(),
  })
  const { passed, messages, states } = await check(worker)
  expect(passed).toBe(false)
  expect(messages['primary_answers']).toBe(
    '127.0.0.1:1 does not answer (ECONNREFUSED). Start the primary, or correct VAANI_SHADOW_PRIMARY_URL.',
  )
  expect(messages['candidate_answers']).toMatch(
    /answers with 200, but not as the contract says. Does VAANI_SHADOW_CANDIDATE_URL name the candidate\?$/,
  )
  expect(states).toMatchObject({ primary_answers: 'failed', primary_key: 'skipped', decisions: 'failed' })
})

test('a key that is refused stands in words, in the status as well, and refuses a ramp', async () => {
  candidate.script = { refusesKeys: true }
  const worker = await start()
  const words =
    'The candidate refuses VAANI_SHADOW_CANDIDATE_API_KEY (401). Set a key that is valid there, and restart.'
  const { states, messages } = await check(worker)
  expect(states).toMatchObject({ candidate_answers: 'passed', candidate_key: 'failed', decisions: 'failed' })
  expect(messages['candidate_key']).toBe(words)

  const ramp = (more = {}) =>
    worker.send<Migration & ErrorBody>('PUT', '/migration/stage', {
      body: { stage: 'shadow-1', reason: 'Day 1', ...more },
    })
  expect(await ramp()).toMatchObject({
    status: 409,
    body: { error: { code: 'state_conflict', message: words } },
  })
  const { body } = await worker.send<Migration>('GET', '/migration')
  expect(body).toMatchObject({ stage: 'off', attention: [words] })
  expect((await ramp({ force: true })).status).toBe(200)
  expect((await ramp({ stage: 'off' })).status).toBe(200)
})

test('a key of the callers for both versions of one deployment fails, but one deployment with two keys does not', async () => {
  const one = { VAANI_SHADOW_CANDIDATE_URL: primary.url }
  const shared = await check(await start({ ...one, VAANI_SHADOW_CANDIDATE_API_KEY: 'sk_test_primary' }))
  expect(shared).toMatchObject({ passed: false, states: { primary_key: 'passed', candidate_key: 'failed' } })
  expect(shared.messages['candidate_key']).toMatch(
    /^VAANI_SHADOW_CANDIDATE_API_KEY is VAANI_SHADOW_PRIMARY_API_KEY/,
  )
  expect(await check(await start(one))).toMatchObject({ states: { candidate_key: 'passed' } })
  const two = { VAANI_SHADOW_CANDIDATE_API_KEY: 'sk_test_primary' }
  expect(await check(await start(two))).toMatchObject({ states: { candidate_key: 'passed' } })
})

test('a key without the scope to submit fails', async () => {
  candidate.script = { submit: 403 }
  const { states, messages } = await check(await start())
  expect(states).toMatchObject({ candidate_key: 'failed' })
  expect(messages['candidate_key']).toContain('identity:write')
})

test('without a way to learn the decisions of the primary, it says what to set', async () => {
  const { states, messages } = await check(await start({ VAANI_SHADOW_PRIMARY_API_KEY: '' }))
  expect(states).toMatchObject({ primary_key: 'skipped', decisions: 'failed', callbacks: 'skipped' })
  expect(messages['decisions']).toContain('VAANI_SHADOW_PRIMARY_API_KEY')
})
