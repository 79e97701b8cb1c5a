/** Words of pages, and how many of them were read. */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** A picture whose text is known. */
export interface KnownPage {
  readonly file: string
  readonly text: string
  readonly words: readonly string[]
}

const PICTURE = /\.(?:jpe?g|png|tiff?)$/i

export const picturesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder))
    .filter((name) => PICTURE.test(name))
    .toSorted()
    .map((name) => path.join(folder, name))

/** Reads the pictures of a folder that have their text beside them. */
export async function knownPagesIn(folder: string): Promise<KnownPage[]> {
  const pages: KnownPage[] = []
  for (const file of await picturesIn(folder)) {
    const text = await textBeside(file)
    if (text !== null) pages.push({ file, text, words: wordsOf(text) })
  }
  return pages
}

/** Returns the text of a picture from the `.txt` beside it, or from a `.csv` of eight numbers and a text a line, as in ICDAR 2019 SROIE. */
async function textBeside(file: string): Promise<string | null> {
  const base = file.replace(PICTURE, '')
  if (existsSync(`${base}.txt`)) return readFile(`${base}.txt`, 'utf8')
  if (!existsSync(`${base}.csv`)) return null
  return (await readFile(`${base}.csv`, 'utf8'))
    .split('\n')
    .map((line) => line.trim().split(',').slice(8).join(','))
    .join('\n')
}

/** Returns the words of a text without case, accents and the punctuation around them. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .toUpperCase()
    .split(/\s+/)
    .map((word) => word.replaceAll(/^[^\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+$|[\u0300-\u036f]/gu, ''))
    .filter((word) => word !== '')
export const isNumber = (word: string): boolean => /^[\d.,:/%-]*\d[\d.,:/%-]*$/.test(word)

/** Counts the words of a text that another has as well. */
export function inBoth(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>()
  for (const word of other) left.set(word, (left.get(word) ?? 0) + 1)
  return one.filter((word) => {
    const count = left.get(word) ?? 0
    left.set(word, count - 1)
    return count > 0
  }).length
}

/** Counts the words of the longest common subsequence: those that are there in their order. */
export function inOrder(one: readonly string[], other: readonly string[]): number {
  let row = Array.from({ length: other.length + 1 }, () => 0)
  for (const word of one) {
    const next = [0]
    for (const [at, against] of other.entries())
      next.push(word === against ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0))
    row = next
  }
  return row.at(-1) ?? 0
}

/** How many words of pages a reader found, also in their order, how many it read, and the seconds that it took. */
export class Score {
  found = 0
  order = 0
  numbers = 0
  read = 0
  seconds = 0
  readonly name: string

  constructor(name: string) {
    this.name = name
  }

  add(page: KnownPage, read: readonly string[], seconds: number): void {
    this.found += inBoth(page.words, read)
    this.order += inOrder(page.words, read)
    this.numbers += inBoth(page.words.filter(isNumber), read.filter(isNumber))
    this.read += read.length
    this.seconds += seconds
  }
}

/** Edits per character between two texts, at most 1, ignoring how they are broken into lines. */
export function errorRate(expected: string, actual: string): number {
  const [a, b] = [expected, actual].map((text) => [...text.normalize('NFC').replaceAll(/\s+/g, ' ').trim()])
  if (a === undefined || b === undefined) return 1
  let row = b.map((_, index) => index + 1)
  row.unshift(0)
  for (const [i, letter] of a.entries()) {
    const next = [i + 1]
    for (const [j, other] of b.entries())
      next.push(
        Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)),
      )
    row = next
  }
  return Math.min(1, (row.at(-1) ?? 0) / a.length)
}

/** Runs something, and returns the seconds of the processor that it took in this process. */
export async function timed<Value>(run: () => Promise<Value>): Promise<{ value: Value; seconds: number }> {
  const start = process.cpuUsage()
  const value = await run()
  const { user, system } = process.cpuUsage(start)
  return { value, seconds: (user + system) / 1e6 }
}
