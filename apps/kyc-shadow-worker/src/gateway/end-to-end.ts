/** Headers for one connection alone (RFC 9110, section 7.6.1), and the old ones that proxies add there. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
])

/**
 * Returns the headers that go on to the next connection, in their order and spelling.
 *
 * @param rawHeaders names and values by turns, as Node has them
 * @param replaced lower-case names that the caller writes anew
 */
export function keepEndToEnd(rawHeaders: readonly string[], replaced: readonly string[] = []): string[] {
  const dropped = new Set([...HOP_BY_HOP, ...replaced])
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() !== 'connection') continue
    for (const token of (rawHeaders[i + 1] ?? '').split(',')) dropped.add(token.trim().toLowerCase())
  }
  const kept: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = [rawHeaders[i], rawHeaders[i + 1]]
    if (!dropped.has(name.toLowerCase())) kept.push(name, value)
  }
  return kept
}
