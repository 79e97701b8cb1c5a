import type { MigrationReport } from '@vaani/contracts/migration'

/** What is counted in a period, from the worst. */
export const LAYERS = ['worst', 'serious', 'mild', 'errors'] as const

export interface Period extends Readonly<Record<(typeof LAYERS)[number] | 'pairs', number>> {
  readonly from: Date
  readonly to: Date
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Longest time that is drawn by the hour. */
const HOURLY_MS = 3 * DAY_MS

/** Adds the hours up to days, unless they are few. Oldest first. */
export function listPeriods(hours: MigrationReport['hours']): Period[] {
  const times = hours.map(({ at }) => Date.parse(at))
  const lengthMs = Math.max(...times) - Math.min(...times) > HOURLY_MS ? DAY_MS : HOUR_MS
  const periods = Map.groupBy(hours, ({ at }) => Math.floor(Date.parse(at) / lengthMs) * lengthMs)
  return [...periods].map(([from, counted]) => {
    const sum = (name: (typeof LAYERS)[number] | 'pairs'): number =>
      counted.reduce((total, hour) => total + hour[name], 0)
    return {
      from: new Date(from),
      to: new Date(from + lengthMs),
      pairs: sum('pairs'),
      worst: sum('worst'),
      serious: sum('serious'),
      mild: sum('mild'),
      errors: sum('errors'),
    }
  })
}
