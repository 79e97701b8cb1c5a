import type { CarrierEntry } from './carriers-file.ts'

/** Most that may be asked of a carrier, by all workers; null for no limit. */
export interface LineLimit {
  readonly carrier: string
  readonly callsPerSecond: number | null
  readonly channels: number | null
}

/** Lists the carriers that have a limit. */
export const lineLimits = (entries: Readonly<Record<string, CarrierEntry>>): readonly LineLimit[] =>
  Object.entries(entries)
    .map(([carrier, { calls_per_second = null, channels = null }]) => ({
      carrier,
      callsPerSecond: calls_per_second,
      channels,
    }))
    .filter(({ callsPerSecond, channels }) => callsPerSecond !== null || channels !== null)
