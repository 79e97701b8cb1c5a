import type { Stage } from '@vaani/contracts/migration'
import type { Db } from '@vaani/service-kit/database/connect'
import { type Selectable, sql } from 'kysely'
import { type CountSubject, countsOf } from './counts.ts'
import type { EndedPair } from './port.ts'
import type { EvidenceCountTable } from './tables.ts'

/** How long the timeline goes back. */
const HOURS_KEPT_DAYS = 90
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

export type CountRow = Omit<Selectable<EvidenceCountTable>, 'pairs'> & { pairs: number }

export interface HourRow {
  readonly hour: Date
  readonly stage: Stage
  readonly firstAtMs: number
  readonly pairs: number
  readonly mild: number
  readonly serious: number
  readonly worst: number
  readonly errors: number
}

export interface EvidenceStore {
  count(on: Db, pair: EndedPair): Promise<void>
  /** The counts of an epoch, and the noise of the primary in all epochs: it is not about the candidate. */
  readCounts(epoch: number, subjects: readonly CountSubject[]): Promise<CountRow[]>
  /** Hours of one epoch of the last day. */
  readLastDay(epoch: number, nowMs: number): Promise<HourRow[]>
  /** Hours of all epochs, oldest first. */
  readHours(nowMs: number): Promise<HourRow[]>
  sweepHours(nowMs: number): Promise<void>
}

/** @param primary name of the deployment whose noise is counted */
export function createEvidenceStore(database: Db, primary: string): EvidenceStore {
  return {
    async count(on, pair) {
      const counts = countsOf(pair, primary)
      await sql`
        insert into evidence_counts as known (epoch, subject, kind, stage, value, other_value, pairs)
        select ${pair.epoch}, subject, ${pair.kind}, ${pair.stage}, value, other_value, 1
        from unnest(${counts.map(({ subject }) => subject)}::text[], ${counts.map(({ value }) => value)}::text[],
          ${counts.map(({ otherValue }) => otherValue)}::text[]) as counted (subject, value, other_value)
        on conflict (epoch, subject, kind, stage, value, other_value) do update set pairs = known.pairs + 1`.execute(
        on,
      )
      if (pair.kind === 'comparison' && pair.judged !== null) await countHour(on, pair)
    },
    async readCounts(epoch, subjects) {
      const rows = await database
        .selectFrom('evidence_counts')
        .selectAll()
        .where('subject', 'in', [...subjects])
        .where(({ and, eb, or }) =>
          or([
            and([eb('kind', '=', 'comparison'), eb('epoch', '=', epoch)]),
            and([eb('kind', '=', 'noise'), eb('other_value', '=', primary)]),
          ]),
        )
        .execute()
      return rows.map((row) => ({ ...row, pairs: Number(row.pairs) }))
    },
    async readLastDay(epoch, nowMs) {
      const rows = await hours(database)
        .where('hour', '>=', new Date(nowMs - DAY_MS - HOUR_MS))
        .where('epoch', '=', epoch)
        .execute()
      return rows.map(toHour)
    },
    async readHours(nowMs) {
      const rows = await hours(database)
        .where('hour', '>=', new Date(nowMs - HOURS_KEPT_DAYS * DAY_MS))
        .execute()
      return rows.map(toHour)
    },
    async sweepHours(nowMs) {
      await database
        .deleteFrom('evidence_hours')
        .where('hour', '<', new Date(nowMs - HOURS_KEPT_DAYS * DAY_MS))
        .execute()
    },
  }
}

async function countHour(on: Db, { epoch, stage, endedAtMs, judged }: EndedPair): Promise<void> {
  const is = (happened: boolean | undefined): number => (happened === true ? 1 : 0)
  const [mild, serious, worst] = (['mild', 'serious', 'worst'] as const).map((one) =>
    is(judged?.severity === one),
  )
  const errors = is(judged?.trials.candidate_errors)
  await sql`
    insert into evidence_hours as known (hour, stage, epoch, first_at, pairs, mild, serious, worst, errors)
    values (${new Date(endedAtMs - (endedAtMs % HOUR_MS))}, ${stage}, ${epoch}, ${new Date(endedAtMs)}, 1, ${mild}, ${serious},
      ${worst}, ${errors})
    on conflict (hour, stage, epoch) do update set pairs = known.pairs + 1, mild = known.mild + excluded.mild,
      serious = known.serious + excluded.serious, worst = known.worst + excluded.worst,
      errors = known.errors + excluded.errors, first_at = least(known.first_at, excluded.first_at)`.execute(
    on,
  )
}

const hours = (database: Db) =>
  database
    .selectFrom('evidence_hours')
    .select(['hour', 'stage'])
    .select(({ fn }) => [
      fn.min('first_at').as('first_at'),
      fn.sum<string>('pairs').as('pairs'),
      fn.sum<string>('mild').as('mild'),
      fn.sum<string>('serious').as('serious'),
      fn.sum<string>('worst').as('worst'),
      fn.sum<string>('errors').as('errors'),
    ])
    .groupBy(['hour', 'stage'])
    .orderBy('hour')
    .orderBy('first_at')

const toHour = (row: Awaited<ReturnType<ReturnType<typeof hours>['execute']>>[number]): HourRow => ({
  hour: row.hour,
  stage: row.stage,
  firstAtMs: row.first_at.getTime(),
  pairs: Number(row.pairs),
  mild: Number(row.mild),
  serious: Number(row.serious),
  worst: Number(row.worst),
  errors: Number(row.errors),
})
