import type { Call } from '@vaani/client'

/** Something that happened to a call. */
export interface Step {
  step: 'placed' | 'rang' | 'answered' | 'ended'
  at: string
}

/** What happened to a call, as far as it tells: that it rang only while it rings. */
export function stepsOf({
  created_at,
  ringing_since,
  answered_at,
  ended_at,
}: Pick<Call, 'created_at' | 'ringing_since' | 'answered_at' | 'ended_at'>): Step[] {
  const times = { placed: created_at, rang: ringing_since, answered: answered_at, ended: ended_at }
  const steps = ['placed', 'rang', 'answered', 'ended'] as const
  return steps.flatMap((step) => {
    const at = times[step]
    return at === undefined ? [] : [{ step, at }]
  })
}
