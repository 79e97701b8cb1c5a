import { type Contract, LIMITS } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { ChooseOwner } from '../choose-owner.ts'
import type { DoNotCallContext } from '../context.ts'
import { toNewRow } from '../new-row.ts'
import { readNumbers } from '../read-numbers.ts'

/** POST /v1/do-not-call/csv and /admin/do-not-call/csv */
export function importListedNumbers(
  context: DoNotCallContext,
  chooseOwner: ChooseOwner,
): Handler<Contract['doNotCall']['importCsv']> {
  return async ({ body, request }) => {
    const principal = principalOf(request)
    const owner = await chooseOwner(context, principal)
    const file = await readNumbers(body.csv)
    if (file === null)
      throw new ApiError('invalid_request', `csv: must have at most ${LIMITS.doNotCallImportLines} lines`, {
        param: 'csv',
      })
    const { numbers, duplicates, errors } = file
    const rows = numbers.map(({ phoneNumber, reason }) =>
      toNewRow(context, owner, { phoneNumber, reason: reason ?? body.reason ?? null, source: 'imported' }),
    )
    const added = await context.store.addAll(rows)
    context.events.record('numbers_imported', { account_id: principal.accountId, added })
    return {
      status: 200,
      body: {
        added,
        already_listed: rows.length - added + duplicates,
        refused: errors.length,
        errors: errors.slice(0, LIMITS.doNotCallImportErrors),
      },
    }
  }
}
