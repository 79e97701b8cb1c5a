import type { MigrationChange, Stage } from '@vaani/contracts/migration'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { Selectable } from 'kysely'
import type { PublishedFlag } from '../../published-flag/published-flag.ts'
import type { FlagState } from '../../rules/gate/plan-change.ts'
import type { MigrationChangeTable, MigrationStateTable } from './tables.ts'

/** The stored flag. */
export interface StoredFlag extends FlagState {
  readonly evidenceSinceMs: number
  readonly revision: number
  readonly changedAtMs: number
  readonly changedBy: string
}

/** A change to be written, and the flag after it. */
export interface WrittenChange {
  readonly change: MigrationChange
  readonly next: FlagState
}

export interface FlagStore {
  /**
   * Writes the first row, unless another process has. A published flag that is newer is of a database that was lost, or was restored
   * from a backup: the numbers go on after it, because gateways ignore older ones.
   */
  begin(stage: Stage, now: Date, published: PublishedFlag | null): Promise<StoredFlag>
  read(): Promise<StoredFlag>
  /** Runs a function that holds the flag, so that no other process changes it meanwhile. */
  hold<Result>(run: (tx: Tx, flag: StoredFlag) => Promise<Result>): Promise<Result>
  write(tx: Tx, change: WrittenChange, now: Date): Promise<StoredFlag>
  /** Keeps what the provider said, which changed nothing. */
  keepProviderStage(tx: Tx, stage: Stage | null): Promise<void>
  /** Returns the conditions among these that are noticed for the first time in this evidence. */
  notice<Name extends string>(tx: Tx, epoch: number, conditions: readonly Name[], now: Date): Promise<Name[]>
  list(page: { limit: number; cursor?: string | undefined }): Promise<MigrationChange[]>
}

/** Who made the first row. */
const FIRST_ACTOR = 'settings'

export function createFlagStore(database: Db): FlagStore {
  return {
    async begin(stage, now, published) {
      const { revision = 0, epoch = 0 } = published ?? {}
      await database
        .insertInto('migration_state')
        .values({
          stage,
          is_killed: false,
          epoch: epoch + 1,
          evidence_since: now,
          revision: revision + 1,
          changed_at: now,
          changed_by: FIRST_ACTOR,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await database
        .updateTable('migration_state')
        .set({ revision: revision + 1 })
        .where('revision', '<', revision)
        .execute()
      return toFlag(await readRow(database).executeTakeFirstOrThrow())
    },
    read: async () => toFlag(await readRow(database).executeTakeFirstOrThrow()),
    hold: (run) =>
      database
        .transaction()
        .execute(async (tx) => run(tx, toFlag(await readRow(tx).forUpdate().executeTakeFirstOrThrow()))),
    async write(tx, { change, next }, now) {
      const isOfStage = change.kind === 'stage' || change.kind === 'rollback'
      const row = await tx
        .updateTable('migration_state')
        .set(({ eb }) => ({
          stage: next.stage,
          is_killed: next.isKilled,
          provider_stage: next.providerStage,
          provider_is_killed: next.providerIsKilled,
          evidence_since: eb
            .case()
            .when('epoch', '=', next.epoch)
            .then(eb.ref('evidence_since'))
            .else(now)
            .end(),
          epoch: next.epoch,
          revision: eb('revision', '+', 1),
          ...(isOfStage && { changed_at: now, changed_by: change.actor }),
        }))
        .returningAll()
        .executeTakeFirstOrThrow()
      const { revision, epoch } = row
      await tx
        .insertInto('migration_changes')
        .values({ ...change, revision, created_at: now, verdict: JSON.stringify(change.verdict), epoch })
        .execute()
      return toFlag(row)
    },
    async keepProviderStage(tx, stage) {
      await tx.updateTable('migration_state').set({ provider_stage: stage }).execute()
    },
    async notice(tx, epoch, conditions, now) {
      if (conditions.length === 0) return []
      const rows = await tx
        .insertInto('migration_broken_conditions')
        .values(conditions.map((condition) => ({ epoch, condition, noticed_at: now })))
        .onConflict((conflict) => conflict.doNothing())
        .returning('condition')
        .execute()
      return conditions.filter((name) => rows.some(({ condition }) => condition === name))
    },
    async list({ limit, cursor }) {
      let query = database.selectFrom('migration_changes').selectAll()
      if (cursor !== undefined)
        query = query.where('revision', '<', ({ selectFrom }) =>
          selectFrom('migration_changes').select('revision').where('change_id', '=', cursor),
        )
      return (await query.orderBy('revision', 'desc').limit(limit).execute()).map(toChange)
    },
  }
}

const readRow = (on: Db) => on.selectFrom('migration_state').selectAll()

const toFlag = (row: Selectable<MigrationStateTable>): StoredFlag => ({
  stage: row.stage,
  isKilled: row.is_killed,
  providerStage: row.provider_stage,
  providerIsKilled: row.provider_is_killed,
  epoch: row.epoch,
  evidenceSinceMs: row.evidence_since.getTime(),
  revision: row.revision,
  changedAtMs: row.changed_at.getTime(),
  changedBy: row.changed_by,
})

const toChange = ({ epoch: _, revision: __, ...row }: Selectable<MigrationChangeTable>): MigrationChange => ({
  ...row,
  created_at: row.created_at.toISOString(),
})
