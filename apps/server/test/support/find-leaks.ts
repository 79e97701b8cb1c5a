import type { Exchange } from '@vaani/conformance'

/** Shorter texts are in any log by chance. */
const LEAST_LENGTH = 6
/** The beginning of a long one is enough, such as of a picture. */
const MOST_LENGTH = 64
/** What the code itself says: an event, a code, a language. Nobody is named so. */
const WORD = /^[a-z]+(?:[._-][a-z]+)*$/
/** An id of ours, which a log may hold. */
const OUR_ID = /^[a-z]{2,5}_[0-9A-Za-z]{16,32}$/
const TEXT_OF_FORM = /name="[^"]+"\r\n\r\n([^\r]{1,200})\r\n/g

/**
 * What callers sent, and secrets that they were shown, and lines of a log hold: bodies, queries, parameters of paths and
 * keys. No list says what is personal. Whatever a caller writes is, unless it is a plain word of the code or an id of ours.
 */
export function findLeaks(exchanges: readonly Exchange[], lines: readonly string[]): string[] {
  const written = new Set<string>()
  // The last line of a process that was killed may be cut.
  for (const line of lines) addValues(parse(line) ?? line, written)
  const haystack = [...written].filter((text) => !OUR_ID.test(text)).join('\n')
  const sent = new Set<string>()
  for (const exchange of exchanges) addSent(exchange, sent)
  return [...sent].filter(isPrivate).filter((text) => haystack.includes(text.slice(0, MOST_LENGTH)))
}

const isPrivate = (text: string): boolean =>
  text.length >= LEAST_LENGTH && !WORD.test(text) && !OUR_ID.test(text)

function addSent(exchange: Exchange, sent: Set<string>): void {
  const { path, requestHeaders, requestBody, headers, body } = exchange
  const [, key] = /^Bearer +(.*)$/i.exec(requestHeaders.get('authorization') ?? '') ?? []
  if (key !== undefined) sent.add(key)
  const [pathname = '', query = ''] = path.split('?')
  for (const segment of pathname.split('/')) sent.add(segment)
  for (const value of new URLSearchParams(query).values()) sent.add(value)
  const type = requestHeaders.get('content-type') ?? ''
  if (/\bjson\b/.test(type)) addValues(parse(requestBody), sent)
  if (type.startsWith('multipart/'))
    for (const [, text = ''] of requestBody.toString('latin1').matchAll(TEXT_OF_FORM)) sent.add(text)
  if (!/\bjson\b/.test(headers.get('content-type') ?? '')) return
  const answer = parse(body)
  if (typeof answer !== 'object' || answer === null) return
  for (const [name, value] of Object.entries(answer)) if (/key$|secret/.test(name)) addValues(value, sent)
}

/** All texts in a value, and long numbers as texts; not the names of fields. */
function addValues(value: unknown, values: Set<string>): void {
  if (typeof value === 'string') values.add(value)
  else if (typeof value === 'number') values.add(String(value))
  else if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value)) addValues(one, values)
}

function parse(text: Buffer | string): unknown {
  try {
    return JSON.parse(text.toString())
  } catch {
    return undefined
  }
}
