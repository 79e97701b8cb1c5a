import type { Batch, DeploymentResource, Id } from '@vaani/contracts'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { deploymentSettings } from '../src/features/deployments/settings.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

const PATH = '/enterprise/deploy'
const DAY_MS = 86_400_000
const BODY = { name: 'speech', base_model: 'synth-l1', target: 'docker' }

type Created = DeploymentResource & { license: string; manifest: string }
interface Failure {
  error: { code: string; param: string | null; message: string; details?: { reason?: string }[] }
}

let nowMs = Date.now()
const startMs = nowMs
const clock = { nowMs: () => nowMs }
afterEach(() => {
  nowMs = startMs
})

let issuer: TestServer
let accountId: Id<'account'>
let key: string
let liveKey: string
beforeAll(async () => {
  issuer = await startTestServer({ clock })
  const account = await issuer.createAccount({
    tier: 'enterprise',
    rateOverrides: { deployments: { limit: 1000, period_seconds: 1 } },
  })
  ;({ accountId, key } = account)
  liveKey = await issuer.createKey(accountId, true)
})
afterAll(() => issuer?.[Symbol.asyncDispose]())

async function deploy(options: object = {}, by = liveKey): Promise<Created> {
  const { status, body } = await issuer.json<Created>(PATH, { key: by, body: { ...BODY, options } })
  expect(status).toBe(201)
  return body
}
const revoke = (id: string, by = liveKey) =>
  issuer.json<DeploymentResource>(`${PATH}/${id}/revoke`, { key: by, method: 'POST' })

async function issuerKeys(): Promise<string> {
  const { body } = await issuer.json<{ data: { public_key: string }[] }>('/enterprise/issuer', { key: null })
  return body.data.map(({ public_key }) => public_key).join(',')
}

/** Starts a server under a license, as its environment would, or another process beside one. */
async function startLicensed(
  license: string,
  { beside, isOnline = false }: { beside?: TestServer; isOnline?: boolean } = {},
): Promise<TestServer> {
  const settings = deploymentSettings.read({
    VAANI_LICENSE: license,
    VAANI_LICENSE_ISSUER_KEY: await issuerKeys(),
    ...(isOnline && { VAANI_LICENSE_REVOCATIONS_URL: `${issuer.url}/enterprise/issuer` }),
  })
  return startTestServer({
    clock,
    ...(beside && { key: beside.key }),
    config: {
      ...settings,
      ...(beside && {
        databaseUrl: beside.databaseUrl,
        dataDirectory: beside.context.settings.dataDirectory,
      }),
    },
  })
}

const speak = (server: TestServer, by: string, model = 'synth-l1') =>
  server.fetch('/v1/engine/synthesize', {
    key: by,
    body: { model, text: 'Good morning.', enable_watermark: false },
  })
async function failureOf(response: Response) {
  const { error }: Failure = JSON.parse(await response.text())
  return { status: response.status, ...error }
}
function licenseOf({ context }: TestServer) {
  const { license } = context.deployments
  if (license === null) throw new Error('The server has no license')
  return license
}

