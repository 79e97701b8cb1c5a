import assert from 'node:assert/strict'
import { dialSubject, whileTimePasses } from './carrier-subject.ts'
import type { ConformanceCase } from './carrier-subject.ts'

/** Misuse is refused at once. */
export const refusalCases: readonly ConformanceCase[] = [
  {
    name: 'dials only E.164 numbers, with limits above 0',
    async run(subject) {
      for (const to of [
        '',
        '9779812345678',
        '+0123456789',
        '+977 9812345678',
        '+97798123456789012',
        '+9779812345678\n',
      ]) {
        assert.throws(() => dialSubject(subject, { to }), { code: 'invalid_number' })
      }
      assert.throws(() => dialSubject(subject, { fromCallerId: '100' }), { code: 'invalid_number' })
      assert.throws(() => dialSubject(subject, { ringTimeoutMs: 0 }), { code: 'invalid_limit' })
      assert.throws(() => dialSubject(subject, { maxDurationMs: Number.NaN }), { code: 'invalid_limit' })
    },
  },
  {
    name: 'accepts only whole frames',
    async run(subject) {
      const call = dialSubject(subject)
      await assert.rejects(call.send(new Int16Array(1)), { code: 'invalid_frame' })
      call.hangUp()
      await whileTimePasses(subject, call.ended)
    },
  },
]
