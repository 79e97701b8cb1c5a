import { describe, expect, test } from 'vitest'
import { createRandom } from '../../scripts/random.ts'
import { findTables } from './find-tables.ts'
import { type TextWord, toBlock, toLine } from './layout.ts'

const [LETTER, HEIGHT, LEADING] = [14, 28, 50]

/** Places words side by side, from the left of the first one. */
function place(text: string, x: number, y: number): TextWord[] {
  let left = x
  return text.split(' ').map((word) => {
    const width = word.length * LETTER
    const placed = { text: word, confidence: 1, box: { x: left, y, width, height: HEIGHT } }
    left += width + LETTER
    return placed
  })
}

/** Places cells at their columns, a row below the other. */
const grid = (rows: readonly (readonly string[])[], columns: readonly number[], top = 100): TextWord[] =>
  rows.flatMap((cells, row) =>
    cells.flatMap((text, column) =>
      text === '' ? [] : place(text, columns[column] ?? 0, top + row * LEADING),
    ),
  )

const find = (words: readonly TextWord[]) =>
  findTables(words.length === 0 ? [] : [toBlock([toLine([...words])])])
const textsOf = (words: readonly TextWord[]) =>
  find(words).map(({ rows }) => rows.map((row) => row.map(({ text }) => text)))

const PRICES = [
  ['Item', 'Quantity', 'Price'],
  ['Office chair', '2', '4,500.00'],
  ['Desk lamp', '', '850.00'],
  ['Paper', '10', '420.00'],
]
const COLUMNS = [100, 500, 800]
const SENTENCES =
  'Members who renew early receive a card by post and the card is valid for one year from the first use while lost cards are replaced free of charge once and after that for a small fee which depends on the branch'.split(
    ' ',
  )

/** Fills lines with words at random. */
function prose(lines: number, { x, width, seed }: { x: number; width: number; seed: number }): TextWord[] {
  const random = createRandom(seed)
  return Array.from({ length: lines }, (_, line) => {
    let text = ''
    while (text.length * LETTER < width - 150)
      text += `${SENTENCES[Math.floor(random() * SENTENCES.length)]} `
    return place(text.trim(), x, 100 + line * LEADING)
  }).flat()
}

describe('a table is found', () => {
  test('as a grid, with boxes, and empty cells', () => {
    const words = grid(PRICES, COLUMNS)
    const [table] = find(words)
    expect(textsOf(words)).toEqual([PRICES])
    expect(table?.box).toEqual({ x: 100, y: 100, width: 812, height: 178 })
    expect(table?.rows[2]).toEqual([
      { text: 'Desk lamp', box: { x: 100, y: 200, width: 126, height: 28 } },
      { text: '' },
      { text: '850.00', box: { x: 800, y: 200, width: 84, height: 28 } },
    ])
  })

  test('in words of any order, between paragraphs', () => {
    const words = [
      ...place('Please pay within thirty days of the date of this invoice to the account below', 100, 0),
      ...grid(PRICES, COLUMNS),
      ...place('Thank you for your order and please quote the number of this invoice', 100, 350),
    ]
    expect(textsOf(words.toReversed())).toEqual([PRICES])
  })

  test('with headings of several columns', () => {
    const words = [
      ...place('Domestic', 550, 100),
      ...place('Abroad', 1045, 100),
      ...grid(
        [
          ['', '2025', '2026', '2025', '2026'],
          ['Chairs', '850', '920', '12', '14'],
          ['Lamps', '310', '295', '7', '9'],
        ],
        [100, 500, 650, 1000, 1150],
        150,
      ),
    ]
    const [table] = find(words)
    expect(table?.rows[0]?.map(({ text, column_span: span }) => [text, span])).toEqual([
      ['', undefined],
      ['Domestic', 2],
      ['', undefined],
      ['Abroad', 2],
      ['', undefined],
    ])
    expect(table?.rows.every((row) => row.length === 5)).toBe(true)
  })

  test('with cells of several lines', () => {
    const words = grid(
      [
        ['Country', 'Year of', 'Members'],
        ['', 'accession', ''],
        ['Austria', '1995', '19'],
        ['Denmark', '1973', '14'],
        ['Malta', '2004', '6'],
      ],
      COLUMNS,
    ).map((word) => ({ ...word, box: { ...word.box, y: word.box.y * 0.8 } }))
    expect(textsOf(words)[0]?.slice(0, 2)).toEqual([
      ['Country', 'Year of accession', 'Members'],
      ['Austria', '1995', '19'],
    ])
  })

  test('in a column of running text', () => {
    const words = [
      ...prose(5, { x: 100, width: 1000, seed: 1 }),
      ...grid(PRICES, COLUMNS, 100 + 6 * LEADING),
      ...prose(16, { x: 1200, width: 1000, seed: 2 }),
    ]
    expect(textsOf(words)).toEqual([PRICES])
  })
})

test.each<[string, TextWord[]]>([
  ['nothing', []],
  ['a paragraph', prose(20, { x: 100, width: 1800, seed: 3 })],
  ['columns of running text', [100, 900, 1700].flatMap((x, seed) => prose(25, { x, width: 700, seed }))],
  [
    'a list with numbers',
    grid(
      SENTENCES.slice(0, 12).map((_, index) => [
        `${index + 1}.`,
        SENTENCES.slice(index, index + 8).join(' '),
      ]),
      [100, 180],
    ),
  ],
  [
    'a letter head',
    grid(
      [
        ['Harbour Clinic', 'Ms R. Thapa'],
        ['12 Quay Street', 'Lakeside 7'],
        ['Telephone 555 0100', 'Pokhara'],
      ],
      [100, 900],
    ),
  ],
  [
    'a form',
    grid(
      [
        ['Surname:', 'Thapa', 'Given names:', 'Rita'],
        ['Born:', '1990-02-01', 'Place of birth:', 'Pokhara'],
        ['Issued:', '2020-05-06', 'Expires:', '2030-05-05'],
      ],
      [100, 400, 700, 1050],
    ),
  ],
])('%s is no table', (_, words) => {
  expect(find(words)).toEqual([])
})

test('texts that place letters anywhere get few cells', () => {
  const random = createRandom(5)
  const anywhere = Array.from({ length: 20_000 }, () =>
    place('a', Math.floor(random() * 2500), Math.floor(random() * 3500)),
  ).flat()
  const wide = Array.from({ length: 20_000 }, (_, index) =>
    place('1', (index % 90) * 60, Math.floor(index / 90) * LEADING),
  ).flat()
  for (const words of [anywhere, wide, [...wide, ...anywhere]])
    expect(find(words).reduce((sum, { rows }) => sum + rows.flat().length, 0)).toBeLessThanOrEqual(10_000)
})
