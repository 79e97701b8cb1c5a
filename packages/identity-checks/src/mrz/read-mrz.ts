import { type GreyImage, type OpenedImage, readGrey } from '../image/open-image.ts'
import { checkDigit } from './check-digit.ts'
import { ALPHABET, createGlyphReader } from './glyphs.ts'
import { locateZones, type Zone } from './locate-lines.ts'
import { type Mrz, parseMrz } from './parse-mrz.ts'
import { type LineReading, readLine, sampleAt } from './read-line.ts'

export interface MrzReading {
  readonly mrz: Mrz
  /** 0 to 1, of the least certain line. */
  readonly confidence: number
  /** 0 to 1, of the least certain character. */
  readonly characterConfidence: number
}

const SIDE = 2400
const LOCATE_WIDTH = 700
const MAX_ZONES = 6
/** Certainties of the least certain line: good enough to look no further, and too bad to be text. */
const SURE = -0.05
const DOUBTFUL = -0.6
const TILTS_DEGREES = [6, -6]

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ<'
const DIGITS = '0123456789'
/** What may stand at a place of a line: a letter, anything, a digit, a digit or filler, a sex. */
const SETS: Readonly<Record<string, string>> = {
  L: LETTERS,
  A: ALPHABET,
  N: DIGITS,
  M: `${DIGITS}<`,
  S: 'MFX<',
}
/** ICAO Doc 9303, parts 4 and 5. */
const GRAMMARS: Readonly<Record<number, readonly string[]>> = {
  2: ['L'.repeat(44), `${'A'.repeat(9)}NLLL${'N'.repeat(7)}S${'N'.repeat(7)}${'A'.repeat(14)}MN`],
  3: [
    `LLLLL${'A'.repeat(9)}M${'A'.repeat(15)}`,
    `${'N'.repeat(7)}S${'N'.repeat(7)}LLL${'A'.repeat(11)}N`,
    'L'.repeat(30),
  ],
}
/** Line, first and last place of a field, and the place of its check digit. */
const REPAIRS: Readonly<Record<number, readonly (readonly [line: number, from: number, to: number])[]>> = {
  2: [
    [1, 0, 9],
    [1, 13, 19],
    [1, 21, 27],
    [1, 28, 42],
  ],
  3: [
    [0, 5, 14],
    [1, 0, 6],
    [1, 8, 14],
  ],
}

interface Candidate {
  lines: readonly LineReading[]
  certainty: number
}

let classifier: ReturnType<typeof createGlyphReader> | undefined

/**
 * Reads the machine-readable zone of a passport or card, in any orientation and a little tilted, by glyphs of OCR-B; null
 * where none is found. Digits that do not fit their check digit are tried again by likelihood.
 */
export async function readMrz(image: OpenedImage): Promise<MrzReading | null> {
  const classify = (classifier ??= createGlyphReader())
  const grey = await readGrey(image, SIDE)
  const turned = [0, 180, 90, 270].map((degrees) => () => turn(grey, degrees))
  const tilted = [0, 180].flatMap((degrees) =>
    TILTS_DEGREES.map((tilt) => () => tiltBy(turn(grey, degrees), tilt)),
  )
  const straight = findBest(turned, classify)
  const best =
    straight !== null && straight.certainty > DOUBTFUL ? straight : (findBest(tilted, classify) ?? straight)
  return best === null ? null : decode(best)
}

/** The most certain zone of several pictures; looks no further than at one that is sure. */
function findBest(
  pictures: readonly (() => GreyImage)[],
  classify: (cell: Float32Array) => Float32Array,
): Candidate | null {
  let best: Candidate | null = null
  for (const picture of pictures)
    for (const candidate of readZones(picture(), classify)) {
      if (best === null || candidate.certainty > best.certainty) best = candidate
      if (best.certainty > SURE) return best
    }
  return best
}

function* readZones(image: GreyImage, classify: (cell: Float32Array) => Float32Array): Generator<Candidate> {
  const scale = Math.max(1, image.width / LOCATE_WIDTH)
  for (const zone of locateZones(shrink(image, scale)).slice(0, MAX_ZONES)) {
    const lines = readZone(image, { zone, scale, classify })
    if (lines === null) continue
    const certainty = Math.min(...lines.map((line) => line.certainty))
    // Upside down it reads as something too: documents begin with one of these letters.
    const isUpright = /[PIACV]/.test(likeliest(lines[0]?.cells[0]))
    yield { lines, certainty: isUpright ? certainty : certainty - 0.5 }
  }
}

