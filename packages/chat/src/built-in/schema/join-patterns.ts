import { take } from './search.ts'
import { stringsOfPattern } from './strings-of-pattern.ts'
import type { Work } from '../work.ts'

/** Texts of each pattern that are put together with those of the others. */
const TEXTS = 4

/** Yields texts that begin, go on and end as several patterns want it, each of which says how only a part of the text is. */
export function* joinPatterns(
  patterns: readonly string[],
  { work, fewest }: { work: Work; fewest: number },
): Generator<string> {
  const written = [...new Set(patterns)].map((pattern) => ({
    kind: kindOf(pattern),
    texts: [...take(stringsOfPattern(pattern, work), TEXTS)],
  }))
  for (let variant = 0; variant < TEXTS; variant++) {
    const textsOf = (kind: Kind) =>
      written.filter((one) => one.kind === kind).map(({ texts }) => texts[variant] ?? texts[0] ?? '')
    const start = withoutParts(textsOf('start'), (one, other) => one.startsWith(other)).join('')
    const within = withoutParts(textsOf('within'), (one, other) => one.includes(other)).join('')
    const end = withoutParts(textsOf('end'), (one, other) => one.endsWith(other)).join('')
    const missing = Math.max(0, fewest - [...start, ...within, ...end].length)
    for (const filler of [...textsOf('whole').map((text) => [...text][0] ?? 'a'), 'a']) {
      work.spend(1 + missing / 8)
      yield start + within + filler.repeat(missing) + end
    }
  }
}

/** The part of a text that a pattern is about. */
type Kind = 'whole' | 'start' | 'within' | 'end'

function kindOf(pattern: string): Kind {
  const hasStart = pattern.startsWith('^')
  const hasEnd = pattern.endsWith('$') && !pattern.endsWith('\\$')
  if (hasStart) return hasEnd ? 'whole' : 'start'
  return hasEnd ? 'end' : 'within'
}

/** Leaves out the texts that others have in them, so that what is left can stand one after another. */
const withoutParts = (texts: readonly string[], has: (one: string, other: string) => boolean): string[] =>
  [...new Set(texts)].filter((text, _, all) => !all.some((one) => one !== text && has(one, text)))
