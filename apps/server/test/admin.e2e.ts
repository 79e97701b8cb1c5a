import { LIMITS } from '@vaani/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toAgentRow } from '../src/features/agents/agent-rows.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

interface Row {
  account_id: string
  key_id: string
  caller_id_id: string
  key: string
}
const notFound = { status: 404, body: { error: { code: 'not_found' } } }
const forbidden = { status: 403, body: { error: { code: 'forbidden' } } }

describe('an operator', () => {
  test('creates an account with its agents, and a key for it', async () => {
    const account = await server.json<Row>('/admin/accounts', { body: { name: 'Clinic', tier: 'starter' } })
    expect(account).toMatchObject({ status: 201, body: { name: 'Clinic', tier: 'starter', operator: false } })
    const { account_id } = account.body
    const created = await server.json<Row>('/admin/keys', {
      body: { account_id, name: 'web', scopes: ['calls:read'] },
    })
    expect(created.status).toBe(201)
    expect(created.body.key).toMatch(/^sk_test_/)
    const agents = await server.json<{ data: { agent_id: string }[] }>('/agent/agents', {
      key: created.body.key,
    })
    expect(agents.body.data.map(({ agent_id }) => agent_id)).toEqual(['reminder', 'support'])
    const keys = await server.json<{ data: object[] }>(`/admin/keys?account_id=${account_id}`)
    expect(keys.body.data).toHaveLength(1)
    expect(JSON.stringify(keys.body)).not.toContain(created.body.key)
  })

  test('changes the tier, which changes the limits at once', async () => {
    const { accountId, key } = await server.createAccount({ tier: 'starter' })
    const limit = async () => {
      const response = await server.fetch('/v1/audio/stream', {
        key,
        body: { model: 'stream-tts', input: 'Hi', voice: 'none' },
      })
      await response.body?.cancel()
      return response.headers.get('ratelimit-policy')
    }
    expect(await limit()).toContain('q=50;')
    await server.json(`/admin/accounts/${accountId}`, { method: 'PATCH', body: { tier: 'pro' } })
    expect(await limit()).toContain('q=500;')
    await server.json(`/admin/accounts/${accountId}`, {
      method: 'PATCH',
      body: { rate_overrides: { speech_stream: { limit: 7, period_seconds: 60 } } },
    })
    expect(await limit()).toContain('q=7;')
  })

  test('verifies caller ids, once each, and removes them', async () => {
    const { accountId } = await server.createAccount()
    const add = () =>
      server.json<Row>('/admin/caller-ids', {
        body: { account_id: accountId, phone_number: '+9779822222222' },
      })
    const first = await add()
    expect(first.status).toBe(201)
    expect((await add()).body.caller_id_id).toBe(first.body.caller_id_id)
    const route = `/admin/caller-ids/${first.body.caller_id_id}`
    expect((await server.json(route, { method: 'DELETE' })).status).toBe(204)
    expect(await server.json(route, { method: 'DELETE' })).toMatchObject(notFound)
    expect(
      (await server.json<{ data: object[] }>(`/admin/caller-ids?account_id=${accountId}`)).body.data,
    ).toEqual([])
  })
})

describe('an admin who is not an operator', () => {
  test('manages only its own account', async () => {
    const mine = await server.createAccount()
    const other = await server.createAccount()
    const { key } = mine
    expect(await server.json('/admin/accounts', { key, body: { name: 'More' } })).toMatchObject(forbidden)
    expect(
      (await server.json<{ data: Row[] }>('/admin/accounts', { key })).body.data.map((row) => row.account_id),
    ).toEqual([mine.accountId])
    expect(await server.json(`/admin/keys?account_id=${other.accountId}`, { key })).toMatchObject(notFound)
    expect(
      await server.json('/admin/keys', {
        key,
        body: { account_id: other.accountId, name: 'x', scopes: ['admin'] },
      }),
    ).toMatchObject(notFound)
    expect(
      await server.json(`/admin/accounts/${other.accountId}`, { key, method: 'PATCH', body: { name: 'x' } }),
    ).toMatchObject(notFound)
    expect(
      await server.json(`/admin/accounts/${mine.accountId}`, {
        key,
        method: 'PATCH',
        body: { tier: 'enterprise' },
      }),
    ).toMatchObject(forbidden)
    expect(
      await server.json('/admin/caller-ids', { key, body: { phone_number: '+9779822222222' } }),
    ).toMatchObject(forbidden)
    const theirs = await server.json<{ data: Row[] }>(`/admin/keys?account_id=${other.accountId}`)
    expect(
      await server.json(`/admin/keys/${theirs.body.data[0]?.key_id}`, { key, method: 'DELETE' }),
    ).toMatchObject(notFound)
  })

  test('creates keys for its own account', async () => {
    const { accountId, key } = await server.createAccount()
    const created = await server.json<Row>('/admin/keys', {
      key,
      body: { name: 'own', scopes: ['calls:read'] },
    })
    expect(created).toMatchObject({ status: 201, body: { account_id: accountId } })
  })
})

