import { divideLines, type DividedLines, type Gap } from './divide-lines.ts'
import { isList } from './is-list.ts'
import { type TextLine, type TextWord, toLine } from './layout.ts'

/** Headings of addresses are so many heights of a line apart at least, further than words, and cells of a table even more. */
const APART = { headings: 1.5, cells: 2 }
/** Lines of an address begin at most so many heights of a line apart, without an empty line; there is more space below a heading. */
const LEADING = { belowHeading: 3, lines: 2 }
/** An address has at most so many lines with its heading. More are a list of names. */
const MAX_LINES = 12
/** The same, from which there is something below a heading. */
const MIN_LINES = 2
/** A line with more headings is no line of addresses. */
const MAX_HEADINGS = 4
/** Share of letters in what stands below a heading. Columns of amounts have fewer. */
const LETTERS = 0.3
/** A line with so many wide gaps within its columns is a row of a table. */
const GAPS_OF_ROWS = 2

const DEED =
  '(?:bill|billed|billing|invoice|invoiced|issued|ship|shipped|shipping|sold|deliver|delivered|delivery|remit|mail|send|order|ordered)'
/** Headings of addresses, in lower case without accents and spaces, which OCR leaves out. */
const HEADING = toPattern([
  `(?:detailsof)?${DEED}(?:to|from|address|details|information|party){1,2}|soldby`,
  '(?:customer|client|seller|buyer|vendor|supplier|consignee|consignor|sender|recipient|receiver)(?:address|details|information)',
  // German, French and Spanish.
  '(?:rechnungs|liefer|versand)(?:adresse|anschrift)|(?:rechnungs|waren)empfanger',
  'facturea|livrea|adressede(?:facturation|livraison)',
  'facturara|enviara|direccionde(?:facturacion|envio|entrega)',
])
/** Parties to an invoice, a delivery or a letter, which head columns of tables as well, unless all have a colon. */
const PARTY = toPattern([
  `(?!soldby)${DEED}(?:by|for)`,
  'from|to|customer|client|seller|buyer|vendor|supplier|purchaser|consignee|consignor|shipper|sender|recipient|receiver|payer|payee',
  'empfanger|absender|auftraggeber|lieferant|(?:ver)?kaufer|kunde',
  'vendeur|acheteur|fournisseur|destinataire|expediteur|emetteur',
  'vendedor|comprador|cliente|proveedor|destinatario|remitente|emisor',
  // Hindi and Nepali.
  'विक्रेता|बिक्रेता|क्रेता|खरीदार|खरिदकर्ता|ग्राहक|प्रेषक|प्रापक|प्राप्तकर्ता',
])

function toPattern(alternatives: readonly string[]): RegExp {
  return new RegExp(`^(?:${alternatives.join('|')})$`)
}

/**
 * Divides addresses beside each other that begin in the first of some lines, such as those below "Bill to" and "Ship to". Without two such
 * headings, addresses look like the labels and values of a form. A list below such headings is one column, in its rows.
 */
export function divideAddresses(lines: readonly TextLine[]): DividedLines | null {
  const [first] = lines
  if (first === undefined) return null
  const segments = segmentsOf(first.words, first.box.height * APART.headings)
  const titles = segments.map(titleOf)
  const headings = titles.flatMap((title, index) => (isHeading(title) ? [index] : []))
  const [from = 0] = headings
  const end = (headings.at(-1) ?? 0) + 1
  const parties = segments.filter((_, index) => PARTY.test(titles[index] ?? ''))
  const isOfTable =
    (parties.length > 0 && headings.length < segments.length) ||
    (parties.length === segments.length && !parties.every(isLabel))
  if (headings.length < 2 || headings.length > MAX_HEADINGS || isOfTable) return null
  // What stands between headings is the beginning of an address, and what follows them otherwise is no address.
  const starts = end - from === headings.length ? [...headings, end] : headings
  // Addresses begin below their headings, but may be much longer.
  const gutters = starts
    .filter((start) => start > 0)
    .flatMap((start) => segments[start]?.box.x ?? [])
    .map((right) => ({ left: right - first.box.height * APART.headings, right }))
  const divided = divideAbove(lines.slice(0, MAX_LINES + 1), gutters)
  if (divided.height > MAX_LINES || !divided.columns.every(isOfWords)) return null
  // Labels of rows have no heading.
  const left = Math.min(...divided.columns.flatMap((column) => column.map(({ box }) => box.x)))
  if (first.box.x - left > first.box.height * APART.headings) return null
  const headed = (divided.rows[0] ?? []).map((words) => isHeading(titleOf(toLine(words))))
  if (isList(divided.rows.slice(1).map((parts) => parts.filter((_, column) => headed[column]))))
    return { ...divided, columns: [lines.slice(0, divided.height)] }
  const others = divided.columns.slice(0, -1)
  const last = partRest(divided.columns.at(-1) ?? [], first.box.height * APART.cells)
  return { ...divided, columns: [...others, ...last] }
}