describe('deployments', () => {
  test('show their license and manifest once', async () => {
    const { license, manifest, ...created } = await deploy({
      expires_in_days: 90,
      models: ['stream-tts'],
      seats: 2,
    })
    expect(created).toMatchObject({
      ...BODY,
      status: 'ready',
      livemode: true,
      replicas: 1,
      models: ['synth-l1', 'stream-tts'],
      seats: 2,
      revoked_at: null,
    })
    expect(Date.parse(created.expires_at) - Date.parse(created.created_at)).toBe(90 * DAY_MS)
    expect(manifest).toContain(license)
    const path = `${PATH}/${created.deployment_id}`
    expect((await issuer.json(path, { key: liveKey })).body).toEqual(created)
    const page = await issuer.json<{ data: unknown[] }>(`${PATH}?limit=1`, { key: liveKey })
    expect(page.body).toMatchObject({ data: [created] })
  })

  test('are those of their account and mode', async () => {
    const { deployment_id } = await deploy()
    const other = await issuer.createAccount({ tier: 'enterprise' })
    for (const stranger of [key, other.key]) {
      expect((await issuer.fetch(`${PATH}/${deployment_id}`, { key: stranger })).status).toBe(404)
      expect((await revoke(deployment_id, stranger)).status).toBe(404)
      expect((await issuer.json(PATH, { key: stranger })).body).toMatchObject({ data: [] })
    }
  })

  test('are for the Enterprise tier and its scope only', async () => {
    const pro = await issuer.createAccount()
    const failure = await failureOf(await issuer.fetch(PATH, { key: pro.key, body: BODY }))
    expect(failure).toMatchObject({
      status: 403,
      code: 'forbidden',
      message: 'deployments: the pro tier does not include this, but enterprise does',
    })
    const unscoped = await issuer.createKey(accountId, true, ['speech:write'])
    expect((await issuer.fetch(PATH, { key: unscoped, body: BODY })).status).toBe(403)
  })

  test.each([
    ['options.seats', { ...BODY, replicas: 3, options: { seats: 2 } }],
    ['options.region', { ...BODY, options: { region: 'eu' } }],
    ['options.models.0', { ...BODY, options: { models: ['a model'] } }],
    ['name', { ...BODY, name: 'a'.repeat(41) }],
    ['name', { ...BODY, name: 'speech-' }],
    ['base_model', { ...BODY, base_model: 'tts-1' }],
  ])('name %s if it is invalid', async (param, body) => {
    const failure = await failureOf(await issuer.fetch(PATH, { key: liveKey, body }))
    expect(failure).toMatchObject({ status: 400, code: 'invalid_request', param })
  })

  test('are revoked once', async () => {
    const { deployment_id } = await deploy()
    const first = await revoke(deployment_id)
    nowMs += DAY_MS
    expect(first.body).toMatchObject({ status: 'revoked', revoked_at: expect.any(String) })
    expect(await revoke(deployment_id)).toMatchObject({ status: 200, body: first.body })
  })
})

