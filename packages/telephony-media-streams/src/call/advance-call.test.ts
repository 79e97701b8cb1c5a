import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Progress } from '../provider/provider.ts'
import { advanceCall } from './advance-call.ts'
import { type CallEffect, type CallInput, callToPlace } from './call-state.ts'

const CALL = `CA${'1'.repeat(32)}`
const OTHER = `CA${'2'.repeat(32)}`
const RING_MS = 45_000
const CREATED: CallInput = { type: 'creation', creation: { type: 'created', callSid: CALL } }
const UNKNOWN: CallInput = { type: 'creation', creation: { type: 'unknown' } }
const TICK: CallInput = { type: 'tick' }
const BUSY = { type: 'failed', verdict: { outcome: 'busy', endedBy: 'callee' }, sipStatus: 486 } as const

const report = (
  sequence: number,
  type: Progress | 'queued' | 'ringing' | 'answered' | 'completed',
  callSid = CALL,
): CallInput => ({
  type: 'callback',
  callback: { callSid, sequence, progress: typeof type === 'string' ? { type } : type },
})
const started = (callSid = CALL): CallInput => ({ type: 'stream_started', callSid })
const stopped: CallInput = { type: 'stream_ended', isOrderly: true }
const lost: CallInput = { type: 'stream_ended', isOrderly: false }
const hangUp: CallInput = { type: 'hang_up', reason: 'agent' }
const hungUp = (isOver: boolean): CallInput => ({ type: 'hung_up', isOver })

/** A call that takes inputs; a number lets this many milliseconds pass, and then ticks. */
function play(...inputs: (CallInput | number)[]) {
  let state = callToPlace(RING_MS)
  let nowMs = 0
  const effects: CallEffect[] = []
  for (const input of [TICK, ...inputs]) {
    if (typeof input === 'number') nowMs += input
    const step = advanceCall(state, typeof input === 'number' ? TICK : input, nowMs)
    state = step.state
    effects.push(...step.effects)
  }
  const end = effects.find((effect) => effect.type === 'end')
  return { state, effects, types: effects.map(({ type }) => type), facts: end?.facts, isLeft: end?.isLeft }
}

describe('a call that goes well', () => {
  test('rings, is answered, and ends when the far end hangs up', () => {
    const { types, facts } = play(
      CREATED,
      report(0, 'queued'),
      report(1, 'ringing'),
      report(2, 'answered'),
      started(),
      stopped,
      report(3, 'completed'),
    )
    expect(types.filter((type) => type !== 'close_stream')).toEqual([
      'create',
      'emit_ringing',
      'emit_answered',
      'end',
    ])
    expect(facts).toEqual({ outcome: 'completed', endedBy: 'callee' })
  })

  test('is answered by its media alone, if all reports are lost', () => {
    const { types, facts } = play(CREATED, started(), stopped, 5000, {
      type: 'looked_up',
      progress: { type: 'completed' },
    })
    expect(types).toEqual([
      'create',
      'emit_ringing',
      'emit_answered',
      'close_stream',
      'look_up',
      'close_stream',
      'end',
    ])
    expect(facts).toEqual({ outcome: 'completed', endedBy: 'callee' })
  })

  test('is hung up at once by both ways, and again until the provider says that it is over', () => {
    const { types, facts, isLeft } = play(CREATED, started(), hangUp, hungUp(false), 499, 1, hungUp(true))
    expect(types).toEqual([
      'create',
      'emit_ringing',
      'emit_answered',
      'close_stream',
      'hang_up',
      'hang_up',
      'close_stream',
      'end',
    ])
    expect({ facts, isLeft }).toEqual({ facts: { outcome: 'completed', endedBy: 'agent' }, isLeft: false })
  })
})

describe('a call whose creation is in doubt is never asked for again', () => {
  test('and goes on with the first report of it', () => {
    const { types, state } = play(UNKNOWN, 14_000, report(1, 'ringing'))
    expect(types).toEqual(['create', 'emit_ringing'])
    expect(state.phase).toEqual({ type: 'placed', callSid: CALL })
  })

  test('and goes on with its media', () => {
    expect(play(UNKNOWN, started()).types).toEqual(['create', 'emit_ringing', 'emit_answered'])
  })

  test('and ends as an error of the carrier without one, to be hung up if it turns up later', () => {
    const { types, facts, isLeft } = play(UNKNOWN, 15_000)
    expect(types).toEqual(['create', 'close_stream', 'end'])
    expect({ facts, isLeft }).toEqual({
      facts: { outcome: 'carrier_error', endedBy: 'carrier' },
      isLeft: true,
    })
  })

  test('and is canceled at once by a hang-up', () => {
    for (const inputs of [
      [UNKNOWN, hangUp],
      [hangUp, UNKNOWN],
    ]) {
      const { facts, isLeft } = play(...inputs)
      expect({ facts, isLeft }).toEqual({ facts: { outcome: 'canceled', endedBy: 'agent' }, isLeft: true })
    }
  })

  test('and is known by a report that comes before the response', () => {
    const { types } = play(report(1, 'ringing'), UNKNOWN, started(), hangUp)
    expect(types).toEqual(['create', 'emit_ringing', 'emit_answered', 'close_stream', 'hang_up'])
  })
})

