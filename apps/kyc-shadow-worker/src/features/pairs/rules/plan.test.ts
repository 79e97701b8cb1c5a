import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  applyCallback,
  applyLook,
  applyReadBack,
  applySend,
  type ReadResult,
  type Reported,
  type SendResult,
} from './apply.ts'
import { conclude } from './conclude.ts'
import { type PairState, startPair, withSide } from './pair-state.ts'
import { advance, deploymentOf, needsMedia, nextStep, type PlanLimits } from './plan.ts'
import { MAX_LOOKS } from './schedules.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const LIMITS: PlanLimits = {
  mediaMs: HOUR_MS,
  decisionMs: 24 * HOUR_MS,
  callbackMs: 10 * MINUTE_MS,
  canReadOfCallers: { primary: true, candidate: true },
}
const T0 = 1_700_000_000_000
const accepted = { status: 200, verificationId: 'ver_1', errorCode: null, answerMs: 10, answeredAtMs: T0 }
const start = (changes: Partial<Parameters<typeof startPair>[0]> = {}): PairState =>
  startPair({ kind: 'comparison', answeredBy: 'v1', receivedAtMs: T0, answer: accepted, ...changes })
const reported = (decision: Reported['decision'], verificationId = 'ver_2'): Reported => ({
  verificationId,
  decision,
  reasonCodes: [],
  decisionMs: 5,
})
const moment = (nowMs: number) => ({ nowMs, random: 0.5 })
const sent = (pair: PairState, nowMs = T0, isCallbackDue = true) =>
  applySend(
    pair,
    'v2',
    { result: 'accepted', reported: reported('pending'), answerMs: 20 },
    { ...moment(nowMs), isCallbackDue },
  )
const decided = (decision: Reported['decision']) =>
  applyLook(sent(start()), 'v1', { result: 'found', reported: reported(decision, 'ver_1') }, moment(T0))

describe('the next step', () => {
  test.each<[string, PairState, number, object]>([
    ['sends v2 after an answer of v1', start(), T0, { do: 'send', version: 'v2' }],
    ['sends v1 first in a replay', start({ answer: null }), T0, { do: 'send', version: 'v1' }],
    ['sends v1 after an answer of v2', start({ answeredBy: 'v2' }), T0, { do: 'send', version: 'v1' }],
    ['ends a pair that will not be sent', { ...start(), notSent: 'over_budget' }, T0, { do: 'end' }],
    ['ends a pair whose media is too old', start(), T0 + HOUR_MS, { do: 'end' }],
    ['looks at the primary first', sent(start()), T0, { do: 'look', version: 'v1', atMs: T0 }],
    ['gives a callback time', decided('approved'), T0, { do: 'look', version: 'v2', atMs: T0 + 20_000 }],
    [
      'waits for the callback of a decision',
      applyLook(decided('approved'), 'v2', { result: 'found', reported: reported('approved') }, moment(T0)),
      T0,
      { do: 'wait', atMs: T0 + LIMITS.callbackMs },
    ],
    [
      'waits for no callback of a review',
      applyLook(decided('approved'), 'v2', { result: 'found', reported: reported('review') }, moment(T0)),
      T0,
      { do: 'read_back', version: 'v1' },
    ],
    [
      'reads back after the callback',
      applyCallback(decided('approved'), 'v2', reported('approved'), moment(T0)),
      T0,
      { do: 'read_back', version: 'v1' },
    ],
    [
      'reads back what never got a decision, too',
      sent(start()),
      T0 + LIMITS.decisionMs,
      { do: 'read_back', version: 'v1' },
    ],
  ])('%s', (_, pair, nowMs, step) => {
    expect(nextStep(advance(pair, LIMITS, nowMs), LIMITS, nowMs)).toMatchObject(step)
  })

  test('never reads what there is no key for', () => {
    const limits = { ...LIMITS, canReadOfCallers: { primary: false, candidate: true } }
    const pair = applyCallback(sent(start()), 'v2', reported('approved'), moment(T0))
    expect(nextStep(pair, limits, T0)).toEqual({ do: 'wait', atMs: T0 + LIMITS.decisionMs })
  })

  test('reads back what is unfinished at once, and not when the next look would have been', () => {
    const pair = withSide(sent(start()), 'v1', { notBeforeMs: T0 + LIMITS.decisionMs + HOUR_MS })
    const nowMs = T0 + LIMITS.decisionMs
    expect(nextStep(advance(pair, LIMITS, nowMs), LIMITS, nowMs)).toMatchObject({
      do: 'read_back',
      atMs: nowMs,
    })
  })

  test('stops looking after the most looks, and waits for a callback', () => {
    const pair = withSide(sent(start()), 'v1', { looks: MAX_LOOKS.primary })
    const blind = withSide(pair, 'v2', { looks: MAX_LOOKS.candidate })
    expect(nextStep(blind, LIMITS, T0)).toEqual({ do: 'wait', atMs: T0 + LIMITS.decisionMs })
  })
})

