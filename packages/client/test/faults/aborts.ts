import { assert } from 'chai'
import { AbortedError, StillPending } from '../../src/index.ts'
import { type Fault, failureOf, PLACE } from './fault.ts'
import { CALL, failure, hang, json, VERIFICATION } from './steps.ts'

export const aborts: readonly Fault[] = [
  {
    name: 'Abort while waiting for a retry: at once',
    steps: [failure(429, 'rate_limit_exceeded', { 'retry-after': '5' })],
    passesWaits: false,
    async check({ vaani, server, clock }) {
      const controller = new AbortController()
      const failed = failureOf(vaani.calls.place(PLACE, { signal: controller.signal }))
      await clock.untilSet(5125)
      controller.abort(new Error('the user left'))
      const error = await failed
      assert(AbortedError.isInstance(error))
      assert.match(String(error.cause), /the user left/)
      assert.lengthOf(await server.seen(), 1)
    },
  },
  {
    name: 'Abort while waiting for headers: at once, and the connection ends',
    steps: [hang],
    async check({ vaani, server }) {
      const controller = new AbortController()
      const failed = failureOf(vaani.calls.retrieve('call_1', { signal: controller.signal }))
      await server.received(1)
      controller.abort()
      assert(AbortedError.isInstance(await failed))
      await server.closed(1)
    },
  },
  {
    name: 'A signal that is already aborted: nothing is sent',
    steps: [json(200, CALL)],
    async check({ vaani, server }) {
      const error = await failureOf(vaani.calls.retrieve('call_1', { signal: AbortSignal.abort() }))
      assert(AbortedError.isInstance(error))
      assert.lengthOf(await server.seen(), 0)
    },
  },
  {
    name: 'A fetch that ignores signals: aborts still take effect',
    steps: [hang],
    options: { fetch: () => new Promise(() => undefined) },
    async check({ vaani }) {
      const controller = new AbortController()
      const failed = failureOf(vaani.calls.retrieve('call_1', { signal: controller.signal }))
      controller.abort()
      assert(AbortedError.isInstance(await failed))
    },
  },
  {
    name: 'A verification that stays pending: read every 2 to 5 s for 60 s, then StillPending',
    steps: [json(200, { ...VERIFICATION, decision: 'review', status: 'review' })],
    async check({ vaani, server, clock }) {
      const error = await failureOf(vaani.identity.waitForDecision('ver_1'))
      assert(StillPending.isInstance(error))
      assert.deepEqual([error.id, error.status], ['ver_1', 'review'])
      // 3.5 s apart, because the jitter is fixed at its midpoint.
      assert.lengthOf(await server.seen(), 18)
      assert(clock.waitsMs.every((waitMs) => waitMs === 3500))
    },
  },
  {
    name: 'A status that this version does not know: polled like any other, never more than 120 times',
    steps: [json(200, { ...VERIFICATION, decision: 'escalated', status: 'escalated' })],
    async check({ vaani, server }) {
      const error = await failureOf(vaani.identity.waitForDecision('ver_1', { forMs: 3_600_000 }))
      assert(StillPending.isInstance(error))
      assert.lengthOf(await server.seen(), 120)
    },
  },
]
