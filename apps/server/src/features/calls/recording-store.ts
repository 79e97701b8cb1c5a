import { stat } from 'node:fs/promises'
import type { CallTurn } from '@vaani/contracts'
import type { BlobStore, OpenBlob } from '@vaani/service-kit/blobs/blob-store'
import { readChunks } from '@vaani/service-kit/blobs/read-chunks'
import { createSealedBlobs } from '@vaani/service-kit/blobs/sealed-blobs'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import { makeDataKey, openDataKey } from '@vaani/service-kit/vault/data-key'
import type { Vault } from '@vaani/service-kit/vault/vault'
import { sql } from 'kysely'
import { readTurns, sealTurns } from './transcript-store.ts'
import type { CallRow } from './view.ts'

/** Key of a recording in the blob store, the sealed data key that opens it, and what was said in it, sealed with that key. */
export interface KeptRecording {
  key: string
  dataKey: Buffer
  turns: Buffer | undefined
}

/** Stores recordings and transcripts of calls. Both have one data key, and erasing the key erases them. */
export interface RecordingStore {
  /** Seals what was said, and seals and stores a finished file. Neither can be opened until the result is written to the call. */
  keep(callId: string, file: string, turns: readonly CallTurn[] | undefined): Promise<KeptRecording>
  /** Removes a recording whose key was never written to its call. */
  discard(callId: string): Promise<void>
  /**
   * Opens the recording; null if the call has none, or it was erased.
   *
   * @throws VaultError `damaged` if it was altered, or its key is not configured
   */
  open(call: CallRow): Promise<OpenBlob | null>
  /**
   * Returns what was said in the call; null if it has no transcript, or that was erased.
   *
   * @throws VaultError like `open`
   */
  turns(call: CallRow): Promise<CallTurn[] | null>
  /** Erases the recording and the transcript. Idempotent. */
  erase(call: CallRow): Promise<void>
  /** Erases recordings whose retention has ended. */
  sweep(): Promise<void>
}

const SWEEP_BATCH = 200

const placeOf = (callId: string): string => `recordings/${callId}`

export function createRecordingStore(options: {
  database: Db
  blobs: BlobStore
  vault: Vault
  clock: Clock
  log: Logger
  /** Retention of accounts that have none of their own. */
  retentionDays: number
}): RecordingStore {
  const { database, blobs, vault, clock, log, retentionDays } = options
  const sealedBlobs = createSealedBlobs(blobs)

  const erased = () => ({ recording_data_key: null, recording_erased_at: new Date(clock.nowMs()) })

  /** Removes an erased recording's blob. The row names it until it is gone, so that a sweep retries if the store is down. */
  async function removeErased(callId: string, key: string): Promise<void> {
    await blobs.delete(key)
    await database
      .updateTable('calls')
      .set({ recording_key: null })
      .where('call_id', '=', callId)
      .where('recording_erased_at', 'is not', null)
      .execute()
  }

  async function eraseDue(): Promise<number> {
    const due = dueRecordings(new Date(clock.nowMs()), retentionDays)
    const rows = await database
      .updateTable('calls')
      .set(erased())
      .where('call_id', 'in', due)
      .returning('call_id')
      .execute()
    return rows.length
  }

  async function removeAllErased(): Promise<number> {
    const rows = await listErased(database)
    for (const { call_id, recording_key } of rows)
      if (recording_key !== null) await removeErased(call_id, recording_key)
    return rows.length
  }

  return {
    async keep(callId, file, turns) {
      const { size } = await stat(file)
      const { key, sealed } = makeDataKey(vault, callId)
      const place = placeOf(callId)
      await sealedBlobs.put(readChunks(file), { key, place }, { maxBytes: size })
      return { key: place, dataKey: sealed, turns: turns && sealTurns(callId, key, turns) }
    },
    discard: (callId) => blobs.delete(placeOf(callId)),
    async open({ call_id, recording_key: place, recording_data_key: dataKey, recording_erased_at }) {
      if (place === null || recording_erased_at !== null) return null
      // Stored unencrypted by an earlier version.
      if (dataKey === null) return blobs.open(place)
      return sealedBlobs.open({ key: openDataKey(vault, call_id, dataKey), place })
    },
    turns: (call) => readTurns(options, call),
    async erase({ call_id, recording_key, recording_data_key }) {
      await database
        .updateTable('calls')
        .set(erased())
        .where('call_id', '=', call_id)
        .where('recording_erased_at', 'is', null)
        .execute()
      if (recording_key === null) return
      await removeErased(call_id, recording_key).catch((error: unknown) => {
        // Without its key the recording is already unreadable, so only an unencrypted one is an error.
        if (recording_data_key === null) throw error
        log.warn({ error, call_id }, 'An erased recording is still in the blob store')
      })
    },
    async sweep() {
      for (const step of [eraseDue, removeAllErased]) while ((await step()) === SWEEP_BATCH);
    },
  }
}

/** Lists erased recordings whose blobs are still to be removed. */
const listErased = (database: Db) =>
  database
    .selectFrom('calls')
    .where('recording_erased_at', 'is not', null)
    .where('recording_key', 'is not', null)
    .select(['call_id', 'recording_key'])
    .orderBy('call_id')
    .limit(SWEEP_BATCH)
    .execute()

/** Ids of calls whose recordings have reached their retention. Account by account, because each may have its own. */
const dueRecordings = (now: Date, retentionDays: number) => sql<string>`(
  select due.call_id from accounts cross join lateral (
    select one.call_id from calls one
    where one.account_id = accounts.account_id and one.recording_key is not null and one.recording_erased_at is null
      and one.ended_at
        < ${now}::timestamptz - coalesce(accounts.recording_retention_days, ${retentionDays}::float8) * interval '1 day'
    order by one.ended_at limit ${SWEEP_BATCH}
  ) due limit ${SWEEP_BATCH})`
