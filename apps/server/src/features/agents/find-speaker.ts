import type { Tenant } from '@vaani/service-kit/tenant'
import { CompiledQuery } from 'kysely'
import type { Db } from '@vaani/service-kit/database/connect'
import type { Speaker } from '../calls/rules/greeting.ts'

// By hand, as the other statements of placing a call.
const FIND = `
  select language, greeting, translations from agents
  where account_id = $1 and livemode = $2 and agent_id = $3`

/** The words of an agent; undefined if the account has no such agent in this mode. */
export async function findSpeaker(
  database: Db,
  { accountId, livemode, agentId }: Tenant & { agentId: string },
): Promise<Speaker | undefined> {
  const { rows } = await database.executeQuery<Speaker>(
    CompiledQuery.raw(FIND, [accountId, livemode, agentId]),
  )
  return rows[0]
}
