/** A cell of a table in the truth. Rows and columns count from 0 and include the last. */
export interface TrueCell {
  readonly text: string
  readonly startRow: number
  readonly endRow: number
  readonly startColumn: number
  readonly endColumn: number
}

/** A table in the truth, or the part of one that is on a page. */
export interface TrueTable {
  /** From 1. */
  readonly page: number
  readonly cells: readonly TrueCell[]
}

/** Reads a file of the competition that says the cells of the tables of a document, `*-str.xml`. */
export const readTruth = (xml: string): TrueTable[] =>
  [...xml.matchAll(/<region\b([^>]*)>([^]*?)<\/region>/g)].map(([, attributes = '', content = '']) => ({
    page: numberOf(attributes, 'page') ?? 1,
    cells: [...content.matchAll(/<cell\b([^>]*)>([^]*?)<\/cell>/g)].map(([, places = '', cell = '']) =>
      readCell(places, cell),
    ),
  }))

function readCell(attributes: string, content: string): TrueCell {
  const startRow = numberOf(attributes, 'start-row') ?? 0
  const startColumn = numberOf(attributes, 'start-col') ?? 0
  return {
    text: plain(/<content>([^]*?)<\/content>/.exec(content)?.[1] ?? ''),
    startRow,
    startColumn,
    endRow: numberOf(attributes, 'end-row') ?? startRow,
    endColumn: numberOf(attributes, 'end-col') ?? startColumn,
  }
}

function numberOf(attributes: string, name: string): number | undefined {
  const [, digits] = new RegExp(String.raw`\b${name}=["'](-?\d+)["']`).exec(attributes) ?? []
  return digits === undefined ? undefined : Number(digits)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const plain = (text: string): string =>
  text
    .replace(/^\s*<!\[CDATA\[([^]*)\]\]>\s*$/, '$1')
    .replaceAll(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
