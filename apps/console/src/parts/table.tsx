import type { ReactNode } from 'react'

/** A column of a table. That of the first names the row, and leads to it. */
export interface Column<Row> {
  name: string
  isNumber?: boolean
  /** What stands in a row; null if there is nothing. */
  cell: (row: Row) => ReactNode
}

/** What a table shows. */
export interface TableOf<Row> {
  /** Name of the table for those who do not see what is around it. */
  label: string
  columns: readonly Column<Row>[]
  idOf: (row: Row) => string
}

/** Objects, a row each. On a narrow page, a row is a card. */
export const Table = <Row,>({ label, columns, idOf, rows }: TableOf<Row> & { rows: readonly Row[] }) => (
  <table className="list" aria-label={label}>
    <thead>
      <tr>
        {columns.map(({ name, isNumber }) => (
          <th key={name} scope="col" className={isNumber ? 'number' : undefined}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={idOf(row)}>
          {columns.map(({ name, isNumber, cell }, index) =>
            index === 0 ? (
              <th key={name} scope="row">
                {cell(row)}
              </th>
            ) : (
              <td key={name} className={isNumber ? 'number' : undefined} data-name={name}>
                {cell(row)}
              </td>
            ),
          )}
        </tr>
      ))}
    </tbody>
  </table>
)
