import { type GreyImage, type OpenedImage, readGrey } from '../image/open-image.ts'
import { type Corners, mapCorners, turn, turnBack } from '../image/turn.ts'
import { checkDigit } from './check-digit.ts'
import { type Grid, GROWTHS, type LinePlace } from './find-grid.ts'
import { hasGlareOnZone } from './find-glare.ts'
import { createGlyphReader } from './glyphs.ts'
import { type Choice, choicesAt, likelihoodOf, likeliest, type Shape, shapesOf } from './grammar.ts'
import { locateZones, type Zone } from './locate-lines.ts'
import { checkedFields, type Mrz, parseMrz } from './parse-mrz.ts'
import { glimpseLine, type LineReading } from './read-line.ts'
import { shrink, tiltBy } from './turn-picture.ts'

export interface MrzReading {
  readonly mrz: Mrz
  /** Confidence of the least certain line, 0 to 1. */
  readonly confidence: number
  /** Confidence of the least certain character, 0 to 1. */
  readonly characterConfidence: number
  /** By how much the picture must be rotated clockwise for the zone to be upright: 0, 90, 180 or 270. */
  readonly turnDegrees: number
  /** Of the zone, in the pixels of the picture. */
  readonly corners: Corners
}

const SIDE = 2400
const LOCATE_WIDTH = 700
const MAX_ZONES = 6
/**
 * A document has a handful of possible zones at most. With many more it is a page of text, of which only a few are read. Their
 * cells suffice for the zone of a document that lies on such a page, which takes at most 2500.
 */
const PAGE_OF_TEXT = { fromZones: 40, maxZones: 2, maxCells: 6000 }
/** Cells read in all orientations together before the search ends with its best result. */
const MAX_CELLS = 40_000
/** Certainties of the least certain line: high enough to stop the search, and too low for text. */
const SURE = -0.05
const DOUBTFUL = -0.6
/**
 * Mean log-likelihood of a sample of a line below which it does not belong to a zone. That of second lines that were then read was
 * above -0.1, and of other text mostly below -0.3, because it has letters in place of digits. The other lines have few digits.
 */
const HOPELESS = { second: -0.3, others: -0.7 }
/** Characters by which the ends of a line may be elsewhere than its band, and than those of another line of the zone. */
const REACH = { ofBand: 1.35, ofLine: 0.45 }
/** Above this a zone has the shape that it was read with, and no other is tried. */
const PLAUSIBLE = -0.3
const TILTS_DEGREES = [6, -6]

interface Candidate {
  shape: Shape
  lines: readonly LineReading[]
  certainty: number
  turnDegrees: number
  corners: Corners
}

type Classify = (cell: Float32Array) => Float32Array

let classifier: Classify | undefined

/**
 * Reads the machine-readable zone of a passport or card, in any orientation and slightly tilted, by its OCR-B glyphs. Returns
 * null if none is found. If a check digit does not fit, it corrects the likeliest single misread character.
 */
export async function readMrz(image: OpenedImage): Promise<MrzReading | null> {
  const grey = await readGrey(image, SIDE)
  const reading = readMrzOfGrey(grey)
  const toImage = turnBack({ degrees: 0, turned: grey, scaled: grey, original: image })
  return reading && { ...reading, corners: mapCorners(reading.corners, toImage) }
}

/** Like `readMrz`, of grey pixels, at most 2400 on the longer side. */
export function readMrzOfGrey(grey: GreyImage): MrzReading | null {
  const found = findZone(grey, (classifier ??= createGlyphReader()))
  return found === null ? null : decode(found)
}

/** Returns whether light covers a part of the machine-readable zone of a picture. */
export async function isZoneInGlare(image: OpenedImage): Promise<boolean> {
  return hasGlareOnZone(await readGrey(image, SIDE), (classifier ??= createGlyphReader()))
}

