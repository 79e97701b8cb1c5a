/** A rectangle in pixels, from the top left of its page. */
export interface TextBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface TextPart {
  readonly text: string
  /** 0 to 1. */
  readonly confidence: number
  readonly box: TextBox
}
export type TextWord = TextPart
export interface TextLine extends TextPart {
  readonly words: TextWord[]
}
/** Lines that belong together, such as a column or a heading. */
export interface TextBlock extends TextPart {
  readonly lines: TextLine[]
  /** From 1, of the largest print, to 4, of bold print of the size of the running text; missing if the block is no heading. */
  readonly heading_level?: number
}

export interface PageBarcode {
  /** Name of the symbology, such as `QRCode`. */
  readonly format: string
  readonly text: string
  readonly box: TextBox
}

/** A cell of a table. */
export interface TableCell {
  /** Its words in reading order, joined by spaces; empty in a cell without text. */
  readonly text: string
  /** Around its words; missing in a cell without text. */
  readonly box?: TextBox
  /** Columns that its text covers, from this one to the right; missing if it is one. The cells that it covers follow, without text. */
  readonly column_span?: number
}

/** A table. All of its rows have a cell for each column. */
export interface PageTable {
  /** Around its words. */
  readonly box: TextBox
  /** From top to bottom; cells from left to right. */
  readonly rows: TableCell[][]
}

/** Why nothing of a page was read. */
export interface PageError {
  /** `other_script` if the page is in a script that the languages do not have. */
  readonly code: 'other_script'
  /** Continues a sentence about the page. Safe to show to its sender. */
  readonly message: string
}

/** What a page says, in its reading order. */
export interface ReadPage {
  /** Size of the upright page in pixels, to which all boxes refer. */
  readonly width: number
  readonly height: number
  /** Degrees by which the page was turned clockwise to stand upright, greater than -180 and up to 180. */
  readonly rotation: number
  /** `text_layer` if the text was in the PDF, `recognition` if it was read from pixels. */
  readonly source: 'recognition' | 'text_layer'
  readonly blocks: TextBlock[]
  /** From top to bottom; missing if there are none. Their words are in blocks as well. */
  readonly tables?: PageTable[]
  readonly barcodes: PageBarcode[]
  /** Fields of a machine-readable zone or of a licence's barcode, by name. */
  readonly fields: Readonly<Record<string, string>>
  /** Missing if the page was read. */
  readonly error?: PageError
}

/** Returns the smallest box around others, at least one. */
export function boxAround(boxes: readonly TextBox[]): TextBox {
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  }
}

/** Returns the mean confidence of parts, weighted by the lengths of their texts; 0 without text. */
export function meanConfidence(parts: readonly { text: string; confidence: number }[]): number {
  const letters = parts.reduce((sum, { text }) => sum + text.length, 0)
  if (letters === 0) return 0
  return parts.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / letters
}

const round = (confidence: number): number => Math.round(confidence * 1000) / 1000

/** Joins words that stand side by side. */
export function toLine(words: TextWord[]): TextLine {
  return {
    text: words.map(({ text }) => text).join(' '),
    confidence: round(meanConfidence(words)),
    box: boxAround(words.map(({ box }) => box)),
    words,
  }
}

/** Joins lines that stand one below the other. */
export function toBlock(lines: TextLine[]): TextBlock {
  return {
    text: lines.map(({ text }) => text).join('\n'),
    confidence: round(meanConfidence(lines)),
    box: boxAround(lines.map(({ box }) => box)),
    lines,
  }
}

/** Returns the text of a page, with an empty line between blocks. */
export const textOf = (blocks: readonly TextBlock[]): string => blocks.map(({ text }) => text).join('\n\n')
