import type { DoNotCallMetrics } from './metrics.ts'
import type { DoNotCallPort, RefusingList } from './port.ts'

/** One step in the unique index of each list. */
export const FIND_LISTS = `
  select 'account' as list from do_not_call where account_id = $1 and livemode = $2 and phone_number = $3
  union all
  select 'server' from do_not_call where account_id is null and phone_number = $3`

export const createDoNotCallPort = ({ refusals }: DoNotCallMetrics): DoNotCallPort => ({
  async refuses(client, { accountId, livemode, to }, at) {
    const { rows } = await client.query<{ list: RefusingList }>({
      name: 'do-not-call.find-lists',
      text: FIND_LISTS,
      values: [accountId, livemode, to],
    })
    const [first] = rows
    if (first !== undefined) refusals.add({ state: at, reason: first.list })
    return first !== undefined
  },
})
