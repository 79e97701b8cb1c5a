import { WEBHOOK_FAILING_DISABLED_DAYS, WEBHOOK_FAILING_WARNING_DAYS } from '@vaani/contracts'

const DAY_MS = 86_400_000
const WARNING_MS = WEBHOOK_FAILING_WARNING_DAYS * DAY_MS
const DISABLED_MS = WEBHOOK_FAILING_DISABLED_DAYS * DAY_MS
/** An endpoint that gets events seldom may fail for the second time after weeks. */
const WARNED_MS = DISABLED_MS - WARNING_MS

/** What becomes of an endpoint after an attempt failed, by how long nothing else happened. The warning comes first. */
export function judgeEndpoint(options: {
  /** Of the first failure since the last success, in milliseconds since the epoch. */
  failingSinceMs: number
  warnedAtMs: number | null
  nowMs: number
}): 'stays' | 'is_warned' | 'is_disabled' {
  const { failingSinceMs, warnedAtMs, nowMs } = options
  if (warnedAtMs === null) return nowMs - failingSinceMs >= WARNING_MS ? 'is_warned' : 'stays'
  const isOver = nowMs - failingSinceMs >= DISABLED_MS && nowMs - warnedAtMs >= WARNED_MS
  return isOver ? 'is_disabled' : 'stays'
}
