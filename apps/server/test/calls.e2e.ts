import { CALL_TRANSITIONS, type Call, LIMITS, listTransitions } from '@vaani/contracts'
import type { CallEnded, Carrier, CarrierCall, DialRequest } from '@vaani/telephony'
import {
  SIMULATOR_NUMBERS,
  createSimulatorCarrier,
  createManualSimulatorCarrier,
} from '@vaani/telephony-sip/simulator'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

const TO = '+9779812345678'
const call = { to: TO, agent_id: 'reminder', language: 'en-US' }
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const isOver = ({ status }: Call) => status === 'completed' || status === 'failed'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  // Three seconds.
  const greeting = 'Good morning, this is a reminder of your appointment.'
  const agent = { name: 'Reminder', language: 'en-US', voice: 'nova', greeting }
  await server.json('/admin/agents/reminder', { method: 'PUT', body: agent })
})
afterAll(() => server[Symbol.asyncDispose]())

async function place(body: object, key = server.key): Promise<Call> {
  const placed = await server.json<Call>('/agent/calls', { body, key })
  expect(placed).toMatchObject({ status: 201 })
  return placed.body
}
const read = async (callId: string, key = server.key) =>
  (await server.json<Call>(`/agent/calls/${callId}`, { key })).body
const untilOver = (callId: string) => until(() => read(callId), isOver)
const eventsOf = async (callId: string) => {
  const rows = await server.context.database
    .selectFrom('events')
    .where('object_id', '=', callId)
    .orderBy('sequence')
    .selectAll()
    .execute()
  return rows.map((row) => ({ ...row, body: JSON.parse(row.body) }))
}

describe('a call', () => {
  test('is placed, speaks, ends, and leaves a recording of the speech', async () => {
    const metadata = { name: 'Sita', visit: { room: 4 } }
    const placed = await place({ ...call, metadata })
    expect(placed).toEqual({
      call_id: expect.stringMatching(/^call_/),
      status: 'queued',
      to: TO,
      agent_id: 'reminder',
      language: 'en-US',
      metadata,
      direction: 'outbound',
      livemode: false,
      carrier: 'simulator',
      created_at: expect.any(String),
    })

    const over = await untilOver(placed.call_id)
    expect(over).toMatchObject({ status: 'completed', ended_by: 'agent', metadata })
    expect(over.failure_reason).toBeUndefined()
    expect(over.duration_seconds).toBeGreaterThan(2)
    const times = [over.created_at, over.answered_at, over.ended_at].map((at) => Date.parse(at ?? ''))
    expect(times).toEqual(times.toSorted((one, other) => one - other))

    const recording = await server.fetch(`/agent/calls/${placed.call_id}/recording`)
    expect(recording.status).toBe(200)
    expect(recording.headers.get('content-type')).toBe('audio/wav')
    const wav = Buffer.from(await recording.arrayBuffer())
    expect(wav.toString('latin1', 0, 4)).toBe('RIFF')
    const samples = new Int16Array(
      wav.buffer.slice(wav.byteOffset + 44, wav.byteOffset + 44 + ((wav.length - 44) & ~1)),
    )
    expect(samples.length / 16_000).toBeCloseTo(over.duration_seconds ?? 0, 0)
    const loudness = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
    expect(loudness).toBeGreaterThan(300)
  })

  test('sends an event for each change, in order, with the call as it was then', async () => {
    const { call_id } = await place({ ...call, metadata: { order: 7 } })
    await untilOver(call_id)
    const events = await eventsOf(call_id)
    expect(events.map(({ type }) => type)).toEqual(['call.queued', 'call.in_progress', 'call.completed'])
    for (const { body, event_id, type } of events)
      expect(body).toMatchObject({ event_id, type, data: { call_id, metadata: { order: 7 } } })
    expect(events.map(({ body }) => body.data.status)).toEqual(['queued', 'in-progress', 'completed'])
    const { answered_at } = await read(call_id)
    expect(events.map(({ body }) => body.data.answered_at)).toEqual([undefined, answered_at, answered_at])
    expect(events.at(-1)?.body.data.duration_seconds).toBeGreaterThan(0)
  })

  test('has Nepali as its default language', async () => {
    expect(await place({ to: TO, agent_id: 'support' })).toMatchObject({ language: 'ne-NP' })
  })
})

