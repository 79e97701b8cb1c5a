import type { Counters } from '../http/limits/counters.ts'
import type { OnRefusal } from '../http/refusals/describe-refusal.ts'
import type { BackgroundWorker } from '../lifecycle/background-worker.ts'
import type { FeatureParts, Mount, Sweeps } from './define-feature.ts'

/** Returns lists that `gather` fills with the parts of each feature. */
export function gatherParts() {
  const mounts: Mount[] = []
  const workers: BackgroundWorker[] = []
  const sweeps: Sweeps[] = []
  const onRefusal: OnRefusal[] = []
  const counters: Counters[] = []
  function gather(parts: FeatureParts<unknown>): void {
    mounts.push(...parts.mounts)
    workers.push(...(parts.workers ?? []))
    if (parts.sweeps) sweeps.push(parts.sweeps)
    if (parts.onRefusal) onRefusal.push(parts.onRefusal)
    if (parts.counters) counters.push(parts.counters)
  }
  return { mounts, workers, sweeps, onRefusal, counters, gather }
}
