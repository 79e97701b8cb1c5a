import table from './number-zones.json' with { type: 'json' }

/** Digits of the longest beginning in the table. */
const LONGEST = 9

let zonesByPrefix: ReadonlyMap<string, readonly string[]> | undefined

const readTable = (): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Object.entries(table.prefixesByZones).flatMap(([zones, prefixes]) => {
      const list = zones.split(' ')
      return prefixes.split(' ').map((prefix) => [prefix, list] as const)
    }),
  )

/**
 * Returns the IANA time zones that a number may be in, by the longest beginning in libphonenumber's table; none if it is not there. A mobile
 * phone may be anywhere: this is where its number belongs.
 *
 * @param number in E.164
 */
export function zonesOf(number: string): readonly string[] {
  zonesByPrefix ??= readTable()
  for (let length = Math.min(LONGEST, number.length - 1); length > 0; length--) {
    const zones = zonesByPrefix.get(number.slice(1, length + 1))
    if (zones !== undefined) return zones
  }
  return []
}
