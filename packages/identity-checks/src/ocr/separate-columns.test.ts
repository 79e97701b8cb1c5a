import { expect, test } from 'vitest'
import { type TextLine, toBlock, toLine } from './layout.ts'
import { separateColumns } from './separate-columns.ts'

const HEIGHT = 20
const LETTER = 10

/** Sets a line of texts, each from a place on. */
function line(row: number, ...texts: readonly (readonly [x: number, text: string])[]): TextLine {
  const words = texts.flatMap(([x, text]) => {
    let at = x
    return text.split(' ').map((word) => {
      const box = { x: at, y: row * 30, width: word.length * LETTER, height: HEIGHT }
      at += box.width + LETTER
      return { text: word, confidence: 1, box }
    })
  })
  return toLine(words)
}
const read = (...lines: TextLine[]): string[] => separateColumns([toBlock(lines)]).map(({ text }) => text)
const asRows = (...lines: TextLine[]): string[] => [toBlock(lines).text]

const GOODS = [
  'Goods once sold are not returned.',
  'Please check the number of pieces',
  'before you leave the counter.',
]
const CHEQUES = [
  'Cheques are payable to the shop.',
  'A fee of two percent a month is',
  'charged on amounts that are',
  'overdue by a month.',
]
const beside = (left: readonly string[], right: readonly string[], from = 0): TextLine[] =>
  Array.from({ length: Math.max(left.length, right.length) }, (_, row) => {
    const [one, other] = [left[row], right[row]]
    return line(
      from + row,
      ...(one === undefined ? [] : [[0, one] as const]),
      ...(other === undefined ? [] : [[500, other] as const]),
    )
  })

test('two notes beside each other are read one after the other, between what is above and below', () => {
  const lines = [
    line(0, [0, 'Salt 11'], [700, '275.00']),
    ...beside(GOODS, CHEQUES, 2),
    line(8, [0, 'Thank you']),
  ]
  expect(read(...lines)).toEqual(['Salt 11 275.00', GOODS.join('\n'), CHEQUES.join('\n'), 'Thank you'])
})

test('a column may begin a line before the other, and end after it', () => {
  const [first = '', ...rest] = CHEQUES
  const lines = [
    line(0, [500, first]),
    ...beside(GOODS.slice(0, 3), [...rest, 'Ask at the counter for a form.'], 1),
  ]
  expect(read(...lines)).toEqual([
    GOODS.join('\n'),
    [...CHEQUES, 'Ask at the counter for a form.'].join('\n'),
  ])
})

test('addresses, tables and amounts stay in their rows', () => {
  const addresses = beside(
    ['Bill to', 'Sita Rai', '12 Lake Road', 'Pokhara 33700'],
    ['Ship to', 'Hari Rai', '98 Durbar Marg', 'Kathmandu 44600'],
  )
  const terms = beside(['Mobile', 'Guardian', 'Class', 'Address'], GOODS)
  const amounts = beside(GOODS, [
    '1,966.00 11,796.00 12,045.50',
    '289.50 2,605.50 10,550.00',
    '25.00 275.00 300.00',
  ])
  const apart = [
    ...beside(GOODS.slice(0, 1), CHEQUES.slice(0, 1)),
    ...beside(GOODS.slice(1, 2), CHEQUES.slice(1, 2), 9),
  ]
  for (const lines of [addresses, terms, amounts, apart, beside(GOODS, [])])
    expect(read(...lines)).toEqual(asRows(...lines))
})

test('running text across the page stays whole', () => {
  const lines = [0, 1, 2, 3].map((row) => line(row, [0, `${GOODS[0]} ${CHEQUES[0]}`]))
  expect(read(...lines)).toEqual(asRows(...lines))
})

test('a gutter is followed over a bounded number of lines', () => {
  let looks = 0
  const lines = Array.from({ length: 600 }, (_, row) => {
    const { words, ...rest } = line(row, [0, 'Rice 25'], [500, '1,966.00'])
    return {
      ...rest,
      get words() {
        looks++
        return words
      },
    }
  })
  separateColumns([toBlock(lines)])
  expect(looks).toBeLessThan(600 * 1000)
})