function readZone(
  image: GreyImage,
  { zone, scale, classify }: { zone: Zone; scale: number; classify: (cell: Float32Array) => Float32Array },
): LineReading[] | null {
  const length = zone.bands.length === 3 ? 30 : 44
  const lines: LineReading[] = []
  for (const band of zone.bands) {
    const place = {
      left: (band.left + zone.widenedBy * 0.55) * scale,
      right: (band.right - zone.widenedBy * 0.55) * scale,
      middleX: band.middleX * scale,
      middleY: band.middleY * scale,
      slope: band.slope,
    }
    const line = readLine({ image, place, length, classify })
    if (line === null) return null
    lines.push(line)
  }
  return lines
}

function likeliest(cell: Float32Array | undefined, set = ALPHABET): string {
  return [...set].reduce((best, character) =>
    likelihood(cell, character) > likelihood(cell, best) ? character : best,
  )
}
const likelihood = (cell: Float32Array | undefined, character: string): number =>
  cell?.[ALPHABET.indexOf(character)] ?? 0

function decode({ lines, certainty }: Candidate): MrzReading | null {
  const grammar = GRAMMARS[lines.length] ?? []
  const setAt = (line: number, place: number) => SETS[grammar[line]?.[place] ?? 'A'] ?? ALPHABET
  const texts = lines.map(({ cells }, line) =>
    cells.map((cell, place) => likeliest(cell, setAt(line, place))).join(''),
  )
  for (const [line, from, to] of REPAIRS[lines.length] ?? [])
    texts[line] = repair({
      text: texts[line] ?? '',
      cells: lines[line]?.cells ?? [],
      from,
      to,
      setAt: (at) => setAt(line, at),
    })
  const mrz = parseMrz(texts)
  if (mrz === null) return null
  const characterConfidence = Math.min(
    ...lines.flatMap(({ cells }, line) =>
      cells.map((cell, place) => likelihood(cell, texts[line]?.[place] ?? '')),
    ),
  )
  return { mrz, confidence: Math.min(1, Math.exp(certainty)), characterConfidence }
}

/** Where a check digit does not fit, the likeliest single other character with which it does. */
function repair(options: {
  text: string
  cells: readonly Float32Array[]
  from: number
  /** Of the check digit. */
  to: number
  setAt: (place: number) => string
}): string {
  const { text, cells, from, to, setAt } = options
  const fits = (line: string) => checkDigit(line.slice(from, to)) === line[to]
  if (fits(text)) return text
  const others = Array.from({ length: to - from + 1 }, (_, index) => from + index).flatMap((place) =>
    [...setAt(place)]
      .filter((character) => character !== text[place])
      .map((character) => ({
        line: text.slice(0, place) + character + text.slice(place + 1),
        odds:
          likelihood(cells[place], character) / Math.max(likelihood(cells[place], text[place] ?? '<'), 1e-9),
      })),
  )
  return (
    others.toSorted((a, b) => b.odds - a.odds).find(({ line, odds }) => odds > 2e-3 && fits(line))?.line ??
    text
  )
}

function turn({ data, width, height }: GreyImage, degrees: number): GreyImage {
  if (degrees === 0) return { data, width, height }
  const turned = new Uint8Array(data.length)
  if (degrees === 180) return { data: data.toReversed(), width, height }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      turned[degrees === 90 ? x * height + (height - 1 - y) : (width - 1 - x) * height + y] =
        data[y * width + x] ?? 0
  return { data: turned, width: height, height: width }
}

function tiltBy(image: GreyImage, degrees: number): GreyImage {
  const { width, height } = image
  const tilted = new Uint8Array(width * height)
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [dx, dy] = [x - width / 2, y - height / 2]
      tilted[y * width + x] = sampleAt(
        image,
        width / 2 + dx * cos - dy * sin,
        height / 2 + dx * sin + dy * cos,
      )
    }
  return { data: tilted, width, height }
}

/** Smaller by the mean of the pixels that become one. */
function shrink({ data, width, height }: GreyImage, scale: number): GreyImage {
  const [small, low] = [Math.round(width / scale), Math.round(height / scale)]
  const shrunk = new Uint8Array(small * low)
  for (let y = 0; y < low; y++)
    for (let x = 0; x < small; x++) {
      const [top, left] = [Math.floor(y * scale), Math.floor(x * scale)]
      const bottom = Math.min(height, Math.max(top + 1, Math.floor((y + 1) * scale)))
      const right = Math.min(width, Math.max(left + 1, Math.floor((x + 1) * scale)))
      let sum = 0
      for (let row = top; row < bottom; row++)
        for (let column = left; column < right; column++) sum += data[row * width + column] ?? 0
      shrunk[y * small + x] = sum / Math.max(1, (bottom - top) * (right - left))
    }
  return { data: shrunk, width: small, height: low }
}