test.each([
  [401, 'not_comparable', null],
  [429, 'not_comparable', null],
  [422, null, 'refused'],
  [500, null, 'failed'],
  [503, null, 'failed'],
  [302, null, 'failed'],
  // The path is not there, which no caller can help.
  [404, null, 'failed'],
])('an answer of %s to the caller', (status, notSent, ending) => {
  const pair = start({ answer: { ...accepted, status, verificationId: null } })
  expect(pair.notSent).toBe(notSent)
  expect(pair.sides.v1.ending).toBe(ending)
})

const decisions = fc.constantFrom('pending', 'approved', 'review', 'declined')
const reports = fc.record({
  verificationId: fc.constantFrom('ver_1', 'ver_2'),
  decision: decisions,
  reasonCodes: fc.subarray(['media_reused', 'image_glare']),
  decisionMs: fc.option(fc.nat(100_000)),
})
const retryAfterMs = fc.option(fc.nat(10_000))
const sends: fc.Arbitrary<SendResult> = fc.oneof(
  fc.record({ result: fc.constant('accepted'), reported: reports, answerMs: fc.option(fc.nat(5000)) }),
  fc.record({ result: fc.constant('refused'), errorCode: fc.constant('x'), answerMs: fc.nat(5000) }),
  fc.record({ result: fc.constant('failed'), answerMs: fc.option(fc.nat(5000)) }),
  fc.record({ result: fc.constant('again'), isFault: fc.boolean(), status: fc.constant(null), retryAfterMs }),
)
const reads: fc.Arbitrary<ReadResult> = fc.oneof(
  fc.record({ result: fc.constant('found'), reported: reports }),
  fc.record({ result: fc.constantFrom('missing', 'forbidden') }),
  fc.record({ result: fc.constant('failed'), retryAfterMs }),
)
/** What the world does at each step: the answers to what the plan asks for, a callback, and delays. */
const worlds = fc.infiniteStream(
  fc.record({
    send: sends,
    read: reads,
    callback: fc.option(reports, { freq: 4 }),
    random: fc.double({ min: 0, max: 1, noNaN: true }),
    lateMs: fc.nat(MINUTE_MS / 2),
  }),
)
/** More than any pair needs. */
const MOST_STEPS = 500
const starts = fc.record({
  kind: fc.constantFrom('comparison', 'noise'),
  answeredBy: fc.constantFrom('v1', 'v2'),
  answer: fc.option(fc.constantFrom(accepted, { ...accepted, status: 422, verificationId: null })),
})