describe('the test numbers of the loopback carrier', () => {
  const expected: Readonly<Record<string, Partial<Call>>> = {
    busy: { status: 'failed', failure_reason: 'busy' },
    rejects: { status: 'failed', failure_reason: 'rejected' },
    neverAnswers: { status: 'failed', failure_reason: 'no-answer' },
    unreachable: { status: 'failed', failure_reason: 'unreachable' },
    hangsUp: { status: 'completed', ended_by: 'callee' },
    lineDrops: { status: 'failed', failure_reason: 'carrier-error', ended_by: 'carrier' },
  }
  const numbers = Object.entries(SIMULATOR_NUMBERS)

  test('are documented for every outcome', () => {
    expect(numbers.length).toBeGreaterThanOrEqual(Object.keys(expected).length)
  })

  test.each(numbers)('%s ends as documented', async (name, entry) => {
    const to = typeof entry === 'string' ? entry : entry.number
    // Who hangs up listens for longer than the reminder lasts.
    const { call_id } = await place({ ...call, to, agent_id: 'support' })
    const over = await untilOver(call_id)
    expect(over).toMatchObject(expected[name] ?? { status: 'completed' })
    if (over.failure_reason !== undefined && over.ended_by === undefined)
      expect(over.duration_seconds).toBeUndefined()
  })
})

describe('a scheduled call', () => {
  test('waits for its time and returns it as given', async () => {
    const scheduled_at = '2027-03-01T09:30:00+05:45'
    const placed = await place({ ...call, scheduled_at })
    expect(placed.scheduled_at).toBe(scheduled_at)
    expect(await read(placed.call_id)).toMatchObject({ status: 'queued', scheduled_at })
  })

  test('is dialled at its time, and not before', async () => {
    const at = Date.now() + 1500
    const { call_id } = await place({ ...call, scheduled_at: new Date(at).toISOString() })
    await untilOver(call_id)
    const { dial_started_at } = await server.context.database
      .selectFrom('calls')
      .where('call_id', '=', call_id)
      .select('dial_started_at')
      .executeTakeFirstOrThrow()
    const lateMs = (dial_started_at?.getTime() ?? 0) - at
    expect(lateMs).toBeGreaterThanOrEqual(0)
  })

  test('cannot be in the past or lack an offset', async () => {
    for (const scheduled_at of ['2020-01-01T00:00:00Z', '2027-03-01T09:30:00', 'tomorrow'])
      expect(await server.json('/agent/calls', { body: { ...call, scheduled_at } })).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', param: 'scheduled_at' } },
      })
  })

  test('is rejected past the exact limit, however many are placed at once', async () => {
    const { accountId, key } = await server.createAccount({
      rateOverrides: { place_call: { limit: 1000, period_seconds: 1 } },
    })
    const room = 3
    await sql`
      insert into calls (call_id, account_id, livemode, status, to_number, agent_id, scheduled_at, scheduled_at_text, language, carrier, created_at)
      select 'call_filler' || lpad(i::text, 15, '0'), ${accountId}, false, 'queued', ${TO}, 'reminder', now() + interval '1 day', 'x', 'en-US', 'simulator', now()
      from generate_series(1, ${LIMITS.scheduledCallsPerAccount - room}::int) as i`.execute(
      server.context.database,
    )
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        server.json('/agent/calls', { body: { ...call, scheduled_at: inAnHour() }, key }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(room)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(20 - room)
    expect(refused[0]?.body).toMatchObject({ error: { code: 'rate_limit_exceeded', param: 'scheduled_at' } })
    expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/)
  })
})

