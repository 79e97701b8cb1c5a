import { type StreamDescriptor, SYNTHESIS_MODELS, type SynthesisModel } from '@vaani/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bandEnergy } from './support/band-energy.ts'
import { startTestServer, type TestRequest, type TestServer } from './support/test-server.ts'

const PATH = '/v1/engine/stream'
const INPUT = 'She sells sea shells by the sea shore. Six sick hicks nick six slick bricks.'

let server: TestServer
let key: string
beforeAll(async () => {
  server = await startTestServer()
  key = (await server.createAccount({ tier: 'enterprise' })).key
})
afterAll(() => server[Symbol.asyncDispose]())

const stream = (body: object, request: TestRequest = {}) =>
  server.fetch(PATH, { key, body: { model: 'synth-v1', input: INPUT, ...body }, ...request })
async function hear(body: object): Promise<Int16Array> {
  const response = await stream(body)
  expect(response.status).toBe(200)
  return new Int16Array(await response.arrayBuffer())
}

test('consists of complete frames, with a descriptor that names the model', async () => {
  const response = await stream({ model: 'synth-l1', voice: 'alt1', language: 'en-AU' })
  const descriptor: StreamDescriptor = JSON.parse(response.headers.get('x-stream-descriptor') ?? '')
  expect(descriptor).toMatchObject({
    format: 'pcm16',
    sample_rate_hz: 16_000,
    model: 'synth-l1',
    voice: 'alt1',
    note: expect.stringMatching(/accent/),
    request_id: response.headers.get('x-request-id'),
  })
  const { byteLength } = await response.arrayBuffer()
  expect(byteLength).toBeGreaterThan(32_000)
  expect(byteLength % 640).toBe(0)
})

test('models differ in their band', async () => {
  const [whole = 0, wide = 0, narrow = 0] = await Promise.all(
    SYNTHESIS_MODELS.map(async (model: SynthesisModel) => bandEnergy(await hear({ model }), 6000, 7900)),
  )
  // Energy between 6 and 7.9 kHz, relative to that of everything.
  expect(whole).toBeGreaterThan(wide)
  expect(narrow).toBeLessThan(wide / 10)
})

test('leaves out markup if it is asked to', async () => {
  const plain = await hear({ input: 'Pay $5 now.' })
  expect(await hear({ input: '# Pay **$5** now.', markup: 'strip' })).toEqual(plain)
  expect(await hear({ input: '# Pay **$5** now.' })).not.toEqual(plain)
})

test('follows voice, emotion and speed, and is the same for the same request', async () => {
  const variants = [{}, { voice: 'alt1' }, { voice: 'alt2' }, { emotion: 'calm' }, { speed: 2 }, {}]
  const heard = await Promise.all(variants.map(hear))
  const digests = heard.map((samples) => Buffer.from(samples.buffer).toString('base64'))
  expect(new Set(digests).size).toBe(variants.length - 1)
  expect(digests[0]).toBe(digests.at(-1))
})

test.each([
  [{ input: 'a'.repeat(4097) }, 400, 'text_too_long', 'input'],
  [{ model: 'stream-tts' }, 400, 'invalid_request', 'model'],
  [{ voice: 'nova' }, 422, 'voice_not_found', 'voice'],
  [{ language: 'tlh' }, 400, 'invalid_request', 'language'],
  [{ format: 'mp3' }, 400, 'invalid_request', 'format'],
  [{ input: '\u200b' }, 400, 'invalid_request', 'input'],
  [{ input: '\ue000' }, 400, 'invalid_request', 'input'],
  [{ input: '---\n', markup: 'strip' }, 400, 'invalid_request', 'input'],
])('with %j is rejected with %i %s', async (body, status, code, param) => {
  const answer = await stream(body)
  expect({ status: answer.status, body: await answer.json() }).toMatchObject({
    status,
    body: { error: { code, param } },
  })
})

test.each([
  ['synth-v1', 'synthesis_high_fidelity', 500],
  ['synth-l2', 'synthesis_light', 1000],
] as const)('%s counts under %s', async (model, name, limit) => {
  const account = await server.createAccount({ tier: 'pro' })
  const response = await stream({ model, input: 'Hi' }, { key: account.key })
  const policy = response.headers.get('ratelimit-policy')
  expect(policy).toContain(`"${name}";q=${limit};w=60`)
  expect(policy).toContain('"concurrent_streams";q=50')
  await response.body?.cancel()
})
