import type { MarkedWord } from './messages.ts'

/** Finds a word that the engine reports in the text of the request; undefined if it is part of an earlier one, or no word. */
export type WordFinder = (
  word: Pick<MarkedWord, 'position' | 'length'>,
) => { start: number; end: number } | undefined

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;' }
/** The engine ends a word before some of the characters that it says within it, such as the `&` of `AT&T`. */
const REST_OF_WORD = /^(?:[\p{L}\p{M}\p{N}]|[&'’.-](?=[\p{L}\p{N}]))+/u
const SPEAKABLE = /[\p{L}\p{N}\p{S}]/u

/**
 * Creates a finder for the words of one request, which must be asked in their order.
 *
 * @param markup - the text as markup, in which characters are escaped, replaced by spaces or followed by added spaces
 */
export function createWordFinder(text: string, markup: string): WordFinder {
  let offsets: number[] | undefined
  let spokenUntil = 0
  return ({ position, length }) => {
    offsets ??= alignMarkup(text, markup)
    const start = offsets[position]
    const last = offsets[position + length] ?? text.length
    if (start === undefined || start < spokenUntil) return undefined
    const word = text.slice(start, Math.max(last, start))
    if (!SPEAKABLE.test(word)) return undefined
    const trimmed = word.trimEnd()
    const end = start + trimmed.length
    const rest =
      trimmed.length < word.length || isUnspaced(trimmed)
        ? ''
        : (REST_OF_WORD.exec(text.slice(end))?.[0] ?? '')
    spokenUntil = end + rest.length
    return { start, end: spokenUntil }
  }
}

/** Chinese characters and kana, whose words no space separates. */
const isUnspaced = (word: string): boolean => /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]$/u.test(word)

/** Returns the offset in the text that each code point of the markup comes from. */
function alignMarkup(text: string, markup: string): number[] {
  const offsets: number[] = []
  let at = 0
  for (let index = 0; index < markup.length;) {
    const character = String.fromCodePoint(markup.codePointAt(index) ?? 0)
    const written = String.fromCodePoint(text.codePointAt(at) ?? 0)
    const entity = ENTITIES[written]
    if (entity !== undefined && markup.startsWith(entity, index)) {
      for (const _ of entity) offsets.push(at)
      index += entity.length
      at += written.length
      continue
    }
    offsets.push(Math.min(at, text.length))
    index += character.length
    // A space that the text does not have was added, unless it replaces a character.
    if (character === written || markup.codePointAt(index) !== text.codePointAt(at)) at += written.length
  }
  return offsets
}