/** Divides lines above the first row of a table or form, and above the line that may head the table. */
function divideAbove(lines: readonly TextLine[], gutters: readonly Gap[]): DividedLines {
  const leading = { leading: LEADING.lines, leadingBelowFirst: LEADING.belowHeading }
  let isHeaded = false
  const divided = divideLines(lines, gutters, {
    ...leading,
    ends(parts, index) {
      const cells = parts.filter((words) => words.length > 0).map(toLine)
      isHeaded = index > 0 && isOfSome(cells, hasLetters)
      const isOfForm = index > 0 && isOfSome(cells, isLabel)
      return isHeaded || isOfForm || isRow(parts)
    },
  })
  return isHeaded ? divideLines(lines.slice(0, divided.height - 1), gutters, leading) : divided
}

/** Parts words at gaps of so many pixels. */
function segmentsOf(words: readonly TextWord[], gap: number): TextLine[] {
  const segments: TextWord[][] = []
  let right = -Infinity
  for (const word of words) {
    if (word.box.x - right >= gap) segments.push([])
    segments.at(-1)?.push(word)
    right = word.box.x + word.box.width
  }
  return segments.map(toLine)
}

/** Parts a column from what stands further to the right and has no heading in the first line. */
function partRest(column: readonly TextLine[], gap: number): readonly (readonly TextLine[])[] {
  const segments = column.flatMap(({ words }) => segmentsOf(words, gap))
  let right = segments[0]?.box.x ?? 0
  for (const { box } of segments.toSorted((one, other) => one.box.x - other.box.x)) {
    if (box.x - right >= gap) {
      const parted = divideLines(column, [{ left: right, right: box.x }], { leading: Infinity })
      return parted.height === column.length ? parted.columns : [column]
    }
    right = Math.max(right, box.x + box.width)
  }
  return [column]
}

/** Returns the letters of a text up to its colon, in lower case without accents. */
const titleOf = ({ text }: TextLine): string =>
  (text.split(/:(?=.)/)[0] ?? '')
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]|[^\p{L}\p{M}]/gu, '')

const isHeading = (title: string): boolean => HEADING.test(title) || PARTY.test(title)

/** Whether a line is a row of a table. */
const isRow = (parts: readonly TextWord[][]): boolean =>
  parts.reduce((count, words) => {
    const height = Math.max(0, ...words.map(({ box }) => box.height))
    return count + Math.max(0, segmentsOf(words, height * APART.cells).length - 1)
  }, 0) >= GAPS_OF_ROWS

/** Amounts, quantities and most dates have none. */
const hasLetters = ({ text }: TextLine): boolean => /[\p{L}\p{M}]/u.test(text)

const isLabel = ({ text }: TextLine): boolean => text.endsWith(':')

/** Whether something holds of some cells, but not of all. */
const isOfSome = (cells: readonly TextLine[], holds: (cell: TextLine) => boolean): boolean =>
  cells.some(holds) && !cells.every(holds)

function isOfWords(column: readonly TextLine[]): boolean {
  const text = column
    .slice(1)
    .map((line) => line.text)
    .join('')
  const letters = text.match(/[\p{L}\p{M}]/gu)?.length ?? 0
  const signs = text.match(/\S/g)?.length ?? 0
  return column.length >= MIN_LINES && letters >= signs * LETTERS
}
