/** Pages that are drawn with their words in reading order. */
import sharp from 'sharp'

/** A4 at 150 dots per inch. */
export const PAGE = { width: 1240, height: 1754 }
const MARGIN = 90
const PRINT = 24
const LEADING = 36

interface PlacedText {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly pixels?: number
  readonly anchor?: 'start' | 'end'
}
interface Layout {
  /** In reading order. */
  readonly texts: readonly PlacedText[]
  /** Heights of lines across the page. */
  readonly rules?: readonly number[]
}
/** Draws so many words, or a number. */
interface Source {
  readonly words: (count: number) => string
  readonly amount: () => string
  readonly number: () => string
  /** Headings of two addresses beside each other. */
  readonly parties: readonly [string, string]
  /** The average width of a letter, in heights of the print. */
  readonly letterWidth: number
}

/** Returns lines of running text that fill a width. */
function prose(
  { words, letterWidth }: Source,
  place: { x: number; y: number; width: number; lines: number },
): PlacedText[] {
  const letters = place.width / (PRINT * letterWidth)
  return Array.from({ length: place.lines }, (_, line) => {
    let text = ''
    for (let next = words(1); (text + next).length < letters; next = words(1)) text += `${next} `
    return { text: text.trim(), x: place.x, y: place.y + line * LEADING }
  })
}

/** Returns the lines of an address below its heading. */
const address = ({ words, number }: Source, heading: string, more: number): string[] => [
  heading,
  words(2),
  `${number()} ${words(2)}`,
  ...Array.from({ length: more }, () => words(2)),
  `${words(1)} ${number()}`,
]

/** Layouts that people send: letters, forms, tables, receipts and articles. */
export const LAYOUTS = {
  'two columns': (source) => {
    const width = (PAGE.width - 3 * MARGIN) / 2
    const column = { y: 260, width: width - 20, lines: 36 }
    return {
      texts: [
        { text: source.words(4), x: MARGIN, y: 150, pixels: 44 },
        ...prose(source, { ...column, x: MARGIN }),
        ...prose(source, { ...column, x: 2 * MARGIN + width }),
      ],
    }
  },
  'a table with rules': (source) => {
    const rows = Array.from({ length: 16 }, (_, row) => row)
    return {
      texts: [
        ...prose(source, { x: MARGIN, y: 150, width: PAGE.width - 2 * MARGIN, lines: 4 }),
        ...rows.flatMap((row) => [
          { text: source.words(2), x: MARGIN + 10, y: 400 + row * 60 },
          ...[1, 2, 3].map((column) => ({
            text: source.amount(),
            x: MARGIN + 350 + column * 230,
            y: 400 + row * 60,
            anchor: 'end' as const,
          })),
        ]),
        ...prose(source, { x: MARGIN, y: 1420, width: PAGE.width - 2 * MARGIN, lines: 4 }),
      ],
      rules: [...rows, rows.length].map((row) => 358 + row * 60),
    }
  },
  'a form': (source) => ({
    texts: Array.from({ length: 22 }, (_, row) => row).flatMap((row) => [
      { text: `${source.words(2)}:`, x: MARGIN, y: 170 + row * 66 },
      { text: row % 3 === 0 ? source.amount() : source.words(3), x: 560, y: 170 + row * 66 },
    ]),
    rules: Array.from({ length: 22 }, (_, row) => 182 + row * 66),
  }),
  'a receipt': (source) => ({
    texts: [
      { text: source.words(2), x: 380, y: 140, pixels: 40 },
      { text: source.words(4), x: 360, y: 200 },
      ...Array.from({ length: 20 }, (_, row) => row).flatMap((row) => [
        { text: source.words(2), x: 300, y: 300 + row * 50 },
        { text: source.amount(), x: 940, y: 300 + row * 50, anchor: 'end' as const },
      ]),
      { text: source.words(1), x: 300, y: 1380, pixels: 40 },
      { text: source.amount(), x: 940, y: 1380, pixels: 40, anchor: 'end' },
    ],
  }),
  'a letter': (source) => ({
    texts: [
      { text: source.words(2), x: MARGIN, y: 130, pixels: 52 },
      ...[0, 1, 2].map((line) => ({
        text: source.words(2),
        x: PAGE.width - MARGIN,
        y: 200 + line * LEADING,
        anchor: 'end' as const,
      })),
      ...[0, 1, 2].map((line) => ({ text: source.words(3), x: MARGIN, y: 360 + line * LEADING })),
      ...prose(source, { x: MARGIN, y: 560, width: PAGE.width - 2 * MARGIN, lines: 22 }),
      { text: source.words(2), x: MARGIN, y: 1480 },
    ],
  }),
  'addresses beside each other': (source) => {
    const middle = PAGE.width / 2
    const [left, right] = source.parties
    const columns = [
      { x: MARGIN, lines: address(source, left, 0) },
      { x: middle, lines: address(source, right, 1) },
    ]
    return {
      texts: [
        { text: source.words(1), x: MARGIN, y: 150, pixels: 52 },
        ...columns.flatMap(({ x, lines }) =>
          lines.map((text, line) => ({ text, x, y: 260 + line * LEADING })),
        ),
        ...Array.from({ length: 12 }, (_, row) => row).flatMap((row) => [
          { text: source.words(2), x: MARGIN, y: 580 + row * 50 },
          { text: source.amount(), x: middle + 150, y: 580 + row * 50, anchor: 'end' as const },
          { text: source.amount(), x: PAGE.width - MARGIN, y: 580 + row * 50, anchor: 'end' as const },
        ]),
        ...prose(source, { x: MARGIN, y: 1260, width: PAGE.width - 2 * MARGIN, lines: 3 }),
      ],
    }
  },
} as const satisfies Readonly<Record<string, (source: Source) => Layout>>
export type LayoutName = keyof typeof LAYOUTS

/** Draws a layout with words drawn at random, and returns them in reading order with their picture, a PNG. */
export async function drawLayout(
  name: LayoutName,
  {
    words,
    parties,
    family,
    random,
  }: { words: readonly string[]; parties: readonly [string, string]; family: string; random: () => number },
): Promise<{ text: string; picture: Buffer }> {
  const pick = () => words[Math.floor(random() * words.length)] ?? ''
  const layout: Layout = LAYOUTS[name]({
    words: (count) => Array.from({ length: count }, pick).join(' '),
    amount: () =>
      `${1 + Math.floor(random() * 99)},${String(Math.floor(random() * 1000)).padStart(3, '0')}.${Math.floor(random() * 90) + 10}`,
    number: () => String(10 + Math.floor(random() * 990)),
    parties,
    letterWidth: 0.56,
  })
  const texts = layout.texts.map(
    ({ text, x, y, pixels = PRINT, anchor = 'start' }) =>
      `<text x="${x}" y="${y}" font-size="${pixels}" text-anchor="${anchor}">${text}</text>`,
  )
  const rules = (layout.rules ?? []).map(
    (y) => `<rect x="${MARGIN}" y="${y}" width="${PAGE.width - 2 * MARGIN}" height="2"/>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${PAGE.width}" height="${PAGE.height}" font-family="${family}"><rect width="100%" height="100%" fill="white"/>${[...texts, ...rules].join('')}</svg>`
  const picture = await sharp(Buffer.from(svg)).png().toBuffer()
  return { text: layout.texts.map(({ text }) => text).join('\n'), picture }
}