describe('agents', () => {
  test('are created and replaced, and used to place calls', async () => {
    const agent = {
      name: 'Survey',
      language: 'en-US',
      voice: 'atlas',
      greeting: 'Hello {{name|there}}.',
      translations: {},
    }
    expect(await server.json('/admin/agents/survey', { method: 'PUT', body: agent })).toMatchObject({
      status: 200,
      body: { agent_id: 'survey', ...agent },
    })
    expect(
      await server.json('/admin/agents/survey', { method: 'PUT', body: { ...agent, name: 'Poll' } }),
    ).toMatchObject({ status: 200, body: { name: 'Poll' } })
    const placed = await server.json('/agent/calls', {
      body: { to: '+9779812345678', agent_id: 'survey', scheduled_at: '2027-01-01T00:00:00Z' },
    })
    expect(placed.status).toBe(201)
  })

  test('need an existing voice', async () => {
    const body = { name: 'X', language: 'en-US', voice: 'siri', greeting: 'Hi' }
    expect(await server.json('/admin/agents/x', { method: 'PUT', body })).toMatchObject({
      status: 422,
      body: { error: { code: 'voice_not_found' } },
    })
  })

  test('speak languages of the engine only', async () => {
    const body = { name: 'X', language: 'en-US', voice: 'atlas', greeting: 'Hi' }
    for (const [param, more] of [
      ['language', { language: 'klingon' }],
      ['translations.xx-YY', { translations: { 'ne-NP': 'नमस्ते', 'xx-YY': 'Hi' } }],
    ] as const)
      expect(
        await server.json('/admin/agents/x', { method: 'PUT', body: { ...body, ...more } }),
      ).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', param } } })
    const { body: agents } = await server.json<{ data: { agent_id: string }[] }>('/agent/agents')
    expect(agents.data.map(({ agent_id }) => agent_id)).not.toContain('x')
  })
})

describe('the number of keys', () => {
  test('has an exact limit, however many are created at once, and a revoked key makes room', async () => {
    const { accountId, key } = await server.createAccount()
    const body = { account_id: accountId, name: 'One', scopes: ['calls:read'] }
    async function make() {
      const send = () => server.json<{ key_id: string }>('/admin/keys', { body })
      let answer = await send()
      // The pool has no connection for it in time on a machine that is busy.
      while (answer.status === 503) answer = await send()
      return answer
    }
    const tries = LIMITS.keysPerAccount + 5
    const answers = await Promise.all(Array.from({ length: tries }, () => make()))
    const made = answers.filter(({ status }) => status === 201)
    // The account started with one key.
    expect(made).toHaveLength(LIMITS.keysPerAccount - 1)
    expect(answers.find(({ status }) => status !== 201)).toMatchObject({
      status: 409,
      body: { error: { code: 'state_conflict' } },
    })
    const revoked = await server.json(`/admin/keys/${made[0]?.body.key_id}`, { method: 'DELETE', key })
    expect(revoked.status).toBe(200)
    expect((await make()).status).toBe(201)
  })
})

describe('the number of agents', () => {
  const body = { name: 'X', language: 'en-US', voice: 'nova', greeting: 'Hi' }
  const put = (name: string, key: string, more: object = {}) =>
    server.json(`/admin/agents/${name}`, { method: 'PUT', body: { ...body, ...more }, key })

  test('has an exact limit, however many are created at once, and existing agents can be replaced', async () => {
    const { accountId, key } = await server.createAccount()
    const agents = async () => (await server.json<{ data: unknown[] }>('/agent/agents', { key })).body.data
    const room = 3
    const fillers = LIMITS.agentsPerAccount - room - (await agents()).length
    const row = toAgentRow({ accountId, livemode: false }, { ...body, agent_id: '', translations: {} })
    await server.context.database
      .insertInto('agents')
      .values(Array.from({ length: fillers }, (_, index) => ({ ...row, agent_id: `filler${index}` })))
      .execute()
    const answers = await Promise.all(Array.from({ length: room + 5 }, (_, index) => put(`a${index}`, key)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(room)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(5)
    for (const answer of refused)
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'state_conflict' } } })
    expect(await agents()).toHaveLength(LIMITS.agentsPerAccount)
    expect(await put('reminder', key, { name: 'Mine' })).toMatchObject({
      status: 200,
      body: { name: 'Mine' },
    })
  })

  test('has a limit on the languages of each', async () => {
    const { key } = await server.createAccount()
    const { body: spoken } = await server.json<{ data: { language: string }[] }>('/v1/engine/languages')
    const inLanguages = (count: number) =>
      Object.fromEntries(spoken.data.slice(0, count).map(({ language }) => [language, 'Hi']))
    expect((await put('many', key, { translations: inLanguages(LIMITS.agentTranslations) })).status).toBe(200)
    expect(await put('many', key, { translations: inLanguages(LIMITS.agentTranslations + 1) })).toMatchObject(
      {
        status: 400,
        body: { error: { code: 'invalid_request', param: 'translations' } },
      },
    )
  })
})

describe('probes', () => {
  test('need no key', async () => {
    expect(await server.json('/healthz', { key: null })).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    })
    expect(await server.json('/readyz', { key: null })).toMatchObject({
      status: 200,
      body: { checks: { carrier: 'simulator' } },
    })
  })
})
