import type { Clock } from '@vaani/service-kit/clock'
import type { EvidencePort } from '../evidence/port.ts'
import type { FlagPort } from '../flag/port.ts'
import type { PairsPort } from '../pairs/port.ts'

/** What the routes of a migration use. */
export interface MigrationContext {
  readonly clock: Clock
  readonly evidence: EvidencePort
  readonly flag: FlagPort
  readonly pairs: PairsPort
}
