import { isIP } from 'node:net'

/** What stands in place of what is left out. */
export const MASK = '…'
/** Longer values are left out, so that a hostile one costs no time and no room. */
export const LONGEST_VALUE = 500
/** Of a number, its country code at most. */
const SHOWN_DIGITS = 3
/** What can be a phone number, with the separators that people write (RFC 3966, 5.1.1). Each step takes a digit, so that the time is linear. */
const NUMBER = /\+?\d(?:[\s()./-]{0,2}\d){6,}/g
const BEGINS_WITH_NUMBER = /^\+?\d(?:[\s()./-]{0,2}\d){6}/

const maskNumber = (number: string): string =>
  `${number.startsWith('+') ? '+' : ''}${number.replaceAll(/\D/g, '').slice(0, SHOWN_DIGITS)}${MASK}`

/** Leaves of each number what tells a country: `+977…`. */
export const maskNumbers = (text: string): string =>
  text.length > LONGEST_VALUE ? MASK : text.replaceAll(NUMBER, maskNumber)

/** Masks the part of an address before its host: a number, or a name, of which nothing is left. */
export const maskUser = (user: string): string => (BEGINS_WITH_NUMBER.test(user) ? maskNumber(user) : MASK)

/** Shows a value that has the form that is meant, and of numbers in it what tells a country. */
export const showIf = (form: RegExp, value: string): string =>
  value.length <= LONGEST_VALUE && form.test(value) ? maskNumbers(value) : MASK

/** Shows an address whole, and of a name what {@link showIf} shows. */
export const maskHost = (host: string): string => (isIP(host) === 0 ? showIf(/^[\w.-]+$/, host) : host)