describe('cancel', () => {
  test('ends a call that was not dialled yet, and sends its event', async () => {
    const { call_id } = await place({ ...call, scheduled_at: inAnHour() })
    const canceled = await server.json<Call>(`/agent/calls/${call_id}/cancel`, { method: 'POST' })
    expect(canceled).toMatchObject({ status: 200, body: { status: 'failed', failure_reason: 'canceled' } })
    expect((await eventsOf(call_id)).map(({ type }) => type)).toEqual(['call.queued', 'call.failed'])
  })

  test('hangs up a call that rings, of which a read says since when', async () => {
    const phone = createSimulatorCarrier()
    const ends: Promise<CallEnded>[] = []
    const dial = (request: DialRequest): CarrierCall => {
      const dialled = phone.dial(request)
      ends.push(dialled.ended)
      return dialled
    }
    await using ringing = await startTestServer({ createSimulator: () => ({ ...phone, dial }) })
    const { body: placed } = await ringing.json<Call>('/agent/calls', {
      body: { ...call, to: SIMULATOR_NUMBERS.neverAnswers.number },
    })
    expect(placed.ringing_since).toBeUndefined()
    const route = `/agent/calls/${placed.call_id}`
    const { body: heard } = await until(
      () => ringing.json<Call>(route),
      ({ body }) => body.ringing_since !== undefined,
    )
    expect(heard).toEqual({ ...placed, ringing_since: expect.any(String) })

    const canceled = await ringing.json<Call>(`${route}/cancel`, { method: 'POST' })
    const failed = { ...placed, status: 'failed', failure_reason: 'canceled', ended_at: expect.any(String) }
    expect(canceled).toMatchObject({ status: 200, body: failed })
    expect(await ends[0]).toMatchObject({ outcome: 'canceled' })
    expect((await ringing.json<Call>(route)).body).toEqual(failed)
  })

  test('is a conflict once the call was answered', async () => {
    const { call_id } = await place(call)
    await until(
      () => read(call_id),
      ({ status }) => status !== 'queued',
    )
    expect(await server.json(`/agent/calls/${call_id}/cancel`, { method: 'POST' })).toMatchObject({
      status: 409,
    })
    expect(await untilOver(call_id)).toMatchObject({ status: 'completed' })
  })

  test('is a conflict once the call has ended', async () => {
    const { call_id } = await place({ ...call, scheduled_at: inAnHour() })
    await server.json(`/agent/calls/${call_id}/cancel`, { method: 'POST' })
    expect(await server.json(`/agent/calls/${call_id}/cancel`, { method: 'POST' })).toMatchObject({
      status: 409,
      body: { error: { code: 'state_conflict' } },
    })
  })
})

describe('access to a call', () => {
  test('another account’s call and an unknown one get the same 404', async () => {
    const other = await server.createAccount()
    const { call_id } = await place({ ...call, scheduled_at: inAnHour() })
    for (const [id, key] of [
      [call_id, other.key],
      ['call_unknown', server.key],
    ] as const)
      for (const [route, method] of [
        ['', 'GET'],
        ['/cancel', 'POST'],
        ['/recording', 'GET'],
        ['/recording', 'DELETE'],
      ] as const)
        expect(await server.json(`/agent/calls/${id}${route}`, { method, key })).toMatchObject({
          status: 404,
          body: { error: { code: 'call_not_found' } },
        })
  })

  test('a recording is not found before it exists', async () => {
    const { call_id } = await place({ ...call, scheduled_at: inAnHour() })
    expect(await server.json(`/agent/calls/${call_id}/recording`)).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    })
  })
})

