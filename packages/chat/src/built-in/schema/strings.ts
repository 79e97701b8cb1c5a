import { textsOfFormat } from './formats.ts'
import { joinPatterns } from './join-patterns.ts'
import { numberOf, type SchemaObject, textOf } from './read-schema.ts'
import { MAX_UNITS, type Search } from './search.ts'
import { stringsOfPattern } from './strings-of-pattern.ts'

const DISTINCT = 300

/** Yields texts for all parts, of which many, but not all, have the wanted form: the caller checks them. */
export function* candidatesOfString(
  search: Pick<Search, 'cut' | 'noteUntried' | 'work'>,
  parts: readonly SchemaObject[],
  name: string,
): Generator<string> {
  const all = (keyword: string): number[] => parts.flatMap((part) => numberOf(part[keyword]) ?? [])
  const fewest = Math.max(0, ...all('minLength'))
  const most = Math.min(Infinity, ...all('maxLength'))
  if (fewest > most) return
  if (fewest > MAX_UNITS) return search.cut()
  const { work } = search
  const patterns = parts.flatMap((part) => textOf(part['pattern']) ?? [])
  for (const pattern of patterns)
    for (const text of stringsOfPattern(pattern, work, fewest)) {
      yield text
      // A pattern without ends matches a part of the text.
      work.spend(fewest / 8)
      yield toLength(text, fewest, most)
    }
  if (patterns.length > 1) yield* joinPatterns(patterns, { work, fewest })
  const formats = parts.flatMap((part) => textOf(part['format']) ?? [])
  for (const format of formats)
    for (const text of textsOfFormat(format, fewest)) {
      work.spend(fewest / 8)
      yield* distinct(text)
    }
  const tries = patterns.length > 0 && formats.length === 0 ? 1 : DISTINCT
  for (let number = 1; number <= tries; number++) {
    work.spend(fewest / 8)
    yield toLength(number === 1 ? name : `${number} ${name}`, fewest, most)
  }
  search.noteUntried()
}

/** Yields a text, and others of its format, by its last digit. */
function* distinct(text: string): Generator<string> {
  yield text
  if (text.length > DISTINCT) return
  for (let digit = 0; digit <= 9; digit++)
    for (let at = 0; at < text.length; at++)
      if (/\d/.test(text.charAt(at))) yield text.slice(0, at) + digit + text.slice(at + 1)
  for (let number = 1; number < DISTINCT; number++)
    yield text.replace(/(path|someone|example)/, `$1${number}`)
}

/** Repeats or cuts a text to a number of characters between two bounds. */
function toLength(text: string, fewest: number, most: number): string {
  const characters = text === '' ? ['a'] : [...text]
  if (text === '' && fewest === 0) return text
  if (characters.length > most) return characters.slice(0, most).join('')
  if (characters.length >= fewest) return characters.join('')
  const times = Math.floor(fewest / characters.length)
  return characters.join('').repeat(times) + characters.slice(0, fewest % characters.length).join('')
}
