import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jitter } from '../../test/support/jitter.ts'
import { createService, never, refusal } from '../../test/support/service.ts'
import { AbortedError, ApiError, StillPending } from '../errors.ts'
import type { Verification, VerificationEvent } from '../generated/types.ts'
import { createIdentity } from './identity.ts'
import type { WebhookInbox } from './wait.ts'
import { createWebhookInbox } from './webhook-inbox.ts'

const verification = (status: Verification['decision'], verification_id = 'ver_1'): Verification => ({
  verification_id,
  decision: status,
  status,
  scores: { face_match: null, liveness: null, document_quality: null },
  reasons: [],
  model_used: null,
  external_id: null,
  livemode: false,
  created_at: '2026-01-01T00:00:00Z',
  decided_at: null,
})
const approvedEvent = (verification_id = 'ver_1'): VerificationEvent => ({
  event_id: 'evt_1',
  type: 'verification.approved',
  created_at: '2026-01-01T00:00:00Z',
  data: verification('approved', verification_id),
})
const pending = (): Response => Response.json(verification('pending'))
const approved = (): Response => Response.json(verification('approved'))

/** Resolves once all pending microtasks have run. */
const allThatFollows = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
function endable(): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, end: () => controller.abort() }
}

describe('waitForDecision', () => {
  test.each(['approved', 'declined'] as const)(
    'returns a verification that is already %s after one read',
    async (status) => {
      const { options, requests, clock } = createService(() => Response.json(verification(status)))
      await expect(createIdentity(options).waitForDecision('ver_1')).resolves.toMatchObject({ status })
      expect(requests).toHaveLength(1)
      expect(clock.waitsMs).toEqual([])
      expect(clock.pending()).toBe(0)
    },
  )

  test('needs only the decision', async () => {
    const decided = { verification_id: 'ver_1', decision: 'approved', scores: {} }
    const { options, requests } = createService(() => Response.json(decided))
    await expect(createIdentity(options).waitForDecision('ver_1')).resolves.toEqual(decided)
    expect(requests).toHaveLength(1)
  })

  test('waits 2 to 5 s between reads whatever the jitter, for at most 60 s, then reports the last status', () =>
    fc.assert(
      fc.asyncProperty(jitter, async (random) => {
        const { options, requests, clock } = createService(() => Response.json(verification('review')), {
          random,
        })
        const startMs = clock.nowMs()
        const error = await createIdentity(options)
          .waitForDecision('ver_1')
          .catch((error: unknown) => error)
        expect(error).toBeInstanceOf(StillPending)
        expect(error).toMatchObject({ id: 'ver_1', status: 'review', attempts: requests.length })
        expect(Math.min(...clock.waitsMs)).toBeGreaterThanOrEqual(2000)
        expect(Math.max(...clock.waitsMs)).toBeLessThanOrEqual(5000)
        expect(clock.nowMs() - startMs).toBeLessThanOrEqual(60_000)
        // It did not give up while another wait would have fitted.
        expect(clock.nowMs() - startMs).toBeGreaterThan(55_000)
        expect(clock.pending()).toBe(0)
      }),
    ))

  test('never reads more than 120 times, even with a longer limit', async () => {
    const { options, requests } = createService(pending, { random: () => 0 })
    const waiting = createIdentity(options).waitForDecision('ver_1', { forMs: 86_400_000 })
    await expect(waiting).rejects.toBeInstanceOf(StillPending)
    expect(requests).toHaveLength(120)
  })

  test('reads once if it may not wait', async () => {
    const { options, requests } = createService(pending)
    const waiting = createIdentity(options).waitForDecision('ver_1', { forMs: 0 })
    await expect(waiting).rejects.toMatchObject({ name: 'StillPending', attempts: 1 })
    expect(requests).toHaveLength(1)
  })

  test('requests the extracted fields in every read, if asked to', async () => {
    const { options, requests } = createService((_, number) => (number < 3 ? pending() : approved()))
    await createIdentity(options).waitForDecision('ver_1', { includeMedia: 'extracted' })
    expect(requests.map(({ url }) => url.search)).toEqual(Array(3).fill('?include_media=extracted'))
  })

  describe('temporary failures', () => {
    test.each([
      ['a failure of the service', () => refusal(503, 'service_unavailable')],
      ['no connection', () => Promise.reject(new TypeError('fetch failed'))],
      ['a body that is cut off', () => new Response(new ReadableStream({ pull: (body) => body.error() }))],
    ])('keeps polling after %s, with one attempt per read', async (_, fault) => {
      const { options, requests, clock } = createService((_, number) => (number < 4 ? fault() : approved()))
      await expect(createIdentity(options).waitForDecision('ver_1')).resolves.toMatchObject({
        status: 'approved',
      })
      expect(requests).toHaveLength(4)
      expect(clock.waitsMs).toEqual([3500, 3500, 3500])
    })

    test('waits for the Retry-After of a rate limit', async () => {
      const { options, clock } = createService((_, number) =>
        number === 1 ? refusal(429, 'rate_limit_exceeded', { 'retry-after': '9' }) : approved(),
      )
      await createIdentity(options).waitForDecision('ver_1')
      expect(clock.waitsMs).toEqual([9000])
    })

    test('ends at once if Retry-After exceeds the time left', async () => {
      const { options, clock } = createService(() =>
        refusal(429, 'rate_limit_exceeded', { 'retry-after': '61' }),
      )
      const waiting = createIdentity(options).waitForDecision('ver_1')
      await expect(waiting).rejects.toMatchObject({ name: 'StillPending', status: null })
      expect(clock.waitsMs).toEqual([])
    })

    test('a refusal is thrown', async () => {
      const { options, requests } = createService(() => refusal(404, 'verification_not_found'))
      const error = await createIdentity(options)
        .waitForDecision('ver_1')
        .catch((error: unknown) => error)
      expect(ApiError.isInstance(error, 'identity.retrieve') && error.code).toBe('verification_not_found')
      expect(requests).toHaveLength(1)
    })
  })

  describe('with a webhook inbox', () => {
    test('reads at once when an event arrives, and leaves no timer or listener', async () => {
      const inbox = createWebhookInbox()
      const { options, requests, clock } = createService(
        (_, number) => (number === 1 ? pending() : approved()),
        { passesWaits: false },
      )
      const waiting = createIdentity(options).waitForDecision('ver_1', { inbox })
      await clock.untilSet(3500)
      inbox.receive(approvedEvent())
      await expect(waiting).resolves.toMatchObject({ status: 'approved' })
      expect(requests).toHaveLength(2)
      expect(clock.pending()).toBe(0)
    })

    test('an earlier event triggers one read, not an endless series', async () => {
      const inbox = createWebhookInbox()
      inbox.receive(approvedEvent())
      const { options, requests, clock } = createService(pending, { passesWaits: false })
      const { signal, end } = endable()
      const waiting = createIdentity(options).waitForDecision('ver_1', { inbox, signal })
      await allThatFollows()
      expect(requests).toHaveLength(2)
      clock.advance(3500)
      await allThatFollows()
      expect(requests).toHaveLength(3)
      end()
      await expect(waiting).rejects.toBeInstanceOf(AbortedError)
      expect(clock.pending()).toBe(0)
    })

    test('does not trust the status in an event, so a forged event cannot approve anyone', async () => {
      const inbox = createWebhookInbox()
      inbox.receive(approvedEvent())
      const { options } = createService((_, number) =>
        number < 3 ? pending() : Response.json(verification('declined')),
      )
      const decided = await createIdentity(options).waitForDecision('ver_1', { inbox })
      expect(decided.status).toBe('declined')
    })

    test('ignores events of other verifications', async () => {
      const inbox = createWebhookInbox()
      const { options, requests, clock } = createService(pending, { passesWaits: false })
      const { signal, end } = endable()
      const waiting = createIdentity(options).waitForDecision('ver_1', { inbox, signal })
      await clock.untilSet(3500)
      inbox.receive(approvedEvent('ver_2'))
      await allThatFollows()
      expect(requests).toHaveLength(1)
      end()
      await expect(waiting).rejects.toBeInstanceOf(AbortedError)
    })

    test('keeps its intervals if the inbox fails', async () => {
      const inbox: WebhookInbox = { waitFor: () => Promise.reject(new Error('the queue is gone')) }
      const { options, requests, clock } = createService(pending, { passesWaits: false })
      const { signal, end } = endable()
      const waiting = createIdentity(options).waitForDecision('ver_1', { inbox, signal })
      await allThatFollows()
      expect(requests).toHaveLength(1)
      clock.advance(3500)
      await allThatFollows()
      expect(requests).toHaveLength(2)
      end()
      await expect(waiting).rejects.toBeInstanceOf(AbortedError)
    })
  })

  describe('abort', () => {
    test('between two reads: at once, with its reason, and without leftovers', async () => {
      const controller = new AbortController()
      const inbox = createWebhookInbox()
      const { options, requests, clock } = createService(pending, { passesWaits: false })
      const { signal } = controller
      const waiting = createIdentity(options).waitForDecision('ver_1', { signal, inbox })
      await clock.untilSet(3500)
      const reason = new Error('the user left')
      controller.abort(reason)
      await expect(waiting).rejects.toMatchObject({ name: 'AbortedError', cause: reason })
      expect(requests).toHaveLength(1)
      expect(clock.pending()).toBe(0)
    })

    test('during a read: at once', async () => {
      const controller = new AbortController()
      const { options } = createService((sent) => {
        queueMicrotask(() => controller.abort())
        return never(sent)
      })
      const waiting = createIdentity(options).waitForDecision('ver_1', { signal: controller.signal })
      await expect(waiting).rejects.toBeInstanceOf(AbortedError)
    })

    test('before it starts: nothing is sent', async () => {
      const { options, requests } = createService(approved)
      const waiting = createIdentity(options).waitForDecision('ver_1', { signal: AbortSignal.abort() })
      await expect(waiting).rejects.toBeInstanceOf(AbortedError)
      expect(requests).toHaveLength(0)
    })
  })
})
