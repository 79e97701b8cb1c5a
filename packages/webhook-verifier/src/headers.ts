interface HeaderLookup {
  get(name: string): string | null | undefined
}

/**
 * A `Headers` object, or Node's headers or any other record, with names in any case; or a `Map` with names in lower
 * case.
 */
export type HeaderSource = HeaderLookup | Readonly<Record<string, string | readonly string[] | undefined>>

export const SERVICE_SIGNATURE = 'x-service-signature'
export const STANDARD_ID = 'webhook-id'
export const STANDARD_TIMESTAMP = 'webhook-timestamp'
export const STANDARD_SIGNATURE = 'webhook-signature'

/**
 * An id has no full stop, because a full stop ends the id in the signed text: otherwise the start of a signed body could
 * pass as part of a longer id. It has no brace, so that it cannot look like the start of a body that was signed alone.
 */
export const ID_PATTERN = /^[\w+/:=@~-]{1,256}$/
export const TIMESTAMP_PATTERN = /^\d{1,12}$/

/** @returns the value, several values joined by a space, or an empty string if the header is missing */
export function readHeader(headers: HeaderSource | null | undefined, name: string): string {
  // Some platforms have null for none.
  if (!headers) return ''
  if (isHeaders(headers)) return headers.get(name) ?? ''
  const value = headers[name] ?? headers[findName(headers, name)]
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.join(' ') : ''
}

/** Checks for a function, because a record may hold a header named `get`. */
function isHeaders(headers: HeaderSource): headers is HeaderLookup {
  return typeof headers.get === 'function'
}

function findName(headers: object, name: string): string {
  for (const key in headers) if (key.length === name.length && key.toLowerCase() === name) return key
  return name
}
