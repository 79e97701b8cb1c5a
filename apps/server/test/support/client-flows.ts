import { AbortedError, ApiError, type UploadProgress, type Vaani } from '@vaani/client'
import { askOthers } from '@vaani/conformance'
import { decodeWav } from '@vaani/pcm-audio'
import type { RunningVaani } from '@vaani/test-harness'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testOperatorFlows } from './operator-flows.ts'
import { makePdf } from './documents.ts'
import { recordSpeaker } from './recordings.ts'
import { specimenPath } from './specimen-path.ts'
import { startVaani } from './start-vaani.ts'
import { startChatUpstream, writeUpstreams } from './chat-upstream.ts'
import { until } from '@vaani/test-services/until'

const failureOf = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => {
      throw new Error('It succeeded')
    },
    (error: unknown) => error,
  )

/** A cancellation may come before or after the end. */
const failureOrValue = (run: Promise<unknown>): Promise<unknown> => run.catch((error: unknown) => error)

const MODELS = ['chat-large']
const ENDPOINTS = {
  completions: MODELS,
  embeddings: MODELS,
  'images/generations': MODELS,
  moderations: MODELS,
  'audio/transcriptions': MODELS,
  'audio/translations': MODELS,
  batches: MODELS,
}

/** Describes the upstream that the flows need. */
export const upstreamsOfFlows = (baseUrl: string) => ({
  upstreams: { local: { base_url: baseUrl, models: MODELS, endpoints: ENDPOINTS } },
})

