import type { CliEnvironment } from '../cli-environment.ts'
import { createStyle, type Tone, toneOf } from './style.ts'
import { cellText, rowsOf, widthsOf } from './text.ts'
import { write } from './write.ts'

/** Values of an item in a table, by column heading. */
export type Columns<Item> = Readonly<Record<string, (item: Item) => unknown>>

/** Prints the results of commands, for a person or as JSON. */
export interface Output {
  readonly isJson: boolean
  /** Colours a status, on a terminal. */
  status(text: string): string
  /** Prints one resource; `view` is the form for a person. */
  resource(value: object, view?: object): Promise<void>
  /** Prints a row for each item, or a line of JSON. */
  list<Item extends object>(
    items: AsyncIterable<Item> | Iterable<Item>,
    columns: Columns<Item>,
  ): Promise<void>
  /** Prints `text` for a person, or `value` for machines. */
  line(value: unknown, text: string): Promise<void>
  bytes(bytes: Uint8Array): Promise<void>
  /** Prints a note for a person on standard error. */
  note(text: string): Promise<void>
  /** Prints an error on standard error: `text` for a person, `value` for machines. */
  problem(value: object, text: string): Promise<void>
}

/** Number of rows that are buffered and aligned together. */
const ROWS_AT_A_TIME = 100
const GAP = '  '
const STATUS_NAMES: readonly string[] = ['status', 'decision', 'advice', 'state']

export function createOutput(environment: CliEnvironment, { isJson }: { isJson: boolean }): Output {
  const { stdout, stderr, signal } = environment
  const style = createStyle(stdout, environment)
  const print = (text: string): Promise<void> => write(stdout, `${text}\n`, signal)
  const json = (value: unknown): Promise<void> => print(JSON.stringify(value))

  /** @param toneAt returns the tone of a cell */
  function align(
    rows: readonly (readonly string[])[],
    toneAt: (row: number, column: number) => Tone | undefined,
  ): string {
    const widths = widthsOf(rows)
    return rows
      .map((row, at) =>
        row
          .map((cell, column) => {
            const padding = ' '.repeat(column === row.length - 1 ? 0 : (widths[column] ?? 0) - cell.length)
            return style(cell, toneAt(at, column)) + padding
          })
          .join(GAP),
      )
      .join('\n')
  }

  return {
    isJson,
    status: (text) => style(text, toneOf(text)),
    async resource(value, view = value) {
      if (isJson) return json(value)
      const rows = rowsOf(view)
      const toneAt = (row: number, column: number): Tone | undefined => {
        const [name = '', text = ''] = rows[row] ?? []
        if (column === 0) return 'faint'
        return STATUS_NAMES.includes(name) ? toneOf(text) : undefined
      }
      await print(align(rows, toneAt))
    },
    async list(items, columns) {
      if (isJson) {
        for await (const item of items) await json(item)
        return
      }
      const headings = Object.keys(columns)
      const cells = Object.values(columns)
      let rows = [headings]
      let isFirst = true
      const flush = async (): Promise<void> => {
        const toneAt = (row: number, column: number): Tone | undefined => {
          if (isFirst && row === 0) return 'faint'
          return STATUS_NAMES.includes(headings[column] ?? '') ? toneOf(rows[row]?.[column] ?? '') : undefined
        }
        await print(align(rows, toneAt))
        isFirst = false
        rows = []
      }
      for await (const item of items) {
        rows.push(cells.map((cell) => cellText(cell(item) ?? '')))
        if (rows.length >= ROWS_AT_A_TIME) await flush()
      }
      if (rows.length > 0) await flush()
    },
    line: (value, text) => (isJson ? json(value) : print(text)),
    bytes: (bytes) => write(stdout, bytes, signal),
    note: async (text) => {
      if (!isJson) await write(stderr, `${text}\n`, signal)
    },
    async problem(value, text) {
      // Without the signal, because errors are printed after an interruption as well.
      stderr.write(`${isJson ? JSON.stringify(value) : text}\n`)
    },
  }
}
