/** Parses JSON, after a byte order mark if there is one (RFC 8259, section 8.1). Returns undefined for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}
