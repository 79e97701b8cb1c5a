import type { Call, CallTranscript } from '@vaani/contracts'
import { decodeWav } from '@vaani/pcm-audio'
import { createLiveSpeech } from '@vaani/speech'
import { SIMULATOR_NUMBERS } from '@vaani/telephony-sip/simulator'
import { until } from '@vaani/test-services/until'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { DEFAULT_AGENTS } from '../src/features/agents/default-agents.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const TO = '+9779812345678'
const DAY_MS = 86_400_000
const FRAME_MS = 20
const FRAME_SAMPLES = 320

let server: TestServer
let nowMs = Date.now()
beforeAll(async () => void (server = await startTestServer({ clock: { nowMs: () => nowMs } })))
afterAll(() => server[Symbol.asyncDispose]())

interface Asked {
  to?: string
  key?: string
  agent_id?: string
  language?: string
  metadata?: Record<string, string>
  on?: TestServer
}
async function place({ key, on = server, ...body }: Asked = {}): Promise<string> {
  // Otherwise the frozen clock would count all calls of the file as those of one second.
  nowMs += 1000
  const call = { to: TO, agent_id: 'support', language: 'en-US', ...body }
  return (await on.json<Call>('/agent/calls', { body: call, ...(key !== undefined && { key }) })).body.call_id
}
async function makeCall(asked: Asked = {}): Promise<Call> {
  const callId = await place(asked)
  const { key, on = server } = asked
  return until(
    async () => (await on.json<Call>(`/agent/calls/${callId}`, key === undefined ? {} : { key })).body,
    ({ ended_at }) => ended_at !== undefined,
  )
}
const read = (callId: string, key?: string, on = server) =>
  on.json<CallTranscript>(`/agent/calls/${callId}/transcript`, key === undefined ? {} : { key })
async function turnOf(callId: string) {
  const { status, body } = await read(callId)
  expect({ status, turns: body.turns?.length }).toEqual({ status: 200, turns: 1 })
  const [turn] = body.turns
  if (turn === undefined) throw new Error('Nobody spoke')
  return turn
}
const refusal = (status: number, code: string) => ({ status, body: { error: { code } } })
const erase = (callId: string) =>
  server.fetch(`/agent/calls/${callId}/recording`, { method: 'DELETE' }).then(({ status }) => status)
const rowOf = (callId: string) =>
  server.context.database
    .selectFrom('call_transcripts')
    .where('call_id', '=', callId)
    .select('turns')
    .executeTakeFirst()

function greetingOf(agentId: string, language: string, name: string): { voice: string; text: string } {
  const agent = DEFAULT_AGENTS.find(({ agent_id }) => agent_id === agentId)
  const text = agent?.language === language ? agent.greeting : agent?.translations[language]
  return { voice: agent?.voice ?? '', text: text?.replace(/\{\{name\|.*?\}\}/, name) ?? '' }
}

/** Lets the engine say a text, and returns its frames with the words that it marks in them. */
async function speak(language: string, { voice, text }: { voice: string; text: string }) {
  const { engine } = server.context.speech
  if (engine === null) throw new Error('There is no engine')
  const speech = createLiveSpeech({ engine, voice, language, emotion: 'neutral', speed: 1 })
  speech.hear({ type: 'speak', text })
  speech.hear({ type: 'end' })
  const words: { text: string; atMs: number }[] = []
  const samples: number[] = []
  for (let event = await speech.next(); event !== undefined; event = await speech.next()) {
    if (event.type === 'audio') samples.push(...event.samples)
    if (event.type === 'mark' && event.kind === 'word') words.push(event)
  }
  return { words, samples: Int16Array.from(samples) }
}

async function recordingOf(callId: string): Promise<Int16Array> {
  const response = await server.fetch(`/agent/calls/${callId}/recording`)
  return decodeWav(new Uint8Array(await response.arrayBuffer())).samples
}

