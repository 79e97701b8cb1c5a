import { speakableText } from './speakable-text.ts'
import { applyEdits, type Edit, type SpokenText } from './spoken-text.ts'

/** How a term is spoken, such as a name that engines mispronounce. */
export interface LexiconEntry {
  /** Word or phrase as it is written, 1 to 100 UTF-16 units. */
  term: string
  /** Text that is spoken instead, at most 200 UTF-16 units; empty to leave the term out. */
  spoken_as: string
}

/** Entries of one language, prepared by `createLexicon`. */
export interface Lexicon {
  /** Finds the longest term at the start of a word. */
  find(text: string, start: number): { end: number; spokenAs: string } | undefined
}

export const LEXICON_LIMITS = { termUnits: 100, spokenAsUnits: 200 } as const

/** Reports an entry that cannot be used. `field` is its path: `entries[3].term`. */
export class LexiconError extends Error {
  override readonly name = 'LexiconError'
  readonly field: string

  constructor(field: string, message: string) {
    super(`${field}: ${message}`)
    this.field = field
  }
}

interface Term {
  folded: string
  /** Spoken forms by the exact writing of the term; the last is for other cases. */
  writings: Map<string, string>
}

/** Compares without case and composition, as Unicode's caseless matching does (section 3.13). */
const fold = (character: string): string => character.normalize('NFD').toUpperCase().toLowerCase()
const PRINTED_ASCII = /^[!-~]$/
const foldSpace = (character: string): string => {
  // Most characters, ten times faster.
  if (PRINTED_ASCII.test(character)) return character.toLowerCase()
  return /\s/.test(character) ? ' ' : fold(character)
}

const WORD = /[\p{L}\p{M}\p{N}]/u
/** Scripts that put no spaces between words, so a term may stand anywhere in them. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u

/**
 * Prepares the entries of a language. A term matches whole words in any case; of terms that differ only by case, the one
 * written like the text wins. The longest term wins, and of equal terms the last.
 *
 * @throws LexiconError if a term has no letter or digit, or a text is too long
 */
export function createLexicon(entries: readonly LexiconEntry[]): Lexicon {
  const terms = new Map<string, Term>()
  const folds = new Map<string, string>()
  const foldOnce = (character: string): string => {
    const known = folds.get(character)
    if (known !== undefined) return known
    const folded = foldSpace(character)
    folds.set(character, folded)
    return folded
  }
  for (const [index, { term, spoken_as }] of entries.entries()) {
    const written = term.trim()
    if (!WORD.test(written)) throw new LexiconError(`entries[${index}].term`, 'needs a letter or a digit')
    if (written.length > LEXICON_LIMITS.termUnits)
      throw new LexiconError(`entries[${index}].term`, `is longer than ${LEXICON_LIMITS.termUnits}`)
    if (spoken_as.length > LEXICON_LIMITS.spokenAsUnits)
      throw new LexiconError(`entries[${index}].spoken_as`, `is longer than ${LEXICON_LIMITS.spokenAsUnits}`)
    let folded = ''
    for (const character of written) folded += foldOnce(character)
    const known = terms.get(folded) ?? { folded, writings: new Map() }
    terms.set(folded, known)
    known.writings.delete(written)
    known.writings.set(written, speakableText(spoken_as))
  }
  const sorted = [...terms.values()].toSorted((one, other) => (one.folded < other.folded ? -1 : 1))
  return { find: (text, start) => findTerm(sorted, text, start) }
}

/** Finds the longest of the sorted terms. Takes a hundredth of the memory of a tree, which would have a node per unit. */
function findTerm(terms: readonly Term[], text: string, start: number): ReturnType<Lexicon['find']> {
  let found: ReturnType<Lexicon['find']>
  // The terms from `first` to before `end` begin with the `depth` units read so far.
  let [first, end, depth] = [0, terms.length, 0]
  for (let at = start; at < text.length && first < end;) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
    const folded = foldSpace(character)
    for (let index = 0; index < folded.length; index++, depth++) {
      const unit = folded.charCodeAt(index)
      first = lowest(terms, { first, end, depth, unit })
      end = lowest(terms, { first, end, depth, unit: unit + 1 })
    }
    at += character.length
    // Of terms that begin alike, the shortest is the first.
    const term = terms[first]
    if (first < end && term?.folded.length === depth && isBoundary(text, at)) {
      const spokenAs = term.writings.get(text.slice(start, at)) ?? [...term.writings.values()].at(-1)
      if (spokenAs !== undefined) found = { end: at, spokenAs }
    }
  }
  return found
}

/** Returns the first of a range of terms whose unit at `depth` is not below `unit`. A term that has ended is below all. */
function lowest(
  terms: readonly Term[],
  { first, end, depth, unit }: { first: number; end: number; depth: number; unit: number },
): number {
  let [low, high] = [first, end]
  while (low < high) {
    const middle = (low + high) >>> 1
    const term = terms[middle]?.folded ?? ''
    if (depth < term.length && term.charCodeAt(depth) >= unit) high = middle
    else low = middle + 1
  }
  return low
}

/** Whether a term may start or end between two characters: not inside a word, nor between a letter and its marks. */
function isBoundary(text: string, at: number): boolean {
  const after = text.codePointAt(at)
  if (at <= 0 || after === undefined) return true
  const unit = text.charCodeAt(at - 1)
  const before = text.codePointAt(unit >= 0xdc_00 && unit <= 0xdf_ff && at > 1 ? at - 2 : at - 1) ?? 0
  const [left, right] = [String.fromCodePoint(before), String.fromCodePoint(after)]
  if (/\p{M}/u.test(right)) return false
  return !WORD.test(left) || !WORD.test(right) || UNSPACED.test(left) || UNSPACED.test(right)
}

/** Replaces the terms of a lexicon, from left to right. What it puts in is not looked up again. */
export function applyLexicon(spoken: SpokenText, lexicon: Lexicon): SpokenText {
  const { text } = spoken
  const edits: Edit[] = []
  for (let at = 0; at < text.length;) {
    const found = isBoundary(text, at) ? lexicon.find(text, at) : undefined
    if (found === undefined) {
      at += (text.codePointAt(at) ?? 0) > 0xff_ff ? 2 : 1
      continue
    }
    edits.push({ start: at, end: found.end, text: found.spokenAs })
    at = found.end
  }
  return applyEdits(spoken, edits)
}
