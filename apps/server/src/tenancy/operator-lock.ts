import type { Tx } from '@vaani/service-kit/database/connect'
import { sql } from 'kysely'

const OPERATOR_LOCK = 7_204_118

/** Takes turns, until the end of the transaction, with whatever else makes the operator's account or revokes keys. */
export async function takeOperatorTurn(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${OPERATOR_LOCK})`.execute(tx)
}
