import type { MigrationReport } from '@vaani/contracts/migration'
import type { MigrationContext } from './context.ts'
import { describeMigration } from './describe-migration.ts'

const CHANGES = 200
const OPEN_MISMATCHES = 50

/** Makes the report. What it reads does not grow with the pairs. */
export async function makeReport(context: MigrationContext): Promise<MigrationReport> {
  const { clock, evidence, flag, pairs } = context
  const { epoch } = flag.current()
  const [migration, changes, counted, mismatches] = await Promise.all([
    describeMigration(context, await evidence.judge(epoch)),
    flag.listChanges({ limit: CHANGES }),
    evidence.report(epoch),
    pairs.list({ limit: OPEN_MISMATCHES, isOpen: true }),
  ])
  return {
    generated_at: new Date(clock.nowMs()).toISOString(),
    migration,
    changes,
    ...counted,
    open_mismatches: mismatches,
  }
}
