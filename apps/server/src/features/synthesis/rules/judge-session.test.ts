import { LIMITS } from '@vaani/contracts'
import { expect, test } from 'vitest'
import { judgeSession, type SessionTimes } from './judge-session.ts'

const MINUTE_MS = 60_000
const IDLE_MS = LIMITS.socketIdleSeconds * 1000
const LIMIT_MS = LIMITS.socketSeconds * 1000

const at = (nowMs: number, times: Partial<SessionTimes> = {}) =>
  judgeSession({ nowMs, openedAtMs: 0, heardAtMs: 0, aliveAtMs: nowMs, playedAtMs: 0, ...times })

test('a caller may say nothing for a while, and for longer while it can still listen', () => {
  expect(at(IDLE_MS - 1)).toBe(null)
  expect(at(IDLE_MS)).toBe('idle')
  const playedAtMs = 10 * MINUTE_MS
  expect(at(playedAtMs + IDLE_MS - 1, { playedAtMs })).toBe(null)
  expect(at(playedAtMs + IDLE_MS, { playedAtMs })).toBe('idle')
})

test('a caller that answers no ping is gone, unless its answer may wait behind unread audio', () => {
  expect(at(MINUTE_MS - 1, { aliveAtMs: 0 })).toBe(null)
  expect(at(MINUTE_MS, { aliveAtMs: 0 })).toBe('gone')
  expect(at(MINUTE_MS, { aliveAtMs: 0, playedAtMs: 1 })).toBe(null)
})

test('a session has a maximum duration, however busy it is', () => {
  const busy = { heardAtMs: LIMIT_MS, playedAtMs: LIMIT_MS }
  expect(at(LIMIT_MS - 1, busy)).toBe(null)
  expect(at(LIMIT_MS, busy)).toBe('limit')
})
