import { skipByteOrderMark } from '../../byte-order-mark.ts'
import { ApiError } from '../errors/api-error.ts'

/** Digits of the shortest integer that a double may not hold. */
const LONG_DIGITS = 16
/** Integers of more digits are never exact, and slow to compare. */
const MAX_EXACT_DIGITS = 309
/**
 * Limit on the characters of a number. Every double has a decimal with all its digits that is shorter (the longest is
 * -2^-1074), so a longer number holds nothing more, and only costs time.
 */
export const MAX_NUMBER_LENGTH = 1100
const MAX_PARAM_LENGTH = 100

/**
 * Parses JSON of a caller. Skips a byte order mark. Refuses, by name, what would not be kept as it was sent: integers that a
 * double changes, numbers of more than `MAX_NUMBER_LENGTH` characters, and members that would replace a prototype where they
 * are copied.
 *
 * @throws SyntaxError if the text is not JSON
 * @throws ApiError naming the member
 */
export function parseJson(text: string): unknown {
  const json = skipByteOrderMark(text)
  const value: unknown = JSON.parse(json)
  const unfit = isSuspect(json) ? findUnfit(json) : null
  if (unfit === null) return value
  const param = unfit.path.join('.').slice(0, MAX_PARAM_LENGTH)
  throw new ApiError('invalid_request', `${param === '' ? 'The body' : `${param}:`} ${unfit.message}`, {
    param: param === '' ? null : param,
  })
}

/** Whether text may contain what `findUnfit` looks for. Costs little, because every body is asked. */
const isSuspect = (json: string): boolean =>
  json.includes('__proto__') ||
  json.includes('"constructor"') ||
  // No serializer escapes ASCII letters, but such an escape may hide a name.
  (json.includes('\\u00') && /\\u00[5-7]/.test(json)) ||
  hasLongDigits(json)

/** Looks at every 16th character, because a run of so many digits cannot pass between. */
function hasLongDigits(json: string): boolean {
  for (let at = LONG_DIGITS - 1; at < json.length; at += LONG_DIGITS) {
    if (!isDigit(json, at)) continue
    let digits = 1
    for (let before = at - 1; digits < LONG_DIGITS && isDigit(json, before); before--) digits++
    for (let after = at + 1; digits < LONG_DIGITS && isDigit(json, after); after++) digits++
    if (digits >= LONG_DIGITS) return true
  }
  return false
}

const isDigit = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code >= 0x30 && code <= 0x39
}

/** Walks the text of valid JSON, because parsed numbers have lost their digits. */
function findUnfit(json: string): { path: readonly (string | number)[]; message: string } | null {
  /** Name or index of the current member on each level. */
  const path: (string | number)[] = []
  let lastString = ''
  for (let at = 0; at < json.length; at++) {
    const start = at
    switch (json[at]) {
      case '"':
        at = endOfString(json, at)
        lastString = json.slice(start, at + 1)
        break
      case ':': {
        const name = String(JSON.parse(lastString))
        path[path.length - 1] = name
        if (name === '__proto__' || (name === 'prototype' && path.at(-2) === 'constructor'))
          return { path, message: 'is not an accepted name' }
        break
      }
      case '{':
        path.push('')
        break
      case '[':
        path.push(0)
        break
      case '}':
      case ']':
        path.pop()
        break
      case ',': {
        const index = path.at(-1)
        if (typeof index === 'number') path[path.length - 1] = index + 1
        break
      }
      default:
        if (isSpace(json.charCodeAt(at))) {
          while (isSpace(json.charCodeAt(at + 1))) at++
          break
        }
        // A letter of true, false or null.
        if (json[at] !== '-' && !isDigit(json, at)) break
        while (isInNumber(json.charCodeAt(at + 1))) {
          if (++at - start >= MAX_NUMBER_LENGTH)
            return { path, message: `is a number of more than ${MAX_NUMBER_LENGTH} characters` }
        }
        if (!isKept(json.slice(start, at + 1)))
          return {
            path,
            message: 'is an integer that a double would change: send a smaller one, or a string',
          }
    }
  }
  return null
}

/** Whether JSON allows a UTF-16 unit or byte between its tokens. */
export const isSpace = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d

/** Whether a number may contain a UTF-16 unit or byte: a digit, or one of `+-.Ee`. */
export const isInNumber = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) ||
  code === 0x2e ||
  code === 0x2d ||
  code === 0x2b ||
  code === 0x65 ||
  code === 0x45

/** Returns the index of the quote that ends a string. Searches, because a string may be megabytes long. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let backslashes = 0
    while (json[end - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return end
  }
  return json.length
}

/** Whether an integer, however it is written, has the same digits when it is written again, or the same value. */
function isKept(literal: string): boolean {
  // Others are small enough.
  if (!/^-?\d{16}|e/i.test(literal)) return true
  const sent = toDecimal(literal)
  if (sent.exponent < 0) return true
  const kept = toDecimal(String(Number(literal)))
  if (sent.digits === kept.digits && sent.exponent === kept.exponent) return true
  if (sent.digits.length + sent.exponent >= MAX_EXACT_DIGITS) return false
  return BigInt(sent.digits + '0'.repeat(sent.exponent)) === BigInt(Math.abs(Number(literal)))
}

/** A number without its sign: its digits, without zeros around them, times ten to the power of `exponent`. */
interface Decimal {
  digits: string
  exponent: number
}

function toDecimal(literal: string): Decimal {
  const [mantissa = '', power = '0'] = literal.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return { digits: digits.slice(0, end), exponent: Number(power) - fraction.length + digits.length - end }
}
