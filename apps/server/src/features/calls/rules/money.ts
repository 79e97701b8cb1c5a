import { z } from 'zod'

/** Money is counted in millionths of a currency's unit, as whole numbers, because prices of a minute have up to six decimals. */
const MICROS = 1_000_000
const DECIMAL = /^(?<units>\d{1,9})(?:\.(?<decimals>\d{1,6}))?$/

/** Reads an amount as an operator writes it, such as `"0.0140"`, into millionths. A string, because a number in JSON may be rounded. */
export const moneySchema = z.string().transform((text, context) => {
  const { units, decimals = '' } = DECIMAL.exec(text)?.groups ?? {}
  if (units === undefined) {
    context.addIssue('must be a decimal in a string, such as "0.014"')
    return z.NEVER
  }
  return Number(units) * MICROS + Number(decimals.padEnd(6, '0'))
})

/** Converts millionths to units of the currency. Up to nine digits before and six after the point are exact. */
export const toUnits = (micros: number): number => micros / MICROS
