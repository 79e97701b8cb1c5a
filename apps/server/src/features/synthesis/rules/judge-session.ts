import { LIMITS } from '@vaani/contracts'

const MS_PER_SECOND = 1000
/** A caller that has answered no ping for this long is gone. */
const SILENT_MS = 60_000

/** Times of a session in milliseconds, by one clock. */
export interface SessionTimes {
  nowMs: number
  openedAtMs: number
  /** Of the last message of the caller. */
  heardAtMs: number
  /** Of the last sign that the connection works: a message, an answer to a ping, or sent data. */
  aliveAtMs: number
  /** When all audio sent so far could have been played. Until then a caller may wait, and answers behind unread audio. */
  playedAtMs: number
}

/** Why a session has to end: the caller says nothing, it has taken too long, or the connection is gone. */
export type SessionOutcome = 'idle' | 'limit' | 'gone'

/** Judges whether a session has to end; null if it may go on. */
export function judgeSession(times: SessionTimes): SessionOutcome | null {
  const { nowMs, openedAtMs, heardAtMs, aliveAtMs, playedAtMs } = times
  if (nowMs - openedAtMs >= LIMITS.socketSeconds * MS_PER_SECOND) return 'limit'
  if (nowMs - Math.max(aliveAtMs, playedAtMs) >= SILENT_MS) return 'gone'
  if (nowMs - Math.max(heardAtMs, playedAtMs) >= LIMITS.socketIdleSeconds * MS_PER_SECOND) return 'idle'
  return null
}