test('whatever happens, a pair ends within its windows, is sent a bounded number of times and read politely', () => {
  fc.assert(
    fc.property(starts, worlds, (given, world) => {
      let pair = start(given)
      let nowMs = T0
      const looks = { v1: 0, v2: 0 }
      for (const { send, read, callback, random, lateMs } of world.take(MOST_STEPS)) {
        pair = advance(pair, LIMITS, nowMs)
        const step = nextStep(pair, LIMITS, nowMs)
        if (step.do === 'end') break
        expect(step.do === 'send').toBe(needsMedia(pair))
        nowMs = Math.max(nowMs, step.atMs) + lateMs
        const now = { nowMs, random }
        if (step.do === 'send') pair = applySend(pair, step.version, send, { ...now, isCallbackDue: true })
        if (step.do === 'look') {
          looks[step.version]++
          pair = applyLook(pair, step.version, read, now)
        }
        if (step.do === 'read_back') pair = applyReadBack(pair, step.version, read, now)
        if (callback !== null) pair = applyCallback(pair, 'v2', callback, now)
      }
      expect(nextStep(advance(pair, LIMITS, nowMs), LIMITS, nowMs)).toEqual({ do: 'end' })
      for (const version of ['v1', 'v2'] as const) {
        expect(looks[version]).toBeLessThanOrEqual(MAX_LOOKS[deploymentOf(pair, version)])
        if (pair.notSent === null) expect(pair.sides[version].ending).not.toBeNull()
      }
      expect(nowMs - T0).toBeLessThan(LIMITS.mediaMs + LIMITS.decisionMs + LIMITS.callbackMs + 2 * HOUR_MS)
    }),
  )
})

test('an ending never changes, and neither does an id', () => {
  fc.assert(
    fc.property(reports, reports, sends, (first, second, send) => {
      const once = applyCallback(sent(start()), 'v2', { ...first, verificationId: 'ver_2' }, moment(T0))
      const { ending, verificationId } = once.sides.v2
      const twice = applyCallback(once, 'v2', second, moment(T0 + 1))
      const again = applySend(twice, 'v2', send, { ...moment(T0 + 2), isCallbackDue: true })
      expect(again.sides.v2.verificationId).toBe(verificationId)
      if (ending !== null) expect(again.sides.v2.ending).toBe(ending)
    }),
  )
})

describe('the conclusion', () => {
  const LIMIT = {
    answerMs: 5000,
    decisionMs: 60_000,
    tolerances: {
      document_quality: 0,
      document_authenticity: 0,
      ocr_confidence: 0,
      mrz_checks: 0,
      liveness: 0,
      face_match: 0,
      recapture: 0,
    },
    historyReasons: new Set(['media_reused']),
  }
  const ended = (v1: Partial<PairState['sides']['v1']>, v2: Partial<PairState['sides']['v2']>): PairState =>
    withSide(withSide(start(), 'v1', { ending: 'approved', ...v1 }), 'v2', { ending: 'approved', ...v2 })
  test.each<[string, PairState]>([
    ['agreed', ended({}, {})],
    ['not_sent', { ...start(), notSent: 'bad_form' }],
    ['primary_failed', ended({ ending: 'failed' }, { ending: 'failed' })],
    ['candidate_failed', ended({ ending: 'unfinished' }, { ending: 'failed' })],
    ['unfinished', ended({}, { ending: 'unfinished', isIdConfirmed: false })],
    ['unreadable', ended({}, { ending: 'declined', isIdConfirmed: false })],
    ['mismatched', ended({}, { ending: 'declined', isCallbackDue: true })],
    ['callback_missing', ended({}, { isCallbackDue: true })],
    ['agreed', ended({ ending: 'review' }, { ending: 'review', isCallbackDue: true })],
    ['agreed', ended({}, { ending: 'review', reasonCodes: ['media_reused'] })],
    ['mismatched', ended({}, { ending: 'review', reasonCodes: ['media_reused', 'image_glare'] })],
    ['mismatched', ended({}, { ending: 'review' })],
  ])('is %s', (outcome, pair) => {
    expect(conclude(pair, {}, LIMIT).outcome).toBe(outcome)
  })
})
