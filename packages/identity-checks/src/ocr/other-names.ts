import { editDistance } from './edit-distance.ts'

/** The names of a machine-readable zone or a barcode. */
export interface ReadNames {
  readonly surname: string | null
  readonly givenNames: string | null
}

/** What stands before a name on documents: English, and the languages beside it on most of them. */
const LABELS: Readonly<Record<keyof ReadNames, RegExp>> = {
  surname: /\b(?:SURNAME|FAMILY NAME|LAST NAME|PRIMARY IDENTIFIER|APELLIDOS?|NACHNAME|COGNOME)\b/,
  givenNames:
    /\b(?:GIVEN NAMES?|FIRST NAMES?|FORENAMES?|SECONDARY IDENTIFIER|PR[EÉ]NOMS?|NOMBRES?|VORNAMEN?)\b/,
}
/** What may follow a label: the same in another language. */
const TRANSLATION: Readonly<Record<keyof ReadNames, RegExp>> = {
  surname: /^(?:NAMES?|NOMS?|APELLIDOS?|NACHNAME|COGNOME|IDENTIFIANT|PRIMAIRE)$/,
  givenNames: /^(?:NAMES?|PR[EÉ]NOMS?|NOMBRES?|VORNAMEN?|NOME|IDENTIFIANT|SECONDAIRE)$/,
}
/** Words of labels, which are no names. A line with such words has no value of its own. */
const LABEL_WORDS = new Set(
  `SURNAME FAMILY LAST NAME NAMES PRIMARY SECONDARY IDENTIFIER IDENTIFIANT PRIMAIRE SECONDAIRE APELLIDO APELLIDOS NACHNAME COGNOME
   GIVEN FIRST FORENAME FORENAMES PRENOM PRENOMS PRÉNOM PRÉNOMS NOMBRE NOMBRES VORNAME VORNAMEN NOM NOMS NOME PASSPORT PASSEPORT
   NATIONALITY NATIONALITE NATIONALITÉ SEX SEXE SEXO DATE BIRTH NAISSANCE PLACE LIEU AUTHORITY AUTORITE AUTORITÉ TYPE CODE STATE COUNTRY
   DOCUMENT NO NR NUMBER NUMERO NUMÉRO ISSUE ISSUED EXPIRY VALID UNTIL SIGNATURE HOLDER`.split(/\s+/),
)
/** Shorter words differ from too many others by a letter or two. */
const LEAST_LETTERS = 5
/** Share of its letters by which another spelling of a word may differ from it. */
const NEAR = 0.34

/**
 * Finds a name that is surely printed where that of the zone should be: behind its label, or spelt differently. A name that was merely
 * not read proves nothing.
 *
 * @param page.lines lines of words in capital letters
 * @param page.sure the words that were read with certainty
 * @param missing the words of the names that are not on the page
 */
export function findOtherName(
  page: { readonly lines: readonly string[]; readonly sure: ReadonlySet<string> },
  names: ReadNames,
  missing: readonly string[],
): keyof ReadNames | null {
  const wordsOf = (name: string | null): string[] => name?.split(' ') ?? []
  for (const field of ['surname', 'givenNames'] as const) {
    const wanted = wordsOf(names[field])
    const absent = wanted.filter((word) => missing.includes(word))
    if (absent.length === 0) continue
    // A part of a name that is printed shows that its line was found, and the rest is a matter of reading.
    const labelled = absent.length === wanted.length ? behindLabel(page, field) : null
    if (labelled !== null && labelled.every((word) => wanted.every((one) => !isNear(one, word)))) return field
    if (absent.some((word) => isSpeltDifferently(word, page.sure))) return field
  }
  return null
}

/** Returns the words behind a label, or on the line below it; null if they were not read with certainty. */
function behindLabel(
  { lines, sure }: { readonly lines: readonly string[]; readonly sure: ReadonlySet<string> },
  field: keyof ReadNames,
): string[] | null {
  const written = lines.map((line) => line.trim()).filter((line) => line !== '')
  for (const [index, line] of written.entries()) {
    const found = LABELS[field].exec(line)
    if (found === null) continue
    const behind = wordsIn(line.slice(found.index + found[0].length))
    // With the labels of other columns behind it, nobody knows which word below is whose.
    const isBelow = behind.every((word) => TRANSLATION[field].test(word))
    const value = isBelow ? wordsIn(written[index + 1] ?? '') : behind
    if (value.length > 0 && value.every((word) => sure.has(word) && !LABEL_WORDS.has(word))) return value
  }
  return null
}

const wordsIn = (text: string): string[] => (text.match(/\p{L}+/gu) ?? []).filter((word) => word.length > 1)

const isNear = (word: string, other: string): boolean =>
  editDistance(word, other) <= Math.ceil(NEAR * Math.max(word.length, other.length))

/** What readers of English take letters for that a zone spells with two (ICAO 9303-3, section 6): Þ, Æ or Ä, Ø or Ö, Ü, Å, and ß. */
const SPELT_WITH_TWO: readonly (readonly [two: string, seen: string])[] = [
  ['TH', 'P'],
  ['AE', 'A'],
  ['OE', 'O'],
  ['UE', 'U'],
  ['AA', 'A'],
  ['SS', 'B'],
]
const asSeen = (word: string): string =>
  SPELT_WITH_TWO.reduce((text, [two, seen]) => text.replaceAll(two, seen), word)

/** A word of the same length that differs by more than a misread letter, and by less than another word. */
function isSpeltDifferently(word: string, sure: ReadonlySet<string>): boolean {
  if (word.length < LEAST_LETTERS) return false
  return [...sure].some(
    (other) =>
      Math.abs(other.length - word.length) <= 1 &&
      /^\p{L}+$/u.test(other) &&
      editDistance(word, other) > 1 &&
      editDistance(asSeen(word), asSeen(other)) > 1 &&
      isNear(word, other),
  )
}
