import type { PageTable } from '../../src/ocr/layout.ts'
import type { TrueCell } from './read-truth.ts'

/** Says where the cells of a table lie that was found. */
export const cellsOf = ({ rows }: PageTable): TrueCell[] =>
  rows.flatMap((cells, row) =>
    cells.map(({ text, column_span: span = 1 }, column) => ({
      text,
      startRow: row,
      endRow: row,
      startColumn: column,
      endColumn: column + span - 1,
    })),
  )

/**
 * Says which cells of a table are neighbours, as the competition does: each cell with text, and the nearest one with text to its right
 * and below it. White space and case do not count, and all signs are taken for the same.
 */
export function relationsOf(cells: readonly TrueCell[]): string[] {
  const grid = new Map<string, TrueCell>()
  const filled = cells.filter(({ text }) => plain(text) !== '')
  let [rows, columns] = [0, 0]
  for (const cell of filled) {
    rows = Math.max(rows, cell.endRow + 1)
    columns = Math.max(columns, cell.endColumn + 1)
    for (let row = cell.startRow; row <= cell.endRow; row++)
      for (let column = cell.startColumn; column <= cell.endColumn; column++)
        grid.set(`${row} ${column}`, cell)
  }
  const relations = new Map<string, readonly [TrueCell, string, TrueCell]>()
  const ids = new Map(filled.map((cell, index) => [cell, index]))
  const add = (from: TrueCell, way: string, to: TrueCell) =>
    relations.set(`${ids.get(from)} ${way} ${ids.get(to)}`, [from, way, to])
  for (const cell of filled) {
    for (let row = cell.startRow; row <= cell.endRow; row++) {
      const next = firstOf(cell.endColumn + 1, columns, (column) => grid.get(`${row} ${column}`))
      if (next !== undefined) add(cell, 'right', next)
    }
    for (let column = cell.startColumn; column <= cell.endColumn; column++) {
      const next = firstOf(cell.endRow + 1, rows, (row) => grid.get(`${row} ${column}`))
      if (next !== undefined) add(cell, 'below', next)
    }
  }
  return Array.from(relations.values(), ([from, way, to]) => `${plain(from.text)} ${way} ${plain(to.text)}`)
}

function firstOf<T>(from: number, to: number, at: (index: number) => T | undefined): T | undefined {
  for (let index = from; index < to; index++) {
    const found = at(index)
    if (found !== undefined) return found
  }
  return undefined
}

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/\s/g, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '_')

/** Counts the relations of one list that the other has as well, each as often as it is there. */
export function countShared(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>()
  for (const relation of other) left.set(relation, (left.get(relation) ?? 0) + 1)
  return one.filter((relation) => {
    const count = left.get(relation) ?? 0
    left.set(relation, count - 1)
    return count > 0
  }).length
}