test('a 429 is asked again after its wait, three times at most', () => {
  const throttled: CallInput = { type: 'creation', creation: { type: 'throttled', retryAfterSeconds: 2 } }
  expect(play(throttled, 1999).types).toEqual(['create'])
  expect(play(throttled, 2000).types).toEqual(['create', 'create'])
  const { types, facts } = play(throttled, 2000, throttled, 2000, throttled, 2000, throttled)
  expect(types.filter((type) => type === 'create')).toHaveLength(4)
  expect(facts).toEqual({ outcome: 'carrier_error', endedBy: 'carrier', retryAfterSeconds: 2 })
  expect(play(throttled, hangUp).facts).toEqual({ outcome: 'canceled', endedBy: 'agent' })
})

test('a hang-up before the first tick creates nothing', () => {
  const { state, effects } = advanceCall(callToPlace(RING_MS), hangUp, 0)
  expect(state.phase.type).toBe('ended')
  expect(effects.map(({ type }) => type)).toEqual(['close_stream', 'end'])
})

test.each([
  ['busy', [CREATED, report(1, BUSY)], { outcome: 'busy', endedBy: 'callee', sipStatus: 486 }],
  [
    'not reached',
    [{ type: 'creation', creation: { type: 'not_sent' } }],
    { outcome: 'unreachable', endedBy: 'carrier' },
  ],
  [
    'rung in vain',
    [CREATED, report(1, 'ringing'), RING_MS, hungUp(true)],
    { outcome: 'no_answer', endedBy: 'callee' },
  ],
  ['never reported', [CREATED, RING_MS, hungUp(true)], { outcome: 'carrier_error', endedBy: 'carrier' }],
  [
    'answered, without media',
    [CREATED, report(1, 'answered'), 10_000, hungUp(true)],
    { outcome: 'carrier_error', endedBy: 'carrier' },
  ],
  [
    'completed, without media',
    [CREATED, report(1, 'completed')],
    { outcome: 'carrier_error', endedBy: 'carrier' },
  ],
  ['cut off', [CREATED, started(), lost, hungUp(true)], { outcome: 'carrier_error', endedBy: 'carrier' }],
  [
    'canceled as it rings',
    [CREATED, hangUp, report(1, BUSY)],
    { outcome: 'canceled', endedBy: 'agent', sipStatus: 486 },
  ],
  [
    'hung up by its limit',
    [CREATED, started(), { type: 'hang_up', reason: 'limit' }, hungUp(true)],
    { outcome: 'duration_limit', endedBy: 'duration_limit' },
  ],
] satisfies [string, (CallInput | number)[], object][])('a call that is %s says so', (_, inputs, facts) => {
  expect(play(...inputs).facts).toEqual(facts)
})

test('reports that are late, repeated or of another call change nothing', () => {
  const { types } = play(
    CREATED,
    report(2, 'answered'),
    report(2, 'answered'),
    report(1, BUSY),
    report(0, 'completed'),
    report(9, 'completed', OTHER),
    started(OTHER),
  )
  expect(types).toEqual(['create', 'emit_ringing', 'emit_answered', 'close_stream'])
})

test('whatever comes in whatever order, a call is created once, ends once, and does nothing afterwards', () => {
  const progress = fc.oneof(
    fc.constantFrom<Progress>(
      { type: 'queued' },
      { type: 'ringing' },
      { type: 'answered' },
      { type: 'completed' },
    ),
    fc.constant<Progress>(BUSY),
  )
  const callSid = fc.constantFrom(CALL, CALL, CALL, OTHER)
  const input: fc.Arbitrary<CallInput | number> = fc.oneof(
    fc.integer({ min: 1, max: 20_000 }),
    fc.constant<CallInput>(CREATED),
    fc.constantFrom<CallInput>(
      UNKNOWN,
      { type: 'creation', creation: { type: 'not_sent' } },
      { type: 'creation', creation: { type: 'throttled', retryAfterSeconds: 1 } },
    ),
    fc
      .record({ sequence: fc.nat(8), progress, callSid })
      .map((one) => report(one.sequence, one.progress, one.callSid)),
    progress.map((one): CallInput => ({ type: 'looked_up', progress: one })),
    callSid.map(started),
    fc.constantFrom(stopped, lost, hangUp, hungUp(true), hungUp(false)),
    fc.constantFrom<CallInput>({ type: 'hang_up', reason: 'limit' }, { type: 'hang_up', reason: 'unheard' }),
  )
  fc.assert(
    fc.property(fc.array(input, { maxLength: 30 }), (inputs) => {
      // In the end the requests are answered, and a person hangs up.
      const rest: (CallInput | number)[] = [UNKNOWN, hangUp]
      for (let minute = 0; minute < 12; minute += 1) rest.push(60_000, hungUp(false))
      const { types, state, isLeft } = play(...inputs, ...rest)
      const count = (type: CallEffect['type']) => types.filter((one) => one === type).length
      const throttles = inputs.filter(
        (one) => typeof one === 'object' && one.type === 'creation' && one.creation.type === 'throttled',
      )
      expect(state.phase.type).toBe('ended')
      expect(state.deadlineMs).toBe(Infinity)
      expect(count('end')).toBe(1)
      expect(types.at(-1)).toBe('end')
      expect(count('create')).toBeLessThanOrEqual(1 + Math.min(3, throttles.length))
      expect(count('emit_answered')).toBeLessThanOrEqual(1)
      expect(count('emit_ringing')).toBeLessThanOrEqual(1)
      expect(typeof isLeft).toBe('boolean')
    }),
  )
})
