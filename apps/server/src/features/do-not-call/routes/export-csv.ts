import { Readable } from 'node:stream'
import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { ChooseOwner } from '../choose-owner.ts'
import type { DoNotCallContext } from '../context.ts'
import { CSV_HEADER, toCsvLine } from '../rules/write-csv.ts'
import type { ListedNumberStore, Owner } from '../store.ts'
import { toListedNumber } from '../view.ts'

const ROWS_AT_ONCE = 1000

/** GET /v1/do-not-call/csv and /admin/do-not-call/csv */
export function exportListedNumbers(
  context: DoNotCallContext,
  chooseOwner: ChooseOwner,
): Handler<Contract['doNotCall']['exportCsv']> {
  return async ({ request, reply }) => {
    const owner = await chooseOwner(context, principalOf(request))
    reply
      .header('content-type', 'text/csv')
      .header('content-disposition', 'attachment; filename="do-not-call.csv"')
    return { status: 200, body: Readable.from(writeFile(context.store, owner)) }
  }
}

/** Reads a page at a time, so that a list of millions needs the memory of one page. */
async function* writeFile(store: ListedNumberStore, owner: Owner): AsyncGenerator<Uint8Array> {
  yield Buffer.from(CSV_HEADER)
  for (let cursor: string | undefined, hasMore = true; hasMore;) {
    const rows = await store.list(owner, { limit: ROWS_AT_ONCE, cursor })
    hasMore = rows.length > ROWS_AT_ONCE
    const page = rows.slice(0, ROWS_AT_ONCE)
    cursor = page.at(-1)?.listed_number_id
    if (page.length > 0) yield Buffer.from(page.map((row) => toCsvLine(toListedNumber(row))).join(''))
  }
}
