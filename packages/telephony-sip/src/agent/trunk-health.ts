import type { CarrierHealth } from '@vaani/telephony'

type WithoutTime<Health> = Health extends { readonly sinceMs: number } ? Omit<Health, 'sinceMs'> : Health

/** Whether a trunk takes calls now. */
export type TrunkHealth = WithoutTime<CarrierHealth>
type Down = Extract<TrunkHealth, { readonly state: 'down' }>

const UNKNOWN: TrunkHealth = { state: 'unknown' }
export const UP: TrunkHealth = { state: 'up' }
export const down = (reason: Down['reason'], sipStatus?: number): Down => ({
  state: 'down',
  reason,
  ...(sipStatus !== undefined && { sipStatus }),
})

/** Joins what OPTIONS and registration, as far as they are in use, know of one trunk. */
export interface HealthBoard {
  /** Adds a source, which knows nothing yet. Returns the function that takes what it learns. */
  source(): (health: TrunkHealth) => void
  /** Calls the listener on each change. There is one listener. */
  onChange(listener: (health: TrunkHealth) => void): void
}

export function createHealthBoard(): HealthBoard {
  const sources: TrunkHealth[] = []
  let joined = UNKNOWN
  let report: (health: TrunkHealth) => void = () => {}
  return {
    source() {
      const place = sources.push(UNKNOWN) - 1
      return (health) => {
        sources[place] = health
        const before = joined
        joined = joinHealth(sources)
        if (!isSame(joined, before)) report(joined)
      }
    },
    onChange: (listener) => (report = listener),
  }
}

/** A trunk is down if one source says so, and up once all of them do. */
export function joinHealth(sources: readonly TrunkHealth[]): TrunkHealth {
  const failing = sources.find(({ state }) => state === 'down')
  if (failing) return failing
  return sources.length > 0 && sources.every(({ state }) => state === 'up') ? UP : UNKNOWN
}

function isSame(one: TrunkHealth, other: TrunkHealth): boolean {
  if (one.state !== 'down' || other.state !== 'down') return one.state === other.state
  return one.reason === other.reason && one.sipStatus === other.sipStatus
}
