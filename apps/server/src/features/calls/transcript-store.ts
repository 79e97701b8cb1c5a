import type { CallTurn } from '@vaani/contracts'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import { openDataKey } from '@vaani/service-kit/vault/data-key'
import { openText, sealText } from '@vaani/service-kit/vault/sealed-bytes'
import type { Vault } from '@vaani/service-kit/vault/vault'
import type { CallRow } from './view.ts'

const placeOf = (callId: string): string => `transcripts/${callId}`

/** Seals a transcript with the data key of the recording, so that erasing the key erases both. */
export const sealTurns = (callId: string, key: Buffer, turns: readonly CallTurn[]): Buffer =>
  sealText(JSON.stringify(turns), { key, place: placeOf(callId) })

/** Writes a transcript in the transaction that writes the key of its recording. */
export const insertTurns = (tx: Tx, callId: string, turns: Buffer) =>
  tx.insertInto('call_transcripts').values({ call_id: callId, turns }).execute()

/**
 * Returns what was said in a call; null if the call has no transcript, or it was erased.
 *
 * @throws VaultError `damaged` if it was altered, or its key is not configured
 */
export async function readTurns(
  { database, vault }: { database: Db; vault: Vault },
  { call_id, recording_data_key: dataKey }: CallRow,
): Promise<CallTurn[] | null> {
  if (dataKey === null) return null
  const row = await database
    .selectFrom('call_transcripts')
    .where('call_id', '=', call_id)
    .select('turns')
    .executeTakeFirst()
  if (row === undefined) return null
  return JSON.parse(
    openText(row.turns, { key: openDataKey(vault, call_id, dataKey), place: placeOf(call_id) }),
  )
}
