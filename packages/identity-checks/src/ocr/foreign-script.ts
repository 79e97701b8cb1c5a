import type { GreyImage } from '../image/open-image.ts'
import {
  EAST_ASIAN,
  findOrientation,
  findScript,
  type FoundScript,
  SURE_OF_UNREAD,
  SURE_ORIENTATION,
} from './find-script.ts'
import { dataInOtherScripts, languagePackage, languagesIn, ocrLanguages, scriptsOf } from './languages.ts'
import { type PageError, type TextBlock, toBlock, toLine } from './layout.ts'
import { isLegible, type Legible, MIN_LETTERS, shareLegible } from './recognize-upright.ts'
import { recognize } from './recognizer.ts'
import { cutSamples } from './sample-lines.ts'
import { turnPage } from './straighten.ts'

/** A sample can be read if that share of its letters was read with this confidence. Of other scripts, few are. */
const READABLE: Legible = { confidence: 0.8, share: 0.2 }
/** The same if it shall tell how a page lies: of 4 lines of 30 receipts, some reach it in 25, and turned only in one. */
const SURELY_READABLE: Legible = { confidence: 0.8, share: 0.5 }

/** The same of all that is on a page of few lines. Digits and some letters of other scripts look like those of the languages. */
const FEW_READABLE: Legible = { confidence: 0.8, share: 0.4 }

/** Installed languages in other scripts that are tried on a page of few lines, of which nothing else tells the script. */
const MAX_TRIED = 3
const LATIN = 'Latn'
/** Scripts that Unicode knows of those of East Asia. */
const EAST_ASIAN_LETTERS = ['Han', 'Hira', 'Kana', 'Hang']
const SCRIPT_NAMES = new Intl.DisplayNames('en', { type: 'script' })

/** What samples of a page are: readable, not readable, in another script, or none, because it has too few lines. */
export type Sampled = 'readable' | 'unreadable' | 'none' | PageError

/**
 * Finds out whether a page is in another script than those of the languages, of which reading it would make junk, and slowly. Most pages
 * cost it one line. One that is read in part, such as a letterhead in the languages above a letter that is not, is never refused.
 *
 * @param page with its lines level
 */
export async function samplePage(page: GreyImage, languages: readonly string[]): Promise<Sampled> {
  const samples = await cutSamples(page)
  if (samples.length === 0) return 'none'
  if (await hasLegible(samples, languages, READABLE)) return 'readable'
  const found = await findScript(page)
  if (found === null || isAskedFor(found, languages)) return 'unreadable'
  if (found.rotation !== 0) {
    const upright = await cutSamples(await turnPage(page, found.rotation))
    if (await hasLegible(upright, languages, READABLE)) return 'unreadable'
  }
  return { code: 'other_script', message: describe(found) }
}

/**
 * Finds out whether a page of which hardly anything was read is in another script than those of the languages; `unknown` if the detector
 * is not sure.
 *
 * @param page with its lines level
 */
export async function checkUnreadPage(
  page: GreyImage,
  languages: readonly string[],
): Promise<PageError | 'asked' | 'unknown'> {
  const found = await findScript(page, SURE_OF_UNREAD)
  if (found === null) return 'unknown'
  // Letters cannot stand across level lines: those are no letters of that script.
  if (isAskedFor(found, languages) || found.rotation % 180 !== 0) return 'asked'
  if (found.rotation !== 0) {
    const upright = await turnPage(page, found.rotation)
    if (!isUnread(await recognize(upright, { languages, scale: 1, layout: 'rows' }), languages))
      return 'asked'
  }
  return { code: 'other_script', message: describe(found) }
}

/**
 * Whether enough letters were read, and few of them with certainty, also in each line. A machine-readable zone has too few, because of its
 * long words.
 */
export function isUnread(read: readonly TextBlock[], languages: readonly string[]): boolean {
  const share = shareLegible(read, FEW_READABLE.confidence)
  return share !== null && share < FEW_READABLE.share && !hasReadLine(read, languages)
}

