import { propertiesOf } from './json.ts'

/**
 * Returns what is wrong with a response, its type or a missing field, or undefined. Checks no more than that, so that a server may add
 * fields and values.
 *
 * @param fields required fields, as in `Route`
 */
export function findFault(value: unknown, fields: string | undefined): string | undefined {
  if (fields === undefined) return undefined
  if (fields.endsWith('[]')) {
    const entries = propertiesOf(value)['data']
    if (!Array.isArray(entries)) return 'data is not a list'
    for (const [index, entry] of entries.entries()) {
      const fault = findFault(entry, fields.slice(0, -2))
      if (fault) return `data.${index}: ${fault}`
    }
    return undefined
  }
  if (Object(value) !== value || Array.isArray(value)) return 'not an object'
  const missing = fields.split(',').find((name) => name !== '-' && !(name in propertiesOf(value)))
  return missing && `${missing} is missing`
}
