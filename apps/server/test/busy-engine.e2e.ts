import { availableParallelism } from 'node:os'
import type { ErrorBody } from '@vaani/contracts'
import { SpeechError, type SynthesisRequest } from '@vaani/speech'
import { expect, test } from 'vitest'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

const request = (text: string): SynthesisRequest => ({
  text,
  voice: 'nova',
  language: 'en-US',
  prosody: { rate: 1, pitchSemitones: 0, range: 1, energy: 1 },
})
/** Takes seconds to synthesize. No single stream requests this much at once. */
const LONG = request('These are some words. '.repeat(500))
const SHORT = request('Hi.')
const MORE_THAN_WAIT = 3000

/** Keeps every engine thread busy and its queue full until the abort. Returns the refusals that the engine throws. */
function overload({ context }: TestServer, signal: AbortSignal): SpeechError[] {
  const { engine } = context.speech
  if (engine === null) throw new Error('No engine is installed')
  const refusals: SpeechError[] = []
  async function say(asked: SynthesisRequest, tenant: string): Promise<void> {
    try {
      while (!signal.aborted)
        for await (const _ of engine?.synthesize(asked, { signal, tenant, priority: 'first' }) ?? []);
    } catch (error) {
      if (!(error instanceof SpeechError)) throw error
      refusals.push(error)
    }
  }
  for (let index = 0; index < availableParallelism() + 1; index++) void say(LONG, 'long')
  for (let index = 0; index < MORE_THAN_WAIT; index++) void say(SHORT, `tenant ${index}`)
  return refusals
}

test('a stream is rejected while the engine’s queue is full, and accepted afterwards', async () => {
  await using server = await startTestServer({ config: { roles: new Set(['api']) } })
  const stream = () =>
    server.fetch('/v1/audio/stream', { body: { model: 'stream-tts', input: 'Is there room?' } })
  // Make sure that the threads have started; otherwise they would take no work.
  await (await stream()).arrayBuffer()
  const over = new AbortController()
  const refusals = overload(server, over.signal)
  // One that comes as a place becomes free is accepted.
  const refused = await until(stream, ({ status }) => status === 503)
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(((await refused.json()) as ErrorBody).error).toMatchObject({
    code: 'service_unavailable',
    type: 'api_error',
  })
  over.abort()
  expect(refusals.some(({ code }) => code === 'engine_busy')).toBe(true)
  const next = await until(stream, ({ status }) => status === 200)
  expect((await next.arrayBuffer()).byteLength).toBeGreaterThan(0)
})