describe('a server under a license', () => {
  let server: TestServer
  let license: string
  beforeAll(async () => {
    ;({ license } = await deploy({ models: ['tts-1'] }))
    server = await startLicensed(license)
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  test('authenticates by it, like by a key of an Enterprise account', async () => {
    expect((await speak(server, license)).status).toBe(200)
    const [row] = (
      await server.json<{ data: { name: string; hint: string }[] }>('/admin/keys', { key: license })
    ).body.data
    expect(row).toMatchObject({ livemode: true, name: expect.stringMatching(/^License dep_/) })
    expect((await speak(server, `${license.slice(0, -4)}AAAA`)).status).toBe(401)
    expect((await speak(issuer, license)).status).toBe(401)
  })

  test('serves its models only, whichever the key and the route', async () => {
    const refused = { status: 403, code: 'forbidden', param: 'model' }
    for (const by of [license, server.key]) {
      expect((await speak(server, by)).status).toBe(200)
      expect(await failureOf(await speak(server, by, 'synth-v1'))).toMatchObject(refused)
      const streamed = await server.fetch('/v1/audio/stream', {
        key: by,
        body: { model: 'stream-tts', input: 'Hello.' },
      })
      expect(await failureOf(streamed)).toMatchObject(refused)
      const body = { model: 'tts-1', voice: 'alloy', input: 'Hello.' }
      expect((await server.fetch('/v1/audio/speech', { key: by, body })).status).toBe(200)
    }
  })

  test('lists its models only, whichever the key', async () => {
    for (const by of [license, server.key]) {
      const { body } = await server.json<{ data: { id: string }[] }>('/v1/models', { key: by })
      expect(body.data.map(({ id }) => id)).toEqual(['synth-l1'])
      expect((await server.fetch('/v1/models/synth-l1', { key: by })).status).toBe(200)
      expect(await failureOf(await server.fetch('/v1/models/synth-v1', { key: by }))).toMatchObject({
        status: 404,
        code: 'not_found',
      })
    }
  })

  test('limits each request of a batch', async () => {
    const body = { model: 'tts-1', voice: 'alloy', input: 'Hello.' }
    const speech = { endpoint: '/v1/audio/speech', requests: [{ custom_id: 'one', body }] }
    const { batch_id } = (await server.json<Batch>('/v1/batch', { key: license, body: speech })).body
    await until(
      async () => (await server.json<Batch>(`/v1/batch/${batch_id}`, { key: license })).body,
      ({ counts }) => counts.succeeded === 1,
    )
    const other = { ...speech, requests: [{ custom_id: 'one', body: { ...body, model: 'tts-1-hd' } }] }
    expect(await failureOf(await server.fetch('/v1/batch', { key: license, body: other }))).toMatchObject({
      status: 400,
      param: 'requests.0.body.model',
      message: expect.stringContaining('license'),
    })
  })

  test('issues no licenses', async () => {
    expect((await server.fetch(PATH, { key: license, body: BODY })).status).toBe(403)
    const { accountId } = await server.createAccount({ tier: 'enterprise' })
    const own = await server.createKey(accountId, true)
    expect(await failureOf(await server.fetch(PATH, { key: own, body: BODY }))).toMatchObject({
      status: 403,
      message: expect.stringContaining('cannot issue'),
    })
  })

  test.each([
    [334, 'valid', 200],
    [335, 'expiring', 200],
    [365, 'grace', 200],
    [379, 'expired', 403],
  ] as const)('after %d of 365 days, it is %s: %d', async (days, state, status) => {
    nowMs += days * DAY_MS
    expect(licenseOf(server).state()).toBe(state)
    for (const by of [license, server.key]) expect((await speak(server, by)).status).toBe(status)
  })

  test('names the day and the reason once it refuses', async () => {
    nowMs += 400 * DAY_MS
    expect(await failureOf(await speak(server, license))).toMatchObject({
      status: 403,
      code: 'forbidden',
      message: expect.stringMatching(/^The license of this server expired on \d{4}-\d\d-\d\d$/),
      details: [{ reason: 'license_expired' }],
    })
    expect((await server.fetch('/healthz', { key: null })).status).toBe(200)
  })

  test('gives its seat to a waiting server when it stops, and its account to the next license', async () => {
    const { license } = await deploy({ seats: 1 })
    const next = await deploy({ seats: 2 })
    const besideIt = { beside: issuer }
    const readAccount = async (at: TestServer, by: string) => {
      const { status, body } = await at.json('/admin/accounts', { key: by })
      return { status, body }
    }
    const first = await startLicensed(license, besideIt)
    await using second = await startLicensed(license, besideIt)
    const account = await readAccount(first, license)
    expect(account).toMatchObject({ status: 200, body: { data: [{ tier: 'enterprise', operator: false }] } })
    const refused = await speak(second, license)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await failureOf(refused)).toMatchObject({ status: 503, message: expect.stringContaining('seats') })
    expect(await (await second.fetch('/readyz', { key: null })).json()).toMatchObject({
      error: { details: [{ param: 'license' }] },
    })
    await first[Symbol.asyncDispose]()
    await until(
      () => speak(second, license),
      ({ status }) => status === 200,
    )
    expect((await second.fetch('/readyz', { key: null })).status).toBe(200)

    await using third = await startLicensed(next.license, besideIt)
    expect(await readAccount(third, next.license)).toEqual(account)
    expect((await speak(third, license)).status).toBe(401)
  })

  test('of test mode serves test mode only', async () => {
    const { license, livemode } = await deploy({}, key)
    expect(livemode).toBe(false)
    await using server = await startLicensed(license)
    expect((await speak(server, license)).status).toBe(200)
    const { accountId } = await server.createAccount()
    const live = await server.createKey(accountId, true)
    expect(await failureOf(await speak(server, live))).toMatchObject({ status: 403, code: 'forbidden' })
  })

  test('refuses once its license is revoked, also after a restart without the issuer', async () => {
    const { license, deployment_id } = await deploy()
    await using server = await startLicensed(license, { isOnline: true })
    await licenseOf(server).refresh()
    expect((await speak(server, license)).status).toBe(200)
    await revoke(deployment_id)
    await licenseOf(server).refresh()
    expect(await failureOf(await speak(server, license))).toMatchObject({
      status: 403,
      details: [{ reason: 'license_revoked' }],
    })
    const again = startLicensed(license, { beside: server })
    await expect(again).rejects.toThrow(/^VAANI_LICENSE: .* is revoked/)
  })

  test('does not start with what permits nothing', async () => {
    const { license } = await deploy()
    const damaged = startLicensed(`${license.slice(0, -4)}AAAA`)
    await expect(damaged).rejects.toThrow(/VAANI_LICENSE is not signed/)
    nowMs += 379 * DAY_MS
    const expired = startLicensed(license)
    await expect(expired).rejects.toThrow(/VAANI_LICENSE: The license of this server expired on/)
    await expect(expired).rejects.toThrow(ConfigError)
  })
})
