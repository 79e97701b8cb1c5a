import { AbortedError, ApiError, type UploadProgress, type Vaani } from '@vaani/client'
import { decodeWav } from '@vaani/pcm-audio'
import type { RunningVaani } from '@vaani/test-harness'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testOperatorFlows } from './operator-flows.ts'
import { specimenPath } from './specimen-path.ts'
import { startVaani } from './start-vaani.ts'

const failureOf = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => {
      throw new Error('It succeeded')
    },
    (error: unknown) => error,
  )

/** Starts a server configured for the flows. */
export const startFlowServer = (): Promise<RunningVaani> =>
  startVaani({ environment: { VAANI_IDENTITY_POLICY: 'document-only' } })

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
  beforeAll(async () => {
    flows = await start()
    connect = flows.connect
    vaani = connect(flows.server.key)
  })
  afterAll(() => flows?.[Symbol.asyncDispose]())

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
    })

    test('lose their recording on request', async () => {
      const [agent] = (await vaani.agents.list()).data
      const { call_id } = await vaani.calls.place({ to: '+9779812345676', agent_id: agent?.agent_id ?? '' })
      expect(await failureOf(vaani.calls.removeRecording(call_id))).toMatchObject({ code: 'state_conflict' })
      await vaani.calls.waitUntilFinished(call_id)
      await vaani.calls.removeRecording(call_id)
      await vaani.calls.removeRecording(call_id)
      expect(await failureOf(vaani.calls.recording(call_id))).toMatchObject({ code: 'not_found' })
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

  testOperatorFlows(() => vaani)
}
