import type { MigrationVerdict } from '@vaani/contracts/migration'
import type { Clock } from '@vaani/service-kit/clock'
import { countPairsPerDay } from '../../rules/evidence/pairs-per-day.ts'
import type { AllowedRates } from '../../rules/gate/allowed-rates.ts'
import type { EvidencePort } from './port.ts'
import type { CountRow, EvidenceStore } from './store.ts'
import { toReport } from './to-report.ts'
import { type Obstacles, toVerdict } from './to-verdict.ts'

const ALL = ['trial', 'event', 'endings', 'answer', 'decision', 'outcome'] as const

export function createEvidence(options: {
  store: EvidenceStore
  clock: Clock
  allowed: AllowedRates
  obstacles: Obstacles
}): EvidencePort {
  const { store, clock, allowed, obstacles } = options

  async function judgeCounts(epoch: number, counts: readonly CountRow[]): Promise<MigrationVerdict> {
    const nowMs = clock.nowMs()
    const pairsPerDay = countPairsPerDay(await store.readLastDay(epoch, nowMs), nowMs)
    return toVerdict(counts, { allowed, obstacles, pairsPerDay })
  }

  return {
    count: store.count,
    judge: async (epoch) => judgeCounts(epoch, await store.readCounts(epoch, ['trial', 'event', 'endings'])),
    async report(epoch) {
      const counts = await store.readCounts(epoch, ALL)
      return toReport(counts, await judgeCounts(epoch, counts), await store.readHours(clock.nowMs()))
    },
    async countEnded(epoch) {
      const counts = await store.readCounts(epoch, ['outcome'])
      return counts.filter(({ kind }) => kind === 'comparison').reduce((sum, { pairs }) => sum + pairs, 0)
    },
  }
}
