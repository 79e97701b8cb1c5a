import { expect, test } from 'vitest'
import { textOf, type TextWord } from '../layout.ts'
import { toColumns, toRows } from './order-lines.ts'

const piece = (text: string, x: number, y: number): TextWord[] =>
  text.split(' ').map((word, index) => ({
    text: word,
    confidence: 0.9,
    box: { x: x + index * 60, y, width: 50, height: 20 },
  }))

test('rows keep what is paid beside what it is paid for, even if they are not quite level', () => {
  const pieces = [
    piece('8.20', 400, 104),
    piece('Net Total', 10, 130),
    piece('GST', 10, 100),
    piece('9.00', 400, 136),
    [],
  ]
  expect(textOf(toRows(pieces))).toBe('GST 8.20\nNet Total 9.00')
  expect(toRows([])).toEqual([])
})

test('rows that are far apart are blocks of their own', () => {
  expect(textOf(toRows([piece('Thank you', 10, 400), piece('Total', 10, 100)]))).toBe('Total\n\nThank you')
})

test('columns keep what is below a label after it', () => {
  const pieces = [
    piece('Surname', 10, 100),
    piece('Nationality', 400, 100),
    piece('ERIKSSON', 10, 124),
    piece('UTOPIAN', 400, 126),
  ]
  expect(textOf(toColumns(pieces))).toBe('Surname\nERIKSSON\n\nNationality\nUTOPIAN')
})
