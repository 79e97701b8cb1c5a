interface HeaderLookup {
  get(name: string): string | null | undefined
}

/**
 * A `Headers` object, or Node's headers, or any record of them, with names in any case; or a `Map` with names in lower
 * case.
 */
export type HeaderSource = HeaderLookup | Readonly<Record<string, string | readonly string[] | undefined>>

export const SERVICE_SIGNATURE = 'x-service-signature'
export const STANDARD_ID = 'webhook-id'
export const STANDARD_TIMESTAMP = 'webhook-timestamp'
export const STANDARD_SIGNATURE = 'webhook-signature'

/**
 * No full stop, as it ends the id in what is signed: with one, a body that was signed could pass for a shorter one with a
 * longer id. No brace, as no id may look like the start of a body that was signed by itself.
 */
export const ID_PATTERN = /^[\w+/:=@~-]{1,256}$/
export const TIMESTAMP_PATTERN = /^\d{1,12}$/

/** @returns the value, several joined by a space, or an empty text */
export function readHeader(headers: HeaderSource, name: string): string {
  if (isHeaders(headers)) return headers.get(name) ?? ''
  const value = headers[name] ?? headers[findName(headers, name)]
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.join(' ') : ''
}

/** A record may hold a header called `get`, which is no function. */
function isHeaders(headers: HeaderSource): headers is HeaderLookup {
  return typeof headers.get === 'function'
}

function findName(headers: object, name: string): string {
  for (const key in headers) if (key.length === name.length && key.toLowerCase() === name) return key
  return name
}
