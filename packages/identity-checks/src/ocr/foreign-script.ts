import { type GreyImage, rotateGrey } from '../image/open-image.ts'
import { type Run, runsOf } from './columns.ts'
import { EAST_ASIAN, findScript, type FoundScript } from './find-script.ts'
import { languagePackage, languagesIn, ocrLanguages, scriptsOf } from './languages.ts'
import type { PageError } from './layout.ts'
import { isLegible, type Legible } from './recognize-upright.ts'
import { recognize } from './recognizer.ts'
import { findInk, INK_SIDE } from './straighten.ts'

/** A page with fewer lines is read, because that takes hardly longer than to sample it. */
const MIN_LINES = 12
/** The height of a page that a line has at most, which bounds the time. */
const MAX_HEIGHT = 0.05
/** Rows with less of the ink of a row amid letters lie between lines. A line has a few rows. */
const LINE = { ink: 0.25, rows: 3 }
/** Rows of the picture that letters may reach above and below their line. */
const MARGIN = 2
/** A sample can be read if that share of its letters was read with this confidence. Of other scripts, few are. */
const READABLE: Legible = { confidence: 0.8, share: 0.2 }
/** The same if it shall tell how a page lies: of 4 lines of 30 receipts, some reach it in 25, and turned only in one. */
const SURELY_READABLE: Legible = { confidence: 0.8, share: 0.5 }

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
    const upright = await cutSamples(await rotateGrey(page, found.rotation))
    if (await hasLegible(upright, languages, READABLE)) return 'unreadable'
  }
  return { code: 'other_script', message: describe(found) }
}

/** Puts a direction first in which samples can be read, if there is one. Those in the first cannot. */
export async function putReadableFirst(
  page: GreyImage,
  languages: readonly string[],
  rotations: readonly number[],
): Promise<readonly number[]> {
  for (const degrees of rotations.slice(1))
    if (await hasLegible(await cutSamples(await rotateGrey(page, degrees)), languages, SURELY_READABLE))
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

function describe({ code, name }: FoundScript): string {
  const tags = languagesIn(code)
  const installed = tags.filter((tag) => ocrLanguages().includes(tag))
  const packages = tags.map((tag) => `${languagePackage(tag)} for ${tag}`)
  return installed.length > 0
    ? `is in the script ${name}, not in that of the language; send language=${installed.join(' or ')}`
    : `is in the script ${name}, which this server cannot read; it needs ${packages.join(', or ')}`
}

/** Cuts out the lines with the most ink, the first, the middle and the last; none of a page with few lines. */
async function cutSamples(page: GreyImage): Promise<GreyImage[]> {
  const scale = Math.min(1, INK_SIDE / Math.max(page.width, page.height))
  const rows = Array.from({ length: Math.ceil(page.height * scale) }, () => 0)
  for (const row of (await findInk(page)).across) rows[row] = (rows[row] ?? 0) + 1
  const amidLetters = rows.toSorted((one, other) => one - other)[Math.floor(rows.length * 0.9)] ?? 0
  const lines = runsOf(rows, (count) => count > amidLetters * LINE.ink).filter(
    ({ start, end }) => end - start >= LINE.rows,
  )
  if (lines.length < MIN_LINES) return []
  const inkOf = ({ start, end }: Run) => rows.slice(start, end).reduce((sum, count) => sum + count, 0)
  const [densest] = lines.toSorted((one, other) => inkOf(other) - inkOf(one))
  return [densest, lines[0], lines[Math.floor(lines.length / 2)], lines.at(-1)]
    .filter((line) => line !== undefined)
    .map(({ start, end }) => cutRows(page, (start - MARGIN) / scale, (end + MARGIN) / scale))
}

function cutRows({ data, width, height }: GreyImage, from: number, to: number): GreyImage {
  const top = Math.max(0, Math.floor(from))
  const bottom = Math.min(height, Math.ceil(to), top + Math.ceil(height * MAX_HEIGHT))
  return { data: data.subarray(top * width, bottom * width), width, height: bottom - top }
}
