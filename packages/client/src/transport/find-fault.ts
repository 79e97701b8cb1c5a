import { propertiesOf } from './json.ts'

/**
 * What is wrong with an answer: its kind, or a field that is missing; undefined if nothing is. No more is looked at, so that a server
 * may add fields and values.
 *
 * @param fields of a route
 */
export function findFault(value: unknown, fields: string | undefined): string | undefined {
  if (fields === undefined) return undefined
  if (fields.endsWith('[]')) {
    const entries = propertiesOf(value)['data']
    if (!Array.isArray(entries)) return 'data is no list'
    for (const [index, entry] of entries.entries()) {
      const fault = findFault(entry, fields.slice(0, -2))
      if (fault) return `data.${index}: ${fault}`
    }
    return undefined
  }
  if (Object(value) !== value || Array.isArray(value)) return 'is no object'
  const missing = fields.split(',').find((name) => name !== '-' && !(name in propertiesOf(value)))
  return missing && `${missing} is missing`
}
