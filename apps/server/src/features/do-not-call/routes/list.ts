import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { ChooseOwner } from '../choose-owner.ts'
import type { DoNotCallContext } from '../context.ts'
import { toListedNumber } from '../view.ts'

/** GET /v1/do-not-call and /admin/do-not-call */
export function listListedNumbers(
  context: DoNotCallContext,
  chooseOwner: ChooseOwner,
): Handler<Contract['doNotCall']['list']> {
  return async ({ query: { limit, cursor, phone_number: phoneNumber }, request }) => {
    const owner = await chooseOwner(context, principalOf(request))
    const rows =
      phoneNumber === undefined
        ? await context.store.list(owner, { limit, cursor })
        : [await context.store.find(owner, phoneNumber)].filter((row) => row !== undefined)
    return {
      status: 200,
      body: toPage({ rows, limit, id: (row) => row.listed_number_id, view: toListedNumber }),
    }
  }
}
