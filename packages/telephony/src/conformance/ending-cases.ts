import assert from 'node:assert/strict'
import { dialSubject, eventOf, framesOfLevel, unanswered, whileTimePasses } from './carrier-subject.ts'
import type { CarrierSubject, ConformanceCase } from './carrier-subject.ts'

/** A call ends once and as requested, and leaves no promise pending. */
export const endingCases: readonly ConformanceCase[] = [
  {
    name: 'hangs up once and drops the queue; every later method call is a no-op',
    async run(subject) {
      const call = dialSubject(subject)
      await whileTimePasses(subject, eventOf(call, 'answered'))
      const sending = call.send(framesOfLevel(subject, 8000, 60_000))
      const drained = call.drained()
      call.hangUp()
      call.hangUp()
      const ended = await whileTimePasses(subject, call.ended)
      assert.equal(ended.outcome, 'completed')
      await whileTimePasses(subject, Promise.all([sending, drained]))

      call.hangUp()
      call.clear()
      await call.send(framesOfLevel(subject, 8000, 20))
      await call.drained()
      assert.deepEqual(await eventOf(call, 'ended'), ended)
      for await (const event of call.events) assert.fail(`\`${event.type}\` after \`ended\``)
    },
  },
  {
    name: 'is canceled by a hang-up while it rings',
    needs: 'neverAnswers',
    async run(subject) {
      const call = dialSubject(subject, unanswered(subject))
      await whileTimePasses(subject, eventOf(call, 'ringing'))
      call.hangUp()
      assertCanceled(await whileTimePasses(subject, call.ended))
    },
  },
  {
    name: 'is canceled by its signal while it rings',
    needs: 'neverAnswers',
    async run(subject) {
      const controller = new AbortController()
      const call = dialSubject(subject, { ...unanswered(subject), signal: controller.signal })
      await whileTimePasses(subject, eventOf(call, 'ringing'))
      controller.abort()
      assertCanceled(await whileTimePasses(subject, call.ended))
    },
  },
  {
    name: 'does not ring if its signal was aborted before',
    async run(subject) {
      const call = dialSubject(subject, { signal: AbortSignal.abort() })
      const ended = await whileTimePasses(subject, eventOf(call, 'ended'))
      assertCanceled(ended)
    },
  },
  {
    name: 'ends at its maximum duration',
    async run(subject) {
      const call = dialSubject(subject, { maxDurationMs: 1000 })
      const ended = await whileTimePasses(subject, call.ended)
      assert.equal(ended.outcome, 'duration_limit')
      assert.equal(ended.endedBy, 'duration_limit')
      assert.ok(ended.durationMs >= 1000, 'not before')
      assert.ok(ended.durationMs < 2000, 'not long after')
    },
  },
  {
    name: 'ends its calls when it is closed, and then refuses to dial',
    needs: 'neverAnswers',
    async run(subject) {
      const ringing = dialSubject(subject, unanswered(subject))
      await whileTimePasses(subject, eventOf(ringing, 'ringing'))
      const closing = subject.carrier.close()
      assertCanceled(await whileTimePasses(subject, ringing.ended))
      await closing
      await subject.carrier.close()
      assert.throws(() => dialSubject(subject), { code: 'carrier_closed' })
    },
  },
  ...(['busy', 'rejects', 'neverAnswers', 'unreachable'] as const).map((needs) => ({
    name: `reports the outcome of an unanswered call: ${needs}`,
    needs,
    run: (subject: CarrierSubject) => assertUnanswered(subject, needs),
  })),
]

const OUTCOMES = {
  busy: 'busy',
  rejects: 'rejected',
  neverAnswers: 'no_answer',
  unreachable: 'unreachable',
} as const

async function assertUnanswered(subject: CarrierSubject, behaviour: keyof typeof OUTCOMES): Promise<void> {
  const to = subject.numbers[behaviour]
  assert.ok(to, 'the case runs only with its number')
  const call = dialSubject(subject, { to, ringTimeoutMs: 3000 })
  void call.send(framesOfLevel(subject, 8000, 10_000))
  const ended = await whileTimePasses(subject, call.ended)
  assert.equal(ended.outcome, OUTCOMES[behaviour])
  assert.equal(ended.durationMs, 0)
  assert.equal(ended.recording, undefined)
  await call.drained()
}

function assertCanceled(ended: {
  outcome: string
  endedBy: string
  durationMs: number
  recording?: unknown
}) {
  const { outcome, endedBy, durationMs, recording } = ended
  assert.deepEqual(
    { outcome, endedBy, durationMs, recording },
    {
      outcome: 'canceled',
      endedBy: 'agent',
      durationMs: 0,
      recording: undefined,
    },
  )
}
