import type { Route } from './route.ts'

/**
 * What is wrong with the answer of a route: its kind, or a field that is missing; undefined if nothing is. No more is looked at,
 * so that a server may add fields and values.
 */
export function findFault(data: unknown, { fields, entry }: Route): string | undefined {
  if (entry === undefined) return fields === undefined ? undefined : findFaultOf(data, fields)
  const entries: unknown = Object(data).data
  if (!Array.isArray(entries)) return 'data is no list'
  for (const [index, value] of entries.entries()) {
    const fault = findFaultOf(value, entry)
    if (fault) return `data.${index}: ${fault}`
  }
  return undefined
}

function findFaultOf(value: unknown, fields: string): string | undefined {
  if (Object(value) !== value || Array.isArray(value)) return 'is no object'
  const missing = fields && fields.split(' ').find((name) => !(name in Object(value)))
  return missing && `${missing} is missing`
}