/** The frame in which a place lies. */
function frameAt(samples: Int16Array, atMs: number): Int16Array {
  const frame = Math.floor(atMs / FRAME_MS)
  return samples.slice(frame * FRAME_SAMPLES, (frame + 1) * FRAME_SAMPLES)
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Int16Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

describe('the transcript of a call', () => {
  test.each([
    ['en-US', 'Sita'],
    ['ne-NP', 'सीता'],
  ])('has what the agent said in %s, each word where it stands in the recording', async (language, name) => {
    const call = await makeCall({ language, metadata: { name } })
    const turn = await turnOf(call.call_id)
    const greeting = greetingOf('support', language, name)
    expect(turn).toMatchObject({ speaker: 'agent', language, text: greeting.text })
    expect(turn.cut_by).toBeUndefined()
    expect(turn.words.map(({ text }) => text).join('')).toBe(turn.text)
    expect(turn.end_ms).toBeLessThanOrEqual(1000 * (call.duration_seconds ?? 0))
    const said = await speak(language, greeting)
    expect(turn.words).toHaveLength(said.words.length)
    const recording = await recordingOf(call.call_id)
    for (const [index, { text, atMs }] of said.words.entries()) {
      const word = turn.words[index]
      expect(word?.text).toContain(text)
      expect(frameAt(recording, word?.start_ms ?? 0)).toEqual(frameAt(said.samples, atMs))
    }
  })

  test.each([
    ['callee', SIMULATOR_NUMBERS.hangsUp.number, 3000],
    ['carrier', SIMULATOR_NUMBERS.lineDrops.number, 2000],
  ] as const)('ends where the %s cut it', async (cutBy, to, endMs) => {
    const call = await makeCall({ to, metadata: { name: 'Sita' } })
    const turn = await turnOf(call.call_id)
    const greeting = greetingOf('support', 'en-US', 'Sita')
    expect(turn.cut_by).toBe(cutBy)
    expect(greeting.text.startsWith(turn.text)).toBe(true)
    expect(turn.text.length).toBeLessThan(greeting.text.length)
    expect(turn.end_ms).toBeLessThanOrEqual(endMs)
    const said = await speak('en-US', greeting)
    const recording = await recordingOf(call.call_id)
    for (const [index, { start_ms }] of turn.words.entries())
      expect(frameAt(recording, start_ms)).toEqual(frameAt(said.samples, said.words[index]?.atMs ?? 0))
    const next = said.words[turn.words.length]
    expect(recording.length / 16).toBe(endMs)
    expect(bytesOf(recording).includes(bytesOf(frameAt(said.samples, next?.atMs ?? 0)))).toBe(false)
  })

  test('is there only once the call has ended, and only for its account and mode', async () => {
    const { accountId, key } = await server.createAccount()
    const queued = await place({ key })
    expect(await read(queued, key)).toMatchObject(refusal(404, 'not_found'))
    const { call_id } = await makeCall({ key })
    expect((await read(call_id, key)).status).toBe(200)
    const other = await server.createAccount()
    for (const stranger of [other.key, await server.createKey(accountId, true)])
      expect(await read(call_id, stranger)).toMatchObject(refusal(404, 'call_not_found'))
    const deaf = await server.createKey(accountId, false, ['calls:write'])
    expect(await read(call_id, deaf)).toMatchObject(refusal(403, 'forbidden'))
  })

  test('is not found for a call that nobody answered', async () => {
    const { call_id, answered_at } = await makeCall({ to: SIMULATOR_NUMBERS.busy.number })
    expect(answered_at).toBeUndefined()
    expect(await read(call_id)).toMatchObject(refusal(404, 'not_found'))
  })

  test('is not kept without the recording', async () => {
    await using broken = await startTestServer()
    vi.spyOn(broken.context.blobs, 'put').mockRejectedValue(
      Object.assign(new Error('Full'), { code: 'ENOSPC' }),
    )
    const { call_id } = await makeCall({ on: broken })
    expect(await read(call_id, undefined, broken)).toMatchObject(refusal(404, 'not_found'))
    expect(await broken.context.database.selectFrom('call_transcripts').selectAll().execute()).toEqual([])
  })
})

describe('a stored transcript', () => {
  test('is sealed, and is for one call only', async () => {
    const [first, second] = [await makeCall({ metadata: { name: 'Sita' } }), await makeCall()]
    const row = await rowOf(first.call_id)
    expect(row?.turns.includes('Sita')).toBe(false)
    await server.context.database
      .updateTable('call_transcripts')
      .set({ turns: row?.turns ?? Buffer.alloc(0) })
      .where('call_id', '=', second.call_id)
      .execute()
    expect(await read(second.call_id)).toMatchObject(refusal(500, 'internal_error'))
  })

  test('is erased with the recording', async () => {
    const { call_id } = await makeCall()
    for (const _ of ['first', 'retry']) expect(await erase(call_id)).toBe(204)
    expect(await read(call_id)).toMatchObject(refusal(404, 'not_found'))
    expect(await rowOf(call_id)).toBeUndefined()
  })

  test('is erased and removed by servers of the version before, which do not know of it', async () => {
    const [erased, removed] = [await makeCall(), await makeCall()]
    const calls = server.context.database
    await calls
      .updateTable('calls')
      .set({ recording_data_key: null, recording_erased_at: new Date() })
      .where('call_id', '=', erased.call_id)
      .execute()
    await calls.deleteFrom('calls').where('call_id', '=', removed.call_id).execute()
    for (const { call_id } of [erased, removed]) expect(await rowOf(call_id)).toBeUndefined()
  })

  test('is kept as long as the recording', async () => {
    const { accountId, key } = await server.createAccount()
    const body = { recording_retention_days: 2 }
    await server.json(`/admin/accounts/${accountId}`, { method: 'PATCH', body })
    const { call_id } = await makeCall({ key })
    const startedMs = nowMs
    const statusAfter = async (days: number) => {
      nowMs = startedMs + days * DAY_MS
      await server.context.sweep()
      return (await read(call_id, key)).status
    }
    try {
      expect([await statusAfter(1.9), await statusAfter(2.1)]).toEqual([200, 404])
      expect(await rowOf(call_id)).toBeUndefined()
    } finally {
      nowMs = startedMs
    }
  })
})
