import type { Migration, MigrationReport, Stage } from '@vaani/contracts/migration'

export interface StagePeriod {
  readonly stage: Stage
  readonly from: Date
  readonly to: Date
}

/** The least that is drawn, so that a migration that has just begun is visible. */
const LEAST_MS = 60_000

/** What of a report says which stage was in effect when. */
export type Staged = Pick<MigrationReport, 'changes' | 'generated_at'> & {
  readonly hours: readonly Pick<MigrationReport['hours'][number], 'at'>[]
  readonly migration: Pick<Migration, 'stage' | 'changed_at' | 'evidence_since'>
}

/** Returns which stage was in effect when, oldest first, up to the time of the report. */
export function listStagePeriods({ changes, hours, migration, generated_at }: Staged): StagePeriod[] {
  const end = Date.parse(generated_at)
  const moves = changes
    .filter(({ from_stage, to_stage }) => from_stage !== to_stage)
    .map(({ created_at, from_stage, to_stage }) => ({ at: Date.parse(created_at), from_stage, to_stage }))
    .toSorted((one, other) => one.at - other.at)
  const known = [hours[0]?.at, changes.at(-1)?.created_at, migration.changed_at, migration.evidence_since]
    .filter((time) => time !== undefined)
    .map((time) => Date.parse(time))
  const start = Math.min(...known, end - LEAST_MS)
  const bounds = [start, ...moves.map(({ at }) => at), end]
  const stages = [moves[0]?.from_stage ?? migration.stage, ...moves.map(({ to_stage }) => to_stage)]
  return stages.flatMap((stage, index) => {
    const [from = end, to = end] = [bounds[index], bounds[index + 1]]
    return to > from ? [{ stage, from: new Date(from), to: new Date(to) }] : []
  })
}
