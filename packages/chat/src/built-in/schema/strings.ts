import { exampleOf } from './formats.ts'
import { numberOf, type SchemaObject, textOf } from './read-schema.ts'
import { stringsOfPattern } from './strings-of-pattern.ts'
import type { Work } from './work.ts'

/** Longest text that a schema can require. */
const MAX_CHARACTERS = 20_000
const DISTINCT = 300

/** Yields texts for all parts, of which many, but not all, have the wanted form: the caller checks them. */
export function* candidatesOfString(
  parts: readonly SchemaObject[],
  name: string,
  work: Work,
): Generator<string> {
  const all = (keyword: string): number[] => parts.flatMap((part) => numberOf(part[keyword]) ?? [])
  const fewest = Math.max(0, ...all('minLength'))
  const most = Math.min(MAX_CHARACTERS, ...all('maxLength'))
  if (fewest > most) return
  const patterns = parts.flatMap((part) => textOf(part['pattern']) ?? [])
  for (const pattern of patterns)
    for (const text of stringsOfPattern(pattern, work)) {
      yield text
      // A pattern without ends matches a part of the text.
      work.spend(fewest / 8)
      yield toLength(text, fewest, most)
    }
  const formats = parts.flatMap((part) => textOf(part['format']) ?? [])
  for (const format of formats) yield* distinct(exampleOf(format))
  if (patterns.length > 0 && formats.length === 0) return
  for (let number = 1; number <= DISTINCT; number++) {
    work.spend(fewest / 8)
    yield toLength(number === 1 ? name : `${number} ${name}`, fewest, most)
  }
}

/** Yields a text, and others of its format, by its last digit. */
function* distinct(text: string | undefined): Generator<string> {
  if (text === undefined) return
  yield text
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
