import { type Migration, type MigrationVerdict, STAGE_PLANS } from '@vaani/contracts/migration'
import { adviseAt } from '../../rules/gate/advise-at.ts'
import type { MigrationContext } from './context.ts'

/** Describes where the migration stands, on the evidence of at most a second ago unless a verdict is given. */
export async function describeMigration(
  { flag, evidence, pairs }: MigrationContext,
  given?: MigrationVerdict,
): Promise<Migration> {
  const { stage, isKilled, killSource, source, changedAtMs, changedBy, epoch, evidenceSinceMs } =
    flag.current()
  const { answers, shadowShare } = STAGE_PLANS[stage]
  const [verdict, ended, { spool, ...described }, refused] = await Promise.all([
    given ?? flag.verdict(),
    evidence.countEnded(epoch),
    pairs.describe(),
    stage === 'complete' ? null : pairs.refusedCredential(),
  ])
  return {
    stage,
    answers,
    shadow_share: shadowShare,
    kill_switch: { engaged: isKilled, source: killSource },
    flag_source: source,
    changed_at: new Date(changedAtMs).toISOString(),
    changed_by: changedBy,
    evidence_since: new Date(evidenceSinceMs).toISOString(),
    attention: refused === null ? [] : [refused],
    verdict: adviseAt(stage, verdict),
    pairs: { ...described, ended },
    spool,
  }
}
