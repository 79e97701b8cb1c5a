/** What a migrator asks first: whether the migration can begin. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ErrorBody } from '@vaani/contracts'
import type { Migration, MigrationChecks } from '@vaani/contracts/migration'
import { systemClock } from '@vaani/service-kit/clock'
import { afterEach, beforeEach, expect, test } from 'vitest'
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

test('a callback that arrives passes', async () => {
  const receiver = await start({
    VAANI_SHADOW_CALLBACK_BASE_URL: 'http://127.0.0.1:1',
    VAANI_SHADOW_CANDIDATE_WEBHOOK_SECRET: candidate.secret,
  })
  const elsewhere = await check(receiver)
  expect(elsewhere.states).toMatchObject({ callbacks: 'failed' })
  expect(elsewhere.messages['callbacks']).toMatch(/^127\.0\.0\.1:1 does not answer \(ECONNREFUSED\)/)
  const worker = await start({
    VAANI_SHADOW_CALLBACK_BASE_URL: receiver.url,
    VAANI_SHADOW_CANDIDATE_WEBHOOK_SECRET: candidate.secret,
  })
  expect(await check(worker)).toMatchObject({ passed: true, states: { callbacks: 'passed' } })
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
