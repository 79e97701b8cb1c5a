import type { Call } from '@vaani/client'

/** Something that happened to a call. */
export interface Step {
  step: 'placed' | 'arrived' | 'rang' | 'answered' | 'ended'
  at: string
}

/** What happened to a call, as far as it tells: that it rang only while it rings. */
export function stepsOf({
  direction,
  created_at,
  ringing_since,
  answered_at,
  ended_at,
}: Pick<Call, 'direction' | 'created_at' | 'ringing_since' | 'answered_at' | 'ended_at'>): Step[] {
  const first = direction === 'inbound' ? 'arrived' : 'placed'
  const times = [
    [first, created_at],
    ['rang', ringing_since],
    ['answered', answered_at],
    ['ended', ended_at],
  ] as const
  return times.flatMap(([step, at]) => (at === undefined ? [] : [{ step, at }]))
}