/** Starts a server configured for the flows. */
export async function startFlowServer(): Promise<RunningVaani> {
  await using held = new AsyncDisposableStack()
  const { baseUrl } = held.use(await startChatUpstream())
  const { settings, remove } = await writeUpstreams(upstreamsOfFlows(baseUrl))
  held.defer(remove)
  const environment = {
    VAANI_IDENTITY_POLICY: 'document-only',
    VAANI_CHAT_UPSTREAMS_FILE: settings.chatUpstreamsFile,
  }
  const server = held.use(await startVaani({ environment }))
  const resources = held.move()
  return { ...server, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

/** A server and a way to connect clients to it. */
export interface ClientFlows extends AsyncDisposable {
  readonly server: { readonly key: string }
  connect(apiKey: string): Vaani
}

/** Tests the flows that every integrator runs, with a client connected to the server that `start` returns. */
export function testClientFlows(start: () => Promise<ClientFlows>): void {
  let flows: ClientFlows
  let connect: ClientFlows['connect']
  let vaani: Vaani
  const asked = new Set<string>()
  beforeAll(async () => {
    flows = await start()
    connect = (apiKey) =>
      flows.connect(apiKey).withOptions({ onRequest: ({ method, path }) => asked.add(`${method} ${path}`) })
    vaani = connect(flows.server.key)
  })
  afterAll(() => flows?.[Symbol.asyncDispose]())

  test('models are listed, chat whole and in chunks, and their usage is counted', async () => {
    const { chat, models } = vaani
    const { data } = await models.list()
    const model = data[0]?.id ?? ''
    expect(await models.retrieve(model)).toEqual(data[0])
    const messages = [{ role: 'user' as const, content: 'Good morning.' }]
    const { choices } = await chat.complete({ model, messages })
    expect(choices[0]?.message.content).not.toBe('')
    const chunks = await Array.fromAsync(chat.stream({ model, messages }))
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).not.toBe('')
    const response = await chat.respond({ model, input: 'Good morning.' })
    expect(response.output[0]).toMatchObject({ type: 'message', status: 'completed' })
    const events = await Array.fromAsync(chat.streamResponse({ model, input: 'Good morning.' }))
    expect(events.at(-1)?.type).toBe('response.completed')
    const used = await until(
      () => models.usage({ model }).toArray({ limit: 1 }),
      (days) => days[0]?.requests === 4,
    )
    expect(used).toMatchObject([{ model, requests_without_usage: 0 }])
  })

  test('what an upstream has beside chats is passed on', async () => {
    const { models } = vaani
    const model = 'chat-large'
    expect((await models.embed({ model, input: 'Good' })).data).toMatchObject([{ embedding: [0.25, -0.5] }])
    expect((await models.complete({ model, prompt: 'Good' })).choices[0]?.text).toBe(' morning.')
    expect((await models.moderate({ model, input: 'Good' })).results[0]?.flagged).toBe(false)
    expect((await models.draw({ model, prompt: 'Good' })).data[0]?.b64_json).toBe('AAAA')
    const file = new Blob([await recordSpeaker('woman')], { type: 'audio/wav' })
    expect(await models.transcribe({ model, file, language: 'ne' })).toMatchObject({ model })
    expect(await models.translate({ model, file })).toMatchObject({ model })
  })

  test('files and batches of an upstream are kept there', async () => {
    const { models } = vaani
    const body = { model: 'chat-large', input: 'Good morning.' }
    const line = { custom_id: 'one', method: 'POST', url: '/v1/embeddings', body }
    const file = await models.createFile({ purpose: 'batch', file: new Blob([JSON.stringify(line)]) })
    expect(await models.retrieveFile(file.id)).toEqual(file)
    expect(await Array.fromAsync(models.readFile(file.id))).toEqual([line])
    const sent = { input_file_id: file.id, endpoint: '/v1/embeddings', completion_window: '24h' }
    const batch = await models.createBatch(sent)
    expect(await models.retrieveBatch(batch.id)).toEqual(batch)
    expect((await models.listBatches()).data).toEqual([batch])
    expect(await models.cancelBatch(batch.id)).toMatchObject({ id: batch.id, status: 'cancelling' })
    expect((await models.listFiles({ limit: 1 })).data).toEqual([file])
    expect(await models.removeFile(file.id)).toMatchObject({ id: file.id, deleted: true })
  })

  test('batches are made, and their results streamed', async () => {
    const body = { model: 'chat-large', messages: [{ role: 'user' as const, content: 'Good morning.' }] }
    const sent = { endpoint: '/v1/chat/completions' as const, requests: [{ custom_id: 'one', body }] }
    const { batch_id } = await vaani.batches.create(sent)
    const batch = await vaani.batches.waitUntilFinished(batch_id)
    expect(batch).toMatchObject({ status: 'completed', counts: { total: 1, succeeded: 1 } })
    const results = await Array.fromAsync(vaani.batches.results(batch_id))
    expect(results).toMatchObject([{ custom_id: 'one', status: 200, body: { object: 'chat.completion' } }])
    expect((await vaani.batches.list({ limit: 1 })).data).toEqual([batch])
    const second = await vaani.batches.create({ ...sent, completion_window: '1h' })
    const canceled = await failureOrValue(vaani.batches.cancel(second.batch_id))
    expect(canceled).toMatchObject(
      canceled instanceof ApiError ? { code: 'state_conflict' } : { status: 'canceled' },
    )
  })

  test('documents are read', async () => {
    const image = new Blob([new Uint8Array(makePdf([{ text: 'The letter' }]))])
    const { text, pages } = await vaani.ocr.process({ image })
    expect(text).toBe('The letter')
    expect(pages).toHaveLength(1)
  })

  test('documents are read in the background, if they are long or their caller prefers it', async () => {
    const texts = Array.from({ length: 11 }, (_, index) => ({ text: `Page ${index + 1}` }))
    const long = new Blob([new Uint8Array(makePdf(texts))])
    const { data, status } = await vaani.ocr.process({ image: long }).withResponse()
    expect(status).toBe(202)
    expect(data.text).toBe(texts.map(({ text }) => text).join('\f'))
    const short = new Blob([new Uint8Array(makePdf([{ text: 'The letter' }]))])
    const { document_id } = await vaani.ocr.submit({ image: short })
    const document = await vaani.ocr.waitUntilRead(document_id)
    expect(document).toMatchObject({ status: 'completed', counts: { total: 1, read: 1, unreadable: 0 } })
    expect(document.pages.map((page) => page.error ?? page.text)).toEqual(['The letter'])
    expect((await vaani.ocr.retrieve(document_id, { after: 1 })).pages).toEqual([])
  })

  describe('calls', () => {
    test('are placed, awaited, listed, and their recordings downloaded', async () => {
      const [agent] = (await vaani.agents.list()).data
      const call = await vaani.calls.place({ to: '+9779812345678', agent_id: agent?.agent_id ?? '' })
      expect(await vaani.calls.waitUntilFinished(call.call_id)).toMatchObject({ status: 'completed' })
      const ids: string[] = []
      for await (const { call_id } of vaani.calls.list({ limit: 1 })) ids.push(call_id)
      expect(ids).toContain(call.call_id)
      const recording = await vaani.calls.recording(call.call_id)
      const { format, samples } = decodeWav(await recording.bytes())
      expect(format).toMatchObject({ sampleRateHz: 16_000, channels: 1 })
      expect(samples.some((sample) => Math.abs(sample) > 1000)).toBe(true)
      const { turns } = await vaani.calls.transcript(call.call_id)
      expect(turns).toMatchObject([{ speaker: 'agent', start_ms: expect.any(Number) }])
    })

    test('lose their recording on request', async () => {
      const [agent] = (await vaani.agents.list()).data
      const { call_id } = await vaani.calls.place({ to: '+9779812345676', agent_id: agent?.agent_id ?? '' })
      expect(await failureOf(vaani.calls.removeRecording(call_id))).toMatchObject({ code: 'state_conflict' })
      await vaani.calls.waitUntilFinished(call_id)
      await vaani.calls.removeRecording(call_id)
      await vaani.calls.removeRecording(call_id)
      expect(await failureOf(vaani.calls.recording(call_id))).toMatchObject({ code: 'not_found' })
      expect(await failureOf(vaani.calls.transcript(call_id))).toMatchObject({ code: 'not_found' })
    })

    test('are placed once per idempotency key, and the second response is marked as a replay', async () => {
      const [agent] = (await vaani.agents.list()).data
      const request = { to: '+9779812345679', agent_id: agent?.agent_id ?? '' }
      const options = { idempotencyKey: 'client-e2e-once' }
      const first = await vaani.calls.place(request, options).withResponse()
      const second = await vaani.calls.place(request, options).withResponse()
      expect(second.data.call_id).toBe(first.data.call_id)
      expect([first.replayed, second.replayed]).toEqual([false, true])
      expect(first.requestId).not.toBe(null)
    })

    test('fail with the error codes of their route', async () => {
      const invalid = await failureOf(vaani.calls.place({ to: '12', agent_id: 'reminder' }))
      expect(ApiError.isInstance(invalid, 'calls.place') && invalid.code).toBe('invalid_phone')
      const missing = await failureOf(vaani.calls.retrieve('call_00000000000000000000000000'))
      expect(missing).toMatchObject({ code: 'call_not_found', status: 404, retryable: false })
      const stranger = connect('sk_test_0123456789abcdefghijklmnop')
      expect(await failureOf(stranger.calls.retrieve('call_1'))).toMatchObject({ code: 'unauthorized' })
    })
  })

  describe('speech', () => {
    test('arrives in frames with a descriptor, or as a file', async () => {
      const stream = await vaani.speech.stream({ input: 'Good morning.', language: 'en-US', voice: 'nova' })
      expect(stream.descriptor).toMatchObject({ sample_rate_hz: 16_000, voice: 'nova' })
      let frames = 0
      for await (const frame of stream) {
        expect(frame).toHaveLength(320)
        frames++
      }
      expect(frames).toBeGreaterThan(20)
      const again = await vaani.speech.stream({ input: 'Good morning.', language: 'en-US', voice: 'nova' })
      const { samples } = decodeWav(await again.toWav())
      expect(samples.length / 320).toBeGreaterThan(20)
    })

    test('is streamed by a synthesis model', async () => {
      const request = { model: 'synth-l2', input: 'Good morning.', voice: 'alt1' } as const
      const stream = await vaani.speech.streamSynthesis(request)
      expect(stream.descriptor).toMatchObject({ model: 'synth-l2', voice: 'alt1' })
      expect((await Array.fromAsync(stream)).length).toBeGreaterThan(20)
    })

    test('is synthesized to a file with a descriptor', async () => {
      const request = { model: 'synth-l1', text: 'Good morning.', sample_rate: 16_000 } as const
      const speech = await vaani.speech.synthesize(request)
      const { format, samples } = decodeWav(await speech.bytes())
      expect(format.sampleRateHz).toBe(16_000)
      expect(speech.descriptor).toMatchObject({ model: 'synth-l1', voice: 'default', format: 'wav' })
      expect(speech.descriptor.duration_seconds).toBeCloseTo(samples.length / 16_000, 3)
    })

    test('is spoken by the route of the OpenAI wire format', async () => {
      const request = {
        model: 'tts-1',
        voice: 'alloy',
        input: 'Good morning.',
        response_format: 'wav',
      } as const
      const speech = await vaani.speech.speak(request)
      expect(speech.contentType).toBe('audio/wav')
      expect(decodeWav(await speech.bytes()).format.sampleRateHz).toBe(24_000)
    })

    test('follows a lexicon, which is listed, replaced and removed', async () => {
      const { lexicons, speech } = vaani
      const pcm = async (input: string) =>
        (await speech.speak({ model: 'tts-1', voice: 'nova', input, response_format: 'pcm' })).bytes()
      const entries = [{ term: 'KYC', spoken_as: 'know your customer' }]
      const { version } = await lexicons.replace('en-US', { entries })
      expect(await pcm('The KYC is done.')).toEqual(await pcm('The know your customer is done.'))
      expect(await lexicons.retrieve('en-US')).toMatchObject({ entries, version })
      expect((await lexicons.list()).data).toMatchObject([{ language: 'en-US', entry_count: 1 }])
      const others = [{ term: 'KYC', spoken_as: 'knows the customer' }]
      const outdated = lexicons.replace('en-US', { entries: others, version: 'another' })
      expect(await failureOf(outdated)).toMatchObject({ code: 'state_conflict', param: 'version' })
      await lexicons.remove('en-US')
      expect(await failureOf(lexicons.remove('en-US'))).toMatchObject({ code: 'not_found' })
    })

    test('leads from a recording to its request', async () => {
      const text = 'Your appointment with the doctor has been moved to Thursday morning.'
      const speech = await vaani.speech.synthesize({ model: 'synth-v1', text })
      const { request_id, watermark } = speech.descriptor
      expect(watermark).toBe(true)
      const found = await vaani.watermark.detect({ audio: await speech.bytes() })
      expect(found).toMatchObject({ detected: true, request_id })
    })

    test('ends at once when aborted', async () => {
      const controller = new AbortController()
      const text = 'One, two, three, four, five. '.repeat(20)
      const stream = vaani.speech.stream(
        { input: text, language: 'en-US', voice: 'nova' },
        { signal: controller.signal },
      )
      const failure = await failureOf(
        (async () => {
          for await (const frame of stream) if (frame.length > 0) controller.abort()
        })(),
      )
      expect(AbortedError.isInstance(failure)).toBe(true)
    })
  })

  test('voices are cloned, heard, listed and erased', async () => {
    const recording = new Blob([await recordSpeaker('woman')])
    const voice = await vaani.voices.clone({ name: 'Sita', consent: true, samples: [recording, recording] })
    const other = await vaani.voices.cloneForSynthesis({ name: 'Gita', consent: true, samples: [recording] })
    const listed: string[] = []
    for await (const { voice_id } of vaani.voices.list({ limit: 1 })) listed.push(voice_id)
    expect(listed).toEqual([other.voice_id, voice.voice_id])
    const request = { input: 'Good morning.', language: 'en-US', voice: voice.voice_id }
    const stream = await vaani.speech.stream(request)
    expect((await stream.toWav()).length).toBeGreaterThan(16_000)
    for (const id of listed) await vaani.voices.remove(id)
    expect((await vaani.voices.list()).data).toEqual([])
    expect(await failureOf(vaani.voices.remove(voice.voice_id))).toMatchObject({ code: 'not_found' })
    expect(await failureOf(vaani.speech.stream(request))).toMatchObject({ code: 'voice_not_found' })
    const noise = new Blob(['no recording'])
    const refused = vaani.voices.clone({ name: 'Sita', consent: true, samples: [recording, noise] })
    expect(await failureOf(refused)).toMatchObject({ code: 'media_unreadable', param: 'samples.1' })
  })

  describe('identity', () => {
    test('is submitted from paths and blobs, reports progress, and is awaited', async () => {
      const video = specimenPath('liveness.mp4')
      const reports: UploadProgress[] = []
      const submitted = await vaani.identity.submit(
        { front_image: specimenPath('passport.jpg'), liveness_video: video, external_id: 'test_approved' },
        { onProgress: (progress) => reports.push(progress) },
      )
      expect(await vaani.identity.waitForDecision(submitted.verification_id)).toMatchObject({
        status: 'approved',
      })
      const { sentBytes, totalBytes } = reports.at(-1) ?? { sentBytes: 0, totalBytes: 1 }
      expect(sentBytes).toBe(totalBytes)
      const history: string[] = []
      for await (const { verification_id } of vaani.identity.subject('test_approved'))
        history.push(verification_id)
      expect(history).toEqual([submitted.verification_id])
      const failure = await failureOf(
        vaani.identity.submit({ front_image: new Blob(['no picture']), liveness_video: video }),
      )
      expect(failure).toMatchObject({ code: 'media_unreadable', param: 'front_image' })
    })
  })

  test('webhooks and keys are managed', async () => {
    const endpoint = await vaani.webhooks.createEndpoint({
      url: 'https://example.com/hooks',
      events: ['call.completed'],
    })
    const listed: string[] = []
    for await (const { endpoint_id } of vaani.webhooks.listEndpoints()) listed.push(endpoint_id)
    expect(listed).toContain(endpoint.endpoint_id)
    const key = await vaani.admin.createKey({ name: 'reader', scopes: ['calls:read'] })
    const reader = connect(key.key)
    await expect(reader.calls.list({ limit: 1 })).resolves.toMatchObject({ data: expect.any(Array) })
    expect(await failureOf(reader.webhooks.listDeliveries())).toMatchObject({ code: 'forbidden' })
    await vaani.admin.revokeKey(key.key_id)
    expect(await failureOf(reader.calls.list())).toMatchObject({ code: 'unauthorized' })
  })

  testOperatorFlows({ current: () => vaani, connect: (key) => connect(key) })

  // Last, because it takes what the flows leave.
  test('every other route answers the example of the contract', async () => {
    const document = Object(await vaani.system.openapi())
    await askOthers(document, asked, async (operationId, { path, body }) => {
      const [group = '', name = ''] = operationId.split('.')
      const method: unknown = Reflect.get(Object(Reflect.get(vaani, group)), name)
      if (typeof method !== 'function') throw new Error(`The client has no method for ${operationId}`)
      return method(...Object.values(path), ...(body === undefined ? [] : [body]))
    })
  })
}
