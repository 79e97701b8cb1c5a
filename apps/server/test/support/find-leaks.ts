import type { Exchange } from '@vaani/conformance'

/** Shorter texts appear in any log by chance. */
const LEAST_LENGTH = 6
/** The beginning of a long text, such as an image, is enough. */
const MOST_LENGTH = 64
/** A plain word of the code (an event, a code, a language), never personal data. */
const WORD = /^[a-z]+(?:[._-][a-z]+)*$/
/** One of our own ids, which logs may contain. */
const OUR_ID = /^[a-z]{2,5}_[0-9A-Za-z]{16,32}$/
const TEXT_OF_FORM = /name="[^"]+"\r\n\r\n([^\r]{1,200})\r\n/g

/**
 * Finds values in log lines that callers sent (bodies, queries, path parameters and keys) or secrets that they were shown. There
 * is no list of personal fields: anything a caller sends counts as personal unless it is a plain word of the code or one of our
 * ids.
 */
export function findLeaks(exchanges: readonly Exchange[], lines: readonly string[]): string[] {
  const written = new Set<string>()
  // The last line of a killed process may be cut off.
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

/** Collects all strings in a value, and numbers as strings, but not field names. */
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
