import type { Tx } from '@vaani/service-kit/database/connect'
import { sql } from 'kysely'

const OPERATOR_LOCK = 7_204_118

/** Locks out other transactions that create the operator's account or revoke keys, until the end of this one. */
export async function takeOperatorTurn(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${OPERATOR_LOCK})`.execute(tx)
}
