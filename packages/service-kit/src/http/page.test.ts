import { expect, test } from 'vitest'
import { toPage } from './page.ts'

const page = (rows: number[], limit: number) =>
  toPage({ rows, limit, id: (row) => `id_${row}`, view: (row) => row * 10 })

test('a row past the limit means that there is more', () => {
  expect(page([3, 2, 1], 2)).toEqual({ data: [30, 20], has_more: true, next_cursor: 'id_2' })
})

test('the last page has no cursor', () => {
  expect(page([3, 2], 2)).toEqual({ data: [30, 20], has_more: false, next_cursor: null })
  expect(page([], 2)).toEqual({ data: [], has_more: false, next_cursor: null })
})
