/**
 * Writes the table of time zones by beginnings of numbers, from `resources/timezones/map_data.txt` of libphonenumber:
 *
 *     node tooling/generator/number-zones.ts map_data.txt COMMIT > apps/server/src/features/calls/rules/number-zones.json
 */
import { readFile } from 'node:fs/promises'

const [file, commit] = process.argv.slice(2)
if (file === undefined || commit === undefined)
  throw new Error('Name the file of libphonenumber, and its commit')

const prefixesByZones = new Map<string, string[]>()
for (const line of (await readFile(file, 'utf8')).split('\n')) {
  const [, prefix, zones] = /^(\d+)\|(\S+)$/.exec(line) ?? []
  if (prefix === undefined || zones === undefined) continue
  const key = zones.replaceAll('&', ' ')
  prefixesByZones.set(key, [...(prefixesByZones.get(key) ?? []), prefix])
}
const table = {
  source: `https://github.com/google/libphonenumber/blob/${commit}/resources/timezones/map_data.txt`,
  license: 'Apache-2.0, Copyright (C) 2012 The Libphonenumber Authors',
  /** Time zones, separated by spaces, and the beginnings of numbers that may be in any of them. */
  prefixesByZones: Object.fromEntries(
    [...prefixesByZones].map(([zones, prefixes]) => [zones, prefixes.join(' ')]),
  ),
}
process.stdout.write(`${JSON.stringify(table, undefined, 2)}\n`)
