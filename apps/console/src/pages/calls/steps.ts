import type { Call } from '@vaani/client'

/** Something that happened to a call. */
export interface Step {
  step: 'placed' | 'rang' | 'answered' | 'ended'
  at: string
}

/**
 * What happened to a call, as far as it tells: that it rang while it rings, and when it was answered once it has ended. A simulator may
 * speak for longer than the call took.
 */
export function stepsOf(
  call: Pick<Call, 'created_at' | 'ringing_since' | 'ended_at' | 'duration_seconds'>,
): Step[] {
  const { created_at, ringing_since, ended_at, duration_seconds } = call
  const answered =
    ended_at !== undefined && duration_seconds !== undefined
      ? new Date(Date.parse(ended_at) - 1000 * duration_seconds).toISOString()
      : undefined
  const times = { placed: created_at, rang: ringing_since, answered, ended: ended_at }
  const placedMs = created_at === undefined ? 0 : Date.parse(created_at)
  const steps = ['placed', 'rang', 'answered', 'ended'] as const
  return steps.flatMap((step) => {
    const at = times[step]
    return at === undefined || Date.parse(at) < placedMs ? [] : [{ step, at }]
  })
}
