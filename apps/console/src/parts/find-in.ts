import { PageError } from '../text/page-error.ts'
import { t } from '../text/text.ts'

/** Finds an object that has no route of its own in the list of all. @throws Error */
export async function findIn<Row>(
  rows: AsyncIterable<Row> | Iterable<Row>,
  isIt: (row: Row) => boolean,
): Promise<Row> {
  for await (const row of rows) if (isIt(row)) return row
  throw new PageError(t.common.noObject)
}