/** Finds the most certain zone of a picture. The cost is bounded for any picture. */
export function findZone(grey: GreyImage, classify: Classify): Candidate | null {
  const search: Search = {
    cellsLeft: MAX_CELLS,
    isPageOfText: false,
    classify(cell) {
      search.cellsLeft--
      return classify(cell)
    },
  }
  const turned = [0, 180, 90, 270].map((degrees) => ({ degrees, tilt: 0, make: () => turn(grey, degrees) }))
  const straight = findBest(grey, turned, search)
  if (search.isPageOfText || (straight !== null && straight.certainty > DOUBTFUL)) return straight
  const tilted = [0, 180].flatMap((degrees) =>
    TILTS_DEGREES.map((tilt) => ({ degrees, tilt, make: () => tiltBy(turn(grey, degrees), tilt) })),
  )
  return findBest(grey, tilted, search) ?? straight
}

interface Search {
  readonly classify: Classify
  cellsLeft: number
  isPageOfText: boolean
}

/** Finds the most certain zone in several pictures, and stops at the first one that is sure. */
function findBest(
  grey: GreyImage,
  pictures: readonly { degrees: number; tilt: number; make: () => GreyImage }[],
  search: Search,
): Candidate | null {
  let best: Candidate | null = null
  for (const { degrees, tilt, make } of pictures) {
    if (search.cellsLeft <= 0) break
    const picture = make()
    // A tilt turns counterclockwise.
    const toGrey = turnBack({ degrees: degrees - tilt, turned: picture, scaled: grey, original: grey })
    for (const candidate of readZones(picture, search)) {
      if (best === null || candidate.certainty > best.certainty) {
        const corners = mapCorners(cornersOfZone(candidate.lines), toGrey)
        best = { ...candidate, turnDegrees: degrees, corners }
      }
      if (best.certainty > SURE) return best
    }
  }
  return best
}

/** Returns the corners of the upper line, and of the lower. */
function cornersOfZone(lines: readonly LineReading[]): Corners {
  const nowhere = { x: 0, y: 0 }
  const [topLeft = nowhere, topRight = nowhere] = lines[0]?.corners ?? []
  const [, , bottomRight = nowhere, bottomLeft = nowhere] = lines.at(-1)?.corners ?? []
  return [topLeft, topRight, bottomRight, bottomLeft]
}

function* readZones(image: GreyImage, search: Search): Generator<Omit<Candidate, 'turnDegrees' | 'corners'>> {
  const scale = Math.max(1, image.width / LOCATE_WIDTH)
  const zones = locateZones(shrink(image, scale))
  const places = new Set(zones.map(({ bands }) => bands.map(({ middleY }) => Math.round(middleY / 6)).join()))
  const isPageOfText = places.size >= PAGE_OF_TEXT.fromZones
  if (isPageOfText && !search.isPageOfText) {
    search.isPageOfText = true
    search.cellsLeft = Math.min(search.cellsLeft, PAGE_OF_TEXT.maxCells)
  }
  for (const zone of zones.slice(0, isPageOfText ? PAGE_OF_TEXT.maxZones : MAX_ZONES)) {
    const reading = readZone(image, { zone, scale, search })
    if (reading === null) continue
    yield { ...reading, certainty: Math.min(...reading.lines.map((line) => line.certainty)) }
  }
}

function readZone(
  image: GreyImage,
  { zone, scale, search }: { zone: Zone; scale: number; search: Search },
): Pick<Candidate, 'shape' | 'lines'> | null {
  const [first, second] = zone.bands
  if (first === undefined || second === undefined) return null
  const proportion = (first.width - zone.widenedBy * 1.1) / (second.middleY - first.middleY)
  let best: { shape: Shape; lines: LineReading[]; certainty: number } | null = null
  for (const shape of shapesOf(zone.bands.length, proportion)) {
    const lines = readLines(image, { zone, scale, search, shape })
    if (lines === null) continue
    const certainty = Math.min(...lines.map((line) => line.certainty))
    if (best === null || certainty > best.certainty) best = { shape, lines, certainty }
    if (certainty > PLAUSIBLE) break
  }
  return best
}

