/** A number as JSON writes it: digits × 10^exponent. */
interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

/**
 * Whether a number is a multiple of another. Beyond 2^53, where division rounds to a whole number, it is one if what JSON
 * writes for it is.
 */
export function isMultiple(value: number, step: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0
  const quotient = value / step
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER && Math.abs(quotient) <= Number.MAX_SAFE_INTEGER)
    return Number.isInteger(quotient)
  const [one, other] = toSameExponent(decimalOf(value), decimalOf(step))
  return one % other === 0n
}

/** Returns the least common multiple of positive numbers, of decimals as well; undefined if JSON could not write its digits. */
export function commonMultiple(numbers: readonly number[]): number | undefined {
  const common = numbers.map(decimalOf).reduce((one, other) => {
    const [a, b] = toSameExponent(one, other)
    return { digits: (a / greatestDivisor(a, b)) * b, exponent: Math.min(one.exponent, other.exponent) }
  })
  const value = Number(`${common.digits}e${common.exponent}`)
  if (!Number.isFinite(value)) return undefined
  const [exact, written] = toSameExponent(common, decimalOf(value))
  return exact === written ? value : undefined
}

function greatestDivisor(one: bigint, other: bigint): bigint {
  let [a, b] = [one, other]
  while (b !== 0n) [a, b] = [b, a % b]
  return a
}

function decimalOf(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}

function toSameExponent(...decimals: readonly [Decimal, Decimal]): readonly [bigint, bigint] {
  const least = Math.min(decimals[0].exponent, decimals[1].exponent)
  const scaled = ({ digits, exponent }: Decimal) => digits * 10n ** BigInt(exponent - least)
  return [scaled(decimals[0]), scaled(decimals[1])]
}
