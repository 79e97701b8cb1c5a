import { CompiledQuery } from 'kysely'
import type { Db } from '../database/connect.ts'
import type { Speaker } from './greeting.ts'

// By hand, as the other statements of placing a call.
const FIND = 'select language, greeting, translations from agents where account_id = $1 and agent_id = $2'

/** The words of an agent; undefined if the account has no such agent. */
export async function findSpeaker(
  database: Db,
  agent: { accountId: string; agentId: string },
): Promise<Speaker | undefined> {
  const { rows } = await database.executeQuery<Speaker>(
    CompiledQuery.raw(FIND, [agent.accountId, agent.agentId]),
  )
  return rows[0]
}
