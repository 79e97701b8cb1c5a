import { describe, expect, test } from 'vitest'
import { createRandom } from '../../scripts/random.ts'
import type { PrintStyle } from './headings/print-style.ts'
import {
  type PageTable,
  type TextBlock,
  type TextLine,
  type TextWord,
  textOf,
  toBlock,
  toLine,
} from './layout.ts'
import { markHeadings } from './mark-headings.ts'

const [BODY, HEIGHT] = [40, 3500]
const styles = new WeakMap<TextWord, PrintStyle>()

/** Places a line of words at half their size a letter. */
function line(
  text: string,
  y: number,
  {
    x = 300,
    size = BODY,
    bold = false,
    gap = size * 0.3,
  }: { x?: number; size?: number; bold?: boolean; gap?: number } = {},
): TextLine {
  let left = x
  return toLine(
    text.split(' ').map((word) => {
      const placed = {
        text: word,
        confidence: 1,
        box: { x: left, y, width: (word.length * size) / 2, height: size },
      }
      left += placed.box.width + gap
      styles.set(placed, { size, isBold: bold })
      return placed
    }),
  )
}

const SENTENCE = 'members who renew early receive a card by post and it is valid for a year'
/** Running text, in lines of which the feet are 60 pixels apart. */
const prose = (y: number, lines = 6, x = 300): TextLine[] =>
  Array.from({ length: lines }, (_, index) => line(SENTENCE, y + index * 60, { x }))

const mark = (lines: readonly TextLine[], tables: PageTable[] = []): TextBlock[] =>
  markHeadings([toBlock([...lines])], { height: HEIGHT, styleOf: (word) => styles.get(word), tables })
const headingsIn = (lines: readonly TextLine[], tables: PageTable[] = []) =>
  mark(lines, tables).flatMap(({ text, heading_level: level }) =>
    level === undefined ? [] : [[level, text]],
  )

describe('a heading is found', () => {
  test('in larger or bold print above running text, with its level, as a block of its own', () => {
    const lines = [
      line('Annual report', 300, { size: 80 }),
      line('Members', 450, { size: 56 }),
      ...prose(550),
      line('Renewals', 1000, { size: 48, bold: true }),
      line('By post', 1100, { bold: true }),
      ...prose(1170),
    ]
    const blocks = mark(lines)
    expect(blocks.map(({ text, heading_level: level }) => [level, text.split('\n').length])).toEqual([
      [1, 1],
      [2, 1],
      [undefined, 6],
      [3, 1],
      [4, 1],
      [undefined, 6],
    ])
    expect(textOf(blocks).split(/\n+/)).toEqual(lines.map(({ text }) => text))
  })

  test('on several lines', () => {
    const lines = [
      line('Rules for cards', 300, { bold: true }),
      line('That are lost', 360, { bold: true }),
      ...prose(460),
    ]
    expect(headingsIn(lines)).toEqual([[4, 'Rules for cards\nThat are lost']])
  })

  test('with the number of a chapter, above a picture', () => {
    expect(headingsIn([...prose(300), line('2.3 Map of the branches', 800, { bold: true })])).toEqual([
      [4, '2.3 Map of the branches'],
    ])
  })

  test('in one of two columns', () => {
    const lines = [
      ...prose(300, 12),
      ...prose(300, 5, 2100),
      line('Lost cards', 680, { x: 2100, bold: true }),
      ...prose(780, 5, 2100),
    ]
    expect(headingsIn(lines)).toEqual([[4, 'Lost cards']])
  })

  test('as the title of a page without running text', () => {
    const lines = [line('Next steps', 400, { size: 90 }), line('Draft budget', 800), line('Hire staff', 900)]
    expect(headingsIn(lines)).toEqual([[1, 'Next steps']])
  })
})

const BOLD = { bold: true }
test.each<[string, TextLine[]]>([
  ['nothing', []],
  [
    'a line that begins with bold words',
    [toLine([...line('Note', 300, BOLD).words, ...line(SENTENCE, 300, { x: 420 }).words]), ...prose(360)],
  ],
  [
    'a bold paragraph',
    [
      ...prose(300),
      ...[0, 1, 2, 3, 4].map((index) => line('Cards are valid for a year', 800 + index * 60, BOLD)),
      ...prose(1200),
    ],
  ],
  ['a bold sentence', [line('Cards are valid for a year.', 300, BOLD), ...prose(400)]],
  ['an entry of a table of contents', [line('Renewals 12', 300, { bold: true, gap: 900 }), ...prose(400)]],
  ['a caption', [line('Table 3: Members by branch', 300, BOLD), ...prose(400)]],
  ['code', [line('FUNCTION renew_card(member)', 300, BOLD), ...prose(400)]],
  ['a running title', [line('Annual report', 60, BOLD), ...prose(300)]],
  ['a label beside its value', [line('Branch', 300, BOLD), line('Pokhara', 300, { x: 450 }), ...prose(400)]],
  [
    'an address in larger print',
    [
      ...['Rita Thapa', 'Lakeside 7', 'Pokhara'].map((text, index) =>
        line(text, 300 + index * 70, { size: 50 }),
      ),
      ...prose(1000, 2),
    ],
  ],
  [
    'larger print within running text',
    [...[0, 1, 2, 3, 4, 5].map((index) => line(SENTENCE, 300 + index * 80, { size: 50 })), ...prose(900, 20)],
  ],
  [
    'a label of a drawing',
    ['Card', 'Member', 'Branch'].flatMap((text, index) => [
      line(text, 300 + index * 400, BOLD),
      line('has one of these', 360 + index * 400),
    ]),
  ],
])('%s is no heading', (_, lines) => {
  expect(headingsIn(lines)).toEqual([])
})

test('a row of a table is no heading', () => {
  const rows = [line('Domestic', 800, BOLD), line('Chairs of all branches in the year', 860)]
  const table = { box: { x: 250, y: 780, width: 1200, height: 150 }, rows: [] }
  expect(headingsIn([...prose(300), ...rows])).toHaveLength(1)
  expect(headingsIn([...prose(300), ...rows], [table])).toEqual([])
})

test('a page of bold words anywhere has no headings, and keeps its text', () => {
  const random = createRandom(7)
  const anywhere = (count: number, bold: boolean) =>
    Array.from({ length: count }, () =>
      line('Card', Math.floor(random() * HEIGHT), { x: Math.floor(random() * 2500), bold }),
    )
  for (const lines of [anywhere(50_000, true), [...anywhere(200, true), ...anywhere(49_800, false)]]) {
    const blocks = mark(lines)
    expect(blocks.some(({ heading_level: level }) => level !== undefined)).toBe(false)
    expect(blocks.flatMap((block) => block.lines)).toEqual(lines)
  }
})
