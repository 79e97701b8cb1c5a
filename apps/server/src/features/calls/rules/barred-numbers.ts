import { type NumberType, parsePhoneNumberWithError } from 'libphonenumber-js/max'

/** Steps of a call at which it can be barred. */
export const BARRED_AT = ['placement', 'dial'] as const
export type BarredAt = (typeof BARRED_AT)[number]

/** Why no phone line dials a number. */
export const BARS = [
  'no_route',
  'outside_hours',
  'unknown_time_zone',
  'emergency',
  'short_code',
  'premium_rate',
  'shared_cost',
  'pager',
  'personal_number',
  'global_network',
] as const
export type Bar = (typeof BARS)[number]

/**
 * Types of numbers, by the ranges of libphonenumber, that cost the caller more than a call to a phone, or where nobody answers. Personal
 * numbers are resold at any price; those of country code 1 are not (`UNBARRED_PERSONAL`). Universal access numbers are called at
 * the price of a phone.
 */
const BARRED_TYPES: Partial<Record<Exclude<NumberType, undefined>, Bar>> = {
  PREMIUM_RATE: 'premium_rate',
  SHARED_COST: 'shared_cost',
  PAGER: 'pager',
  PERSONAL_NUMBER: 'personal_number',
}

/** Numbers 5XX of the North American plan count as personal in the metadata; they are no premium rate (900 is). */
const UNBARRED_PERSONAL = '1'

/**
 * Country codes of no country, from the list of ITU-T E.164 assigned country codes. `never`: universal personal telecommunications (878)
 * and international premium rate (979). `listed`: satellites and global networks, dear and a target of fraud, so that they are dialled
 * only if a route lists a prefix longer than the code.
 */
const GLOBAL_CODES: Readonly<Record<string, { bar: Bar; unless: 'listed' | 'never' }>> = {
  870: { bar: 'global_network', unless: 'listed' },
  878: { bar: 'personal_number', unless: 'never' },
  881: { bar: 'global_network', unless: 'listed' },
  882: { bar: 'global_network', unless: 'listed' },
  883: { bar: 'global_network', unless: 'listed' },
  888: { bar: 'global_network', unless: 'listed' },
  979: { bar: 'premium_rate', unless: 'never' },
  991: { bar: 'global_network', unless: 'listed' },
}

/**
 * Beginnings of national numbers that networks connect to an emergency service, whatever digits follow: 112 and 911 (ITU-T E.161.1) and
 * others in use, such as 999 (United Kingdom), 000 (Australia), 100 to 108 (Nepal, India), 110 and 119 (East Asia).
 */
const EMERGENCY = /^(?:000|10[0-8]|11[0-9]|911|999)/

/** Digits of the longest short codes, such as those of text messages in North America. */
const SHORT_CODE_DIGITS = 6

/**
 * Returns why a phone line must not dial a number. Ranges that the metadata does not know may be new, so that they are barred only if
 * they look like an emergency number or a short code.
 *
 * @param to in E.164, possible in its numbering plan
 * @param prefixes those that the operator listed for the line
 */
export function barOf(to: string, prefixes: readonly string[]): Bar | null {
  const number = parsePhoneNumberWithError(to, { extract: false })
  const { countryCallingCode: code, nationalNumber } = number
  const global = GLOBAL_CODES[code]
  if (global !== undefined && !(global.unless === 'listed' && isListed(to, code, prefixes))) return global.bar
  const type = number.getType()
  if (type !== undefined)
    return type === 'PERSONAL_NUMBER' && code === UNBARRED_PERSONAL ? null : (BARRED_TYPES[type] ?? null)
  if (global !== undefined) return null
  if (EMERGENCY.test(nationalNumber)) return 'emergency'
  return nationalNumber.length <= SHORT_CODE_DIGITS ? 'short_code' : null
}

/** Whether a prefix that is longer than the country code has the number. */
const isListed = (to: string, code: string, prefixes: readonly string[]): boolean =>
  prefixes.some((prefix) => prefix.length > `+${code}`.length && to.startsWith(prefix))
