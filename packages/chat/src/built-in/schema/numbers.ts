import { numberOf, type SchemaObject } from './read-schema.ts'

const TRIED = 400

/** Yields numbers between the bounds of all parts, the one closest to 1 first, and multiples where they are wanted. */
export function* candidatesOfNumber(
  parts: readonly SchemaObject[],
  type: 'integer' | 'number',
): Generator<number> {
  const all = (keyword: string): number[] => parts.flatMap((part) => numberOf(part[keyword]) ?? [])
  // Draft 4 writes an exclusive bound as a word beside it; the validator tells.
  const low = Math.max(...all('minimum'), ...all('exclusiveMinimum'))
  const high = Math.min(...all('maximum'), ...all('exclusiveMaximum'))
  if (low > high) return
  const multiples = all('multipleOf').filter((one) => one > 0)
  const step =
    type === 'integer'
      ? multiples.reduce(commonMultiple, 1)
      : multiples.reduce(commonMultiple, multiples[0] ?? 0)
  if (step === 0) {
    const start = Math.min(Math.max(1, low), high)
    yield* [start, Math.ceil(start), Math.floor(start)]
    const [from, to] = [Math.max(low, Math.min(-1e6, high - 1)), Math.min(high, Math.max(1e6, low + 1))]
    for (let part = 2; part < TRIED; part++) yield from + (to - from) / part
    return
  }
  const first = Math.min(Math.max(Math.ceil(low / step), 1), Math.floor(high / step))
  const start = Number.isFinite(first) ? first : 1
  for (let away = 0; away < TRIED; away++)
    for (const factor of away === 0 ? [start] : [start + away, start - away]) {
      const value = factor * step
      // What is written as a decimal may not be an exact multiple.
      if (value >= low && value <= high && Number.isInteger(value / step)) yield value
    }
}

/** The least common multiple, of decimals as well. */
function commonMultiple(one: number, other: number): number {
  const scale = 10 ** Math.min(12, Math.max(decimalsOf(one), decimalsOf(other)))
  const [a, b] = [Math.round(one * scale), Math.round(other * scale)]
  const common = (a / greatestDivisor(a, b)) * b
  return common / scale
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b))

function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e')
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent))
}