describe('list', () => {
  test('pages through the account’s calls, newest first', async () => {
    const { key } = await server.createAccount()
    const ids: string[] = []
    for (let index = 0; index < 5; index++)
      ids.push((await place({ ...call, scheduled_at: inAnHour() }, key)).call_id)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`
      const page = await server.json<{ data: Call[]; next_cursor: string | null }>(
        `/agent/calls?limit=2${query}`,
        { key },
      )
      expect(page.status).toBe(200)
      seen.push(...page.body.data.map(({ call_id }) => call_id))
      cursor = page.body.next_cursor
    } while (cursor !== null)
    expect(seen.toSorted()).toEqual(ids.toSorted())
    expect(seen).toHaveLength(5)
  })

  test('filters by status', async () => {
    const { key } = await server.createAccount()
    const { call_id } = await place({ ...call, scheduled_at: inAnHour() }, key)
    await place({ ...call, scheduled_at: inAnHour() }, key)
    await server.json(`/agent/calls/${call_id}/cancel`, { method: 'POST', key })
    const failed = await server.json<{ data: Call[] }>('/agent/calls?status=failed', { key })
    expect(failed.body.data.map((one) => one.call_id)).toEqual([call_id])
  })
})

describe('a request', () => {
  test.each([
    [{ ...call, to: '9812345678' }, 422, 'invalid_phone', 'to'],
    [{ ...call, to: '+977 981 2345678' }, 422, 'invalid_phone', 'to'],
    [{ ...call, agent_id: 'nobody' }, 400, 'invalid_request', 'agent_id'],
    [{ ...call, agent_id: 'nobody', metadata: { a: 'a long value' } }, 400, 'invalid_request', 'agent_id'],
    [{ ...call, from_caller_id: '+9779800000000' }, 403, 'forbidden', 'from_caller_id'],
    [{ ...call, from_caller_id: 'me' }, 422, 'invalid_phone', 'from_caller_id'],
    [{ ...call, language: 'not_a_tag' }, 400, 'invalid_request', 'language'],
    [{ ...call, language: 'klingon' }, 400, 'invalid_request', 'language'],
    [{ ...call, metadata: 'text' }, 400, 'invalid_request', 'metadata'],
    [{ ...call, metadata: { note: 'x'.repeat(20_000) } }, 400, 'invalid_request', 'metadata'],
    [{ ...call, schedule_at: '2027-01-01T00:00:00Z' }, 400, 'invalid_request', 'schedule_at'],
    [{ agent_id: 'reminder' }, 400, 'invalid_request', 'to'],
    [{ ...call, to: 12 }, 400, 'invalid_request', 'to'],
  ])('with %j is rejected with %i %s', async (body, status, code, param) => {
    const { key } = await server.createAccount()
    expect(await server.json('/agent/calls', { body, key })).toMatchObject({
      status,
      body: { error: { code, param } },
    })
  })

  test('keeps metadata as sent, including the order of its keys', async () => {
    const metadata = { odd: 'a\u0007b\ufffd\u202e😀', '': 'empty key', z: 1, a: 2 }
    const { key } = await server.createAccount()
    const placed = await place({ ...call, metadata, scheduled_at: inAnHour() }, key)
    expect(JSON.stringify((await read(placed.call_id, key)).metadata)).toBe(JSON.stringify(metadata))
  })

  test('accepts and returns a verified caller id', async () => {
    const from_caller_id = '+9779811111111'
    expect(await server.json('/admin/caller-ids', { body: { phone_number: from_caller_id } })).toMatchObject({
      status: 201,
    })
    expect(await place({ ...call, from_caller_id, scheduled_at: inAnHour() })).toMatchObject({
      from_caller_id,
    })
  })
})

describe('an agent’s greeting, filled with metadata', () => {
  const agent = { language: 'en-US', voice: 'nova', name: 'Filled' }
  const longest = { ...agent, greeting: '{{a}}'.repeat(400) }
  const putAgent = async (greeting: object, key: string) =>
    expect(await server.json('/admin/agents/filled', { method: 'PUT', body: greeting, key })).toMatchObject({
      status: 200,
    })
  const filled = { ...call, agent_id: 'filled' }

  test('is rejected before anything is stored if it exceeds the limit', async () => {
    const { key } = await server.createAccount()
    await putAgent(longest, key)
    // Fills to 6.5 million characters.
    const body = { ...filled, metadata: { a: 'x'.repeat(16_000) }, scheduled_at: inAnHour() }
    const refused = await server.json('/agent/calls', {
      body,
      key,
      headers: { 'idempotency-key': 'too-long' },
    })
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { code: 'text_too_long', param: 'metadata' } },
    })
    expect(JSON.stringify(refused.body)).not.toContain('xx')
    expect(await server.json('/agent/calls', { key })).toMatchObject({ body: { data: [] } })
    // The idempotency key is free for the corrected request.
    const again = { body: { ...body, metadata: { a: 'x' } }, key, headers: { 'idempotency-key': 'too-long' } }
    expect((await server.json('/agent/calls', again)).status).toBe(201)
  })

  test('is counted in characters, in the language of the call', async () => {
    const { key } = await server.createAccount()
    await putAgent({ ...agent, greeting: '{{a}}', translations: { 'ne-NP': '{{a}}{{a}}' } }, key)
    const status = async (language: string, count: number) => {
      const body = { ...filled, language, metadata: { a: '😀'.repeat(count) }, scheduled_at: inAnHour() }
      return (await server.json('/agent/calls', { body, key })).status
    }
    const limit = LIMITS.filledGreetingCharacters
    expect(await status('en-US', limit / 2)).toBe(201)
    expect(await status('ne-NP', limit / 2)).toBe(201)
    expect(await status('ne-NP', limit / 2 + 1)).toBe(400)
  })

  test('is that of the agent in the mode of the key', async () => {
    const { accountId, key } = await server.createAccount()
    const liveKey = await server.createKey(accountId, true)
    await putAgent(longest, key)
    await putAgent({ ...agent, greeting: '{{a}}' }, liveKey)
    const body = { ...filled, metadata: { a: 'x'.repeat(100) }, scheduled_at: inAnHour() }
    expect((await server.json('/agent/calls', { body, key })).status).toBe(400)
    expect((await server.json('/agent/calls', { body, key: liveKey })).status).toBe(201)
  })

  test('ends the call as failed if a later change of the agent makes it too long', async () => {
    const { key } = await server.createAccount()
    await putAgent({ ...agent, greeting: '{{a}}' }, key)
    const scheduled_at = new Date(Date.now() + 4000).toISOString()
    const { call_id } = await place({ ...filled, metadata: { a: 'x'.repeat(4000) }, scheduled_at }, key)
    await putAgent(longest, key)
    const over = await until(() => read(call_id, key), isOver)
    expect(over).toMatchObject({ status: 'failed', failure_reason: 'agent-error' })
    expect((await eventsOf(call_id)).map(({ type }) => type)).toEqual(['call.queued', 'call.failed'])
  })

  test('cannot control the speech engine: the speech of other accounts stays unchanged', async () => {
    const [other, { key }] = [await server.createAccount(), await server.createAccount()]
    const speak = async () => {
      const body = { model: 'stream-tts', input: 'This is how it sounds.' }
      const response = await server.fetch('/v1/audio/stream', { body, key: other.key })
      return Buffer.from(await response.arrayBuffer())
    }
    const before = await speak()
    await putAgent({ ...agent, greeting: 'Hi {{a}}.' }, key)
    for (let count = 0; count < 4; count++) {
      const { call_id } = await place({ ...filled, metadata: { a: '\u000199H\u00012F\u000119T' } }, key)
      expect(await until(() => read(call_id, key), isOver)).toMatchObject({ status: 'completed' })
    }
    expect((await speak()).equals(before)).toBe(true)
  })
})

describe('the rate limit', () => {
  test('is ten per second for each key, and the response says when to retry', async () => {
    const { key } = await server.createAccount()
    const answers = await Promise.all(
      Array.from({ length: 25 }, () =>
        server.json('/agent/calls', { body: { ...call, scheduled_at: inAnHour() }, key }),
      ),
    )
    const placed = answers.filter(({ status }) => status === 201)
    expect(placed.length).toBeGreaterThanOrEqual(10)
    expect(placed.length).toBeLessThan(20)
    expect(placed[0]?.headers.get('ratelimit-policy')).toBe('"place_call";q=10;w=1')
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.body).toMatchObject({ error: { code: 'rate_limit_exceeded', type: 'rate_limit_error' } })
    expect(refused?.headers.get('retry-after')).toBe('1')
  })
})

describe('the database', () => {
  test('has exactly the contract’s transitions', async () => {
    const { rows } = await sql<{ from_status: string; to_status: string }>`
      select from_status, to_status from call_transitions`.execute(server.context.database)
    const inContract = new Set(listTransitions(CALL_TRANSITIONS).map(({ from, to }) => `${from} ${to}`))
    expect(new Set(rows.map(({ from_status, to_status }) => `${from_status} ${to_status}`))).toEqual(
      inContract,
    )
  })

  test('rejects a transition that is not in the table, and a second dial', async () => {
    const { call_id } = await place({ ...call, scheduled_at: inAnHour() })
    const update = (set: string) =>
      sql`update calls set ${sql.raw(set)} where call_id = ${call_id}`.execute(server.context.database)
    await expect(update(`status = 'completed', answered_at = now(), ended_at = now()`)).rejects.toThrow(
      'cannot go',
    )
    await update(`dial_started_at = now(), lease_expires_at = now() + interval '1 hour', worker_id = 'other'`)
    await expect(update(`dial_started_at = null, lease_expires_at = null`)).rejects.toThrow('dialled twice')
    const givenBack = `dial_started_at = null, lease_expires_at = null, worker_id = null`
    await update(`ringing_since = now()`)
    await expect(update(givenBack)).rejects.toThrow('dialled twice')
    await update(`ringing_since = null`)
    await update(givenBack)
  })
})

describe('an error in the worker', () => {
  test('ends the call as failed, and the next call succeeds', async () => {
    const phone = createSimulatorCarrier({ frameIntervalMs: 2 })
    let isFaulty = true
    const dial: Carrier['dial'] = (request) => {
      if (isFaulty) throw new Error('The trunk is not set up')
      return phone.dial(request)
    }
    await using faulty = await startTestServer({ createSimulator: () => ({ ...phone, dial }) })
    const first = await faulty.json<Call>('/agent/calls', { body: call })
    const read = (id: string) => async () => (await faulty.json<Call>(`/agent/calls/${id}`)).body
    const failed = await until(read(first.body.call_id), isOver)
    expect(failed).toMatchObject({ status: 'failed', failure_reason: 'agent-error' })
    isFaulty = false
    const second = await faulty.json<Call>('/agent/calls', { body: call })
    expect(await until(read(second.body.call_id), isOver)).toMatchObject({ status: 'completed' })
  })
})

describe('the call slots of a worker', () => {
  test('are shared: a burst of one account leaves a slot to other accounts, which do not wait behind it', async () => {
    const carrier = createManualSimulatorCarrier()
    await using small = await startTestServer({ createSimulator: () => carrier, config: { maxCalls: 2 } })
    const other = await small.createAccount()
    const body = { language: 'en-US', voice: 'nova', name: 'Mine', greeting: 'Hi.' }
    await small.json('/admin/agents/mine', { method: 'PUT', body, key: other.key })
    const placeOne = async (body: object, key?: string) =>
      (await small.json<Call>('/agent/calls', { body, ...(key !== undefined && { key }) })).body.call_id
    const burst = await Promise.all(Array.from({ length: 5 }, () => placeOne(call)))
    const dialled = async () => {
      const query = small.context.database.selectFrom('calls').where('dial_started_at', 'is not', null)
      return (await query.select('call_id').execute()).map(({ call_id }) => call_id)
    }
    await until(dialled, (ids) => ids.length === 1)
    const theirs = await placeOne({ ...call, agent_id: 'mine' }, other.key)
    const ids = await until(dialled, (all) => all.length === 2)
    expect(ids).toContain(theirs)
    expect(ids.filter((id) => burst.includes(id))).toHaveLength(1)
  })
})

describe('the duration limit', () => {
  test('ends a call after fifteen minutes as completed', async () => {
    const carrier = createManualSimulatorCarrier()
    await using slow = await startTestServer({ createSimulator: () => carrier })
    const longest = { language: 'en-US', voice: 'nova', name: 'Talker', greeting: 'word '.repeat(400) }
    await slow.json('/admin/agents/talker', { method: 'PUT', body: longest })
    // The carrier's clock runs far ahead of the agent, so the agent is still speaking when the time is up.
    const { body } = await slow.json<Call>('/agent/calls', { body: { ...call, agent_id: 'talker' } })
    await until(
      async () => {
        await carrier.advance(1000)
        return (await slow.json<Call>(`/agent/calls/${body.call_id}`)).body
      },
      ({ status }) => status === 'in-progress',
    )
    await carrier.advance(LIMITS.callDurationSeconds * 1000)
    const over = await until(async () => (await slow.json<Call>(`/agent/calls/${body.call_id}`)).body, isOver)
    expect(over.status).toBe('completed')
    expect(over.duration_seconds).toBeLessThanOrEqual(LIMITS.callDurationSeconds)
  })
})