function readLines(
  image: GreyImage,
  { zone, scale, search, shape }: { zone: Zone; scale: number; search: Search; shape: Shape },
): LineReading[] | null {
  const lines: LineReading[] = []
  let known: { grid: Grid; place: LinePlace } | null = null
  // Start with the second line: most of its digits have fixed positions, which other text does not match.
  for (const line of [1, 0, 2].slice(0, zone.bands.length)) {
    const band = zone.bands[line]
    if (band === undefined || search.cellsLeft <= 0) return null
    const located: LinePlace = {
      left: (band.left + zone.widenedBy * 0.55) * scale,
      right: (band.right - zone.widenedBy * 0.55) * scale,
      middleX: band.middleX * scale,
      middleY: band.middleY * scale,
      slope: band.slope,
    }
    const place: LinePlace = known === null ? located : alignWith(known, located)
    const glimpse = glimpseLine({
      image,
      place,
      choices: Array.from({ length: shape.length }, (_, column) => choicesAt(shape.loosest, line, column)),
      // Lines of a document lead away from the camera alike.
      growths: known === null ? GROWTHS : [1, 1.03, 1 / 1.03].map((by) => (known?.grid.growth ?? 1) * by),
      reach: known === null ? REACH.ofBand : REACH.ofLine,
      least: known === null ? HOPELESS.second : HOPELESS.others,
      classify: search.classify,
    })
    if (glimpse === null) return null
    const reading = glimpse.read()
    lines[line] = reading
    known ??= { grid: reading.grid, place }
  }
  return lines
}

/** Returns where a line is whose ends are above or below those of a line that was read, which is surer than the ends of its band. */
function alignWith({ grid, place }: { grid: Grid; place: LinePlace }, located: LinePlace): LinePlace {
  const { left, width, slope } = grid
  const yOfRead = grid.middleY + slope * (located.middleX - place.middleX)
  const aside = -slope * (located.middleY - yOfRead)
  return { ...located, left: left + aside, right: left + width + aside }
}

function decode({ shape, lines, certainty, turnDegrees, corners }: Candidate): MrzReading | null {
  const [firstLine] = lines
  const start = firstLine?.cells[0]
  if (start === undefined) return null
  const isVisa = likeliest(start, choicesAt(shape.loosest, 0, 0)).character === 'V'
  const format = isVisa && shape.visa !== null ? shape.visa : shape.document
  const texts = lines.map(({ cells }, line) =>
    cells.map((cell, place) => likeliest(cell, choicesAt(format, line, place)).character).join(''),
  )
  for (const [line, from, to] of checkedFields(format)) {
    // A number that goes on in the optional data has its digit there.
    if (texts[line]?.[to] === '<' && !texts[line].slice(from, to).includes('<')) continue
    texts[line] = repair({
      text: texts[line] ?? '',
      cells: lines[line]?.cells ?? [],
      from,
      to,
      choicesOf: (place) => choicesAt(format, line, place),
    })
  }
  const mrz = parseMrz(texts)
  if (mrz === null) return null
  const likelihoods = lines.flatMap(({ cells }, line) =>
    cells.map((cell, place) => {
      const choice = choicesAt(format, line, place).find(
        ({ character }) => character === texts[line]?.[place],
      )
      return choice === undefined ? 0 : likelihoodOf(cell, choice)
    }),
  )
  return {
    mrz,
    confidence: Math.min(1, Math.exp(certainty)),
    characterConfidence: Math.min(...likelihoods),
    turnDegrees,
    corners,
  }
}

/** If a check digit does not fit, replaces the single character that most likely makes it fit. */
function repair(options: {
  text: string
  cells: readonly Float32Array[]
  from: number
  /** Position of the check digit. */
  to: number
  choicesOf: (place: number) => readonly Choice[]
}): string {
  const { text, cells, from, to, choicesOf } = options
  const fits = (line: string) => checkDigit(line.slice(from, to)) === line[to]
  if (fits(text)) return text
  const others = Array.from({ length: to - from + 1 }, (_, index) => from + index).flatMap((place) => {
    const cell = cells[place]
    if (cell === undefined) return []
    const read = likeliest(cell, choicesOf(place))
    return choicesOf(place)
      .filter(({ character }) => character !== text[place])
      .map((choice) => ({
        line: text.slice(0, place) + choice.character + text.slice(place + 1),
        odds: likelihoodOf(cell, choice) / Math.max(read.likelihood, 1e-9),
      }))
  })
  return (
    others.toSorted((a, b) => b.odds - a.odds).find(({ line, odds }) => odds > 2e-3 && fits(line))?.line ??
    text
  )
}
