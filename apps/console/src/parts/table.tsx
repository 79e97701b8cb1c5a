import type { ReactNode } from 'react'
import { inWords } from './in-words.ts'

/** A column of a table. That of the first names the row, and leads to it. */
export interface Column<Row> {
  name: string
  isNumber?: boolean
  /** What stands in a row; null if there is nothing. A number is written as the language does, so a code has to be a text. */
  cell: (row: Row) => ReactNode
}

/** What a table shows. */
export interface TableOf<Row> {
  /** Name of the table for those who do not see what is around it. */
  label: string
  columns: readonly Column<Row>[]
  idOf: (row: Row) => string
  /** What stands below a row, across its columns; null if there is nothing. */
  detail?: (row: Row) => ReactNode
}

/** Objects, a row each. On a narrow page, a row is a card. */
export const Table = <Row,>(props: TableOf<Row> & { rows: readonly Row[] }) => {
  const { label, columns, idOf, rows, detail = () => null } = props
  return (
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
          <TableRow key={idOf(row)} row={row} columns={columns} detail={detail(row)} />
        ))}
      </tbody>
    </table>
  )
}

const TableRow = <Row,>(props: { row: Row; columns: readonly Column<Row>[]; detail: ReactNode }) => {
  const { row, columns, detail } = props
  return (
    <>
      <tr>
        {columns.map(({ name, isNumber, cell }, index) =>
          index === 0 ? (
            <th key={name} scope="row">
              {inWords(cell(row))}
            </th>
          ) : (
            <td key={name} className={isNumber ? 'number' : undefined} data-name={name}>
              {inWords(cell(row))}
            </td>
          ),
        )}
      </tr>
      {detail !== null && (
        <tr className="detail">
          <td colSpan={columns.length}>{detail}</td>
        </tr>
      )}
    </>
  )
}
