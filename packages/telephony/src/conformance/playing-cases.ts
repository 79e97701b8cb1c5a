import assert from 'node:assert/strict'
import type { CarrierEvent } from '../carrier.ts'
import {
  dialSubject,
  eventOf,
  framesOfLevel,
  levelsHeard,
  unanswered,
  whileTimePasses,
} from './carrier-subject.ts'
import type { ConformanceCase } from './carrier-subject.ts'

const LEVELS = Array.from({ length: 12 }, (_, index) => 2000 * (index + 1))

/** Frames that are sent are heard in order and in real time, unless they are cleared. */
export const playingCases: readonly ConformanceCase[] = [
  {
    name: 'rings, answers, plays frames in order, drains and hangs up',
    async run(subject) {
      const call = dialSubject(subject)
      const events: CarrierEvent[] = []
      const reading = (async () => {
        for await (const event of call.events) events.push(event)
      })()
      for (const level of LEVELS) await call.send(framesOfLevel(subject, level, 20))
      await whileTimePasses(subject, call.drained())
      call.hangUp()
      const ended = await whileTimePasses(subject, call.ended)
      await reading

      assert.deepEqual(
        events.map(({ type }) => type),
        ['ringing', 'answered', 'ended'],
      )
      assert.equal(ended.outcome, 'completed')
      assert.equal(ended.endedBy, 'agent')
      assert.ok(ended.durationMs >= LEVELS.length * 20, 'durationMs counts from the answer')
      const heard = levelsHeard(subject, await subject.heard(ended), LEVELS)
      assert.deepEqual(
        heard.map(({ level }) => level),
        LEVELS,
      )
      let at = 0
      for (const { sentAtMs, heardAtMs, durationMs } of ended.played ?? []) {
        assert.equal(sentAtMs, at, '`played` names each frame once, in order')
        assert.ok(heardAtMs + durationMs <= ended.durationMs, '`played` counts from the answer')
        at += durationMs
      }
      assert.equal(at, LEVELS.length * 20, '`played` names every frame that was heard')
    },
  },
  {
    name: 'keeps frames in order if sends are not awaited, before and after the answer',
    async run(subject) {
      const call = dialSubject(subject)
      const [first = 0, ...others] = LEVELS
      void call.send(framesOfLevel(subject, first, 400))
      await whileTimePasses(subject, eventOf(call, 'answered'))
      for (const level of others) void call.send(framesOfLevel(subject, level, 400))
      await whileTimePasses(subject, call.drained())
      call.hangUp()
      const heard = await subject.heard(await whileTimePasses(subject, call.ended))
      assert.deepEqual(
        levelsHeard(subject, heard, LEVELS),
        LEVELS.map((level) => ({ level, durationMs: 400 })),
      )
    },
  },
  {
    name: 'lets the speaker send only about 3 seconds ahead',
    async run(subject) {
      const call = dialSubject(subject)
      await whileTimePasses(subject, call.send(framesOfLevel(subject, 8000, 6000)))
      call.hangUp()
      const { durationMs } = await whileTimePasses(subject, call.ended)
      assert.ok(durationMs >= 2500, 'most of the first 3 seconds is heard before the last frame is queued')
    },
  },
  {
    name: 'drops queued frames, and frames waiting to be queued, on clear',
    async run(subject) {
      const call = dialSubject(subject)
      const sending = call.send(framesOfLevel(subject, 8000, 20_000))
      await whileTimePasses(subject, eventOf(call, 'answered'))
      await subject.passTime(200)
      call.clear()
      await whileTimePasses(subject, sending)
      await call.send(framesOfLevel(subject, -8000, 200))
      await whileTimePasses(subject, call.drained())
      call.hangUp()
      const heard = await subject.heard(await whileTimePasses(subject, call.ended))
      const runs = levelsHeard(subject, heard, [8000, -8000])
      const beforeClear = runs.length > 1 ? (runs.shift()?.durationMs ?? 0) : 0
      assert.ok(beforeClear < 10_000, 'most of the cleared frames are not heard')
      assert.deepEqual(runs, [{ level: -8000, durationMs: 200 }])
    },
  },
  {
    name: 'drains and makes room on clear while it rings',
    needs: 'neverAnswers',
    async run(subject) {
      const call = dialSubject(subject, unanswered(subject))
      const sending = call.send(framesOfLevel(subject, 8000, 10_000))
      await whileTimePasses(subject, eventOf(call, 'ringing'))
      call.clear()
      await whileTimePasses(subject, Promise.all([sending, call.drained()]))
      await whileTimePasses(subject, call.send(framesOfLevel(subject, 8000, 1000)))
      call.hangUp()
      assert.equal((await whileTimePasses(subject, call.ended)).outcome, 'canceled')
    },
  },
]
