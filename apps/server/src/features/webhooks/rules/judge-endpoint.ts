import { WEBHOOK_FAILING_DISABLED_DAYS, WEBHOOK_FAILING_WARNING_DAYS } from '@vaani/contracts'

const DAY_MS = 86_400_000
const WARNING_MS = WEBHOOK_FAILING_WARNING_DAYS * DAY_MS
const DISABLED_MS = WEBHOOK_FAILING_DISABLED_DAYS * DAY_MS
/** Minimum time between warning and disabling, because a seldom used endpoint may fail for the second time after weeks. */
const WARNED_MS = DISABLED_MS - WARNING_MS

/** Decides after a failed attempt whether to warn about or disable the endpoint. The warning always comes first. */
export function judgeEndpoint(options: {
  /** Time of the first failure since the last success, in milliseconds since the epoch. */
  failingSinceMs: number
  warnedAtMs: number | null
  nowMs: number
}): 'stays' | 'is_warned' | 'is_disabled' {
  const { failingSinceMs, warnedAtMs, nowMs } = options
  if (warnedAtMs === null) return nowMs - failingSinceMs >= WARNING_MS ? 'is_warned' : 'stays'
  const isOver = nowMs - failingSinceMs >= DISABLED_MS && nowMs - warnedAtMs >= WARNED_MS
  return isOver ? 'is_disabled' : 'stays'
}