/** Whether a line was mostly read with certainty, as letters in the scripts of the languages. */
function hasReadLine(read: readonly TextBlock[], languages: readonly string[]): boolean {
  const letters = lettersOf(scriptsOf(languages))
  return read
    .flatMap(({ lines }) => lines)
    .some(({ text, words }) => {
      const sure = words.filter(({ confidence }) => confidence >= FEW_READABLE.confidence)
      const count = sure.flatMap((word) => word.text.match(letters) ?? []).length
      return count >= MIN_LETTERS && count >= text.length / 2
    })
}

/** Matches each letter of scripts, by their codes in ISO 15924. */
function lettersOf(scripts: ReadonlySet<string | undefined>): RegExp {
  const names = [...scripts].flatMap((code) => (EAST_ASIAN.has(code) ? EAST_ASIAN_LETTERS : (code ?? [])))
  return new RegExp(names.map((name) => String.raw`\p{Script=${name}}`).join('|'), 'gu')
}

/** Finds an installed language in another script in which a page of few lines can be read. */
export async function findReadable(page: GreyImage, languages: readonly string[]): Promise<PageError | null> {
  const others = [...dataInOtherScripts(languages)].filter(
    ([code]) => code !== LATIN && !EAST_ASIAN.has(code),
  )
  for (const [code, data] of others.slice(0, MAX_TRIED)) {
    const blocks = await recognize(page, { languages: [data], scale: 1, layout: 'rows' })
    if (isReadIn(code, blocks))
      return { code: 'other_script', message: describe({ code, name: SCRIPT_NAMES.of(code) ?? code }) }
  }
  return null
}

/** Returns installed data of Latin letters, if the languages have other ones. */
export const otherLatinData = (languages: readonly string[]): string | undefined =>
  dataInOtherScripts(languages).get(LATIN)

export const isReadInLatin = (blocks: readonly TextBlock[]): boolean => isReadIn(LATIN, blocks)

/** Whether words of a script were read, and most of all letters with certainty. */
function isReadIn(code: string, blocks: readonly TextBlock[]): boolean {
  const inScript = new RegExp(String.raw`\p{Script=${code}}`, 'u')
  const words = blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words))
  const own = words.map((word) => (inScript.test(word.text) ? word : { ...word, confidence: 0 }))
  return words.length > 0 && isLegible([toBlock([toLine(own)])], SURELY_READABLE)
}

/**
 * Puts a direction first in which the letters of a page stand upright: one that the detector of scripts is sure of, or else one in which samples can
 * be read. Those in the first direction cannot.
 */
export async function putReadableFirst(
  page: GreyImage,
  languages: readonly string[],
  rotations: readonly number[],
): Promise<readonly number[]> {
  const [first = 0, ...others] = rotations
  const found = await findOrientation(await turnPage(page, first))
  if (found !== null && found.confidence >= SURE_ORIENTATION) {
    const upright = rotations.find((degrees) => (degrees - first - found.rotation) % 360 === 0)
    if (upright !== undefined) return [upright, ...rotations.filter((other) => other !== upright)]
  }
  for (const degrees of others)
    if (await hasLegible(await cutSamples(await turnPage(page, degrees)), languages, SURELY_READABLE))
      return [degrees, ...rotations.filter((other) => other !== degrees)]
  return rotations
}

async function hasLegible(
  samples: readonly GreyImage[],
  languages: readonly string[],
  least: Legible,
): Promise<boolean> {
  for (const sample of samples)
    if (isLegible(await recognize(sample, { languages, scale: 1, layout: 'rows' }), least)) return true
  return false
}

function isAskedFor({ code }: FoundScript, languages: readonly string[]): boolean {
  const asked = scriptsOf(languages)
  return asked.has(code) || (EAST_ASIAN.has(code) && [...asked].some((script) => EAST_ASIAN.has(script)))
}

function describe({ code, name }: Pick<FoundScript, 'code' | 'name'>): string {
  const tags = languagesIn(code)
  const installed = tags.filter((tag) => ocrLanguages().includes(tag))
  const packages = tags.map((tag) => `${languagePackage(tag)} for ${tag}`)
  return installed.length > 0
    ? `is in the script ${name}, not in that of the language; send language=${installed.join(' or ')}`
    : `is in the script ${name}, which this server cannot read; it needs ${packages.join(', or ')}`
}
