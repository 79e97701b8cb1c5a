import { commonMultiple, isMultiple } from './multiples.ts'
import { numberOf, type SchemaObject } from './read-schema.ts'
import type { Search } from './search.ts'

const TRIED = 400
const TOO_PRECISE =
  'has multiples of so many digits that readers of JSON would round them, so the built-in model writes none'

/** Yields numbers between the bounds of all parts, the one closest to 1 first, and multiples where they are wanted. */
export function* candidatesOfNumber(
  search: Pick<Search, 'cut' | 'noteUntried'>,
  parts: readonly SchemaObject[],
  type: 'integer' | 'number',
): Generator<number> {
  const all = (keyword: string): number[] => parts.flatMap((part) => numberOf(part[keyword]) ?? [])
  // Draft 4 writes an exclusive bound as a word beside it; the validator tells.
  const low = Math.max(...all('minimum'), ...all('exclusiveMinimum'))
  const high = Math.min(...all('maximum'), ...all('exclusiveMaximum'))
  const excluded = [...all('exclusiveMinimum'), ...all('exclusiveMaximum')]
  if (low > high || (low === high && excluded.includes(low))) return
  if (type === 'integer' && Math.ceil(low) > Math.floor(high)) return
  const multiples = all('multipleOf').filter((one) => one > 0)
  if (type === 'integer') multiples.push(1)
  if (multiples.length === 0) yield* between(low, high)
  else {
    const step = commonMultiple(multiples)
    if (step === undefined) {
      if (low <= 0 && high >= 0) yield 0
      return search.cut(TOO_PRECISE)
    }
    yield* multiplesBetween(low, high, step)
  }
  search.noteUntried()
}

function* between(low: number, high: number): Generator<number> {
  const start = Math.min(Math.max(1, low), high)
  yield* [start, Math.ceil(start), Math.floor(start)]
  const [from, to] = [Math.max(low, Math.min(-1e6, high - 1)), Math.min(high, Math.max(1e6, low + 1))]
  for (let part = 2; part < TRIED; part++) yield from + (to - from) / part
}

function* multiplesBetween(low: number, high: number, step: number): Generator<number> {
  const first = Math.min(Math.max(Math.ceil(low / step), 1), Math.floor(high / step))
  const start = Number.isFinite(first) ? first : 1
  for (let away = 0; away < TRIED; away++)
    for (const factor of away === 0 ? [start] : [start + away, start - away]) {
      const value = factor * step
      // What is written as a decimal may not be an exact multiple.
      if (value >= low && value <= high && isMultiple(value, step)) yield value
    }
}
