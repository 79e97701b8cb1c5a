import type { KillSource } from '@vaani/contracts/migration'
import type { Flag } from './port.ts'
import type { LocalKill } from './shared-kills.ts'
import type { StoredFlag } from './store.ts'

/** The flag as this process knows it: as it was last read, and what stops all shadow traffic without a database. */
export interface KnownFlag {
  current(): Flag
  /** Takes a flag that was read or written, unless it is older than the one known. */
  learn(stored: StoredFlag): void
  setFile(isThere: boolean): void
  /** What engages the switch at this worker, whatever it is at others. */
  localKill(): LocalKill | null
  /** What engages the switch at another worker. */
  setElsewhere(source: LocalKill | null): void
  setProvider(isKilled: boolean): void
}

export function createKnownFlag(options: {
  stored: StoredFlag
  /** Name of who decides the stage. */
  source: string
  isProvided: boolean
  isKilledByEnvironment: boolean
}): KnownFlag {
  const { source, isProvided, isKilledByEnvironment } = options
  let { stored } = options
  let isKilledByFile = false
  let elsewhere: LocalKill | null = null
  let isKilledByProvider: boolean | undefined

  function localKill(): LocalKill | null {
    if (isKilledByEnvironment) return 'environment'
    return isKilledByFile ? 'file' : null
  }

  function killSource(): KillSource | null {
    const ofWorkers = localKill() ?? elsewhere
    if (ofWorkers !== null) return ofWorkers
    if (isProvided && (isKilledByProvider ?? stored.providerIsKilled)) return 'provider'
    return stored.isKilled ? 'api' : null
  }

  return {
    current() {
      const { stage, epoch, evidenceSinceMs, revision, changedAtMs, changedBy } = stored
      const found = killSource()
      return {
        stage,
        isKilled: found !== null,
        killSource: found,
        epoch,
        evidenceSinceMs,
        revision,
        changedAtMs,
        changedBy,
        source,
      }
    },
    learn(next) {
      if (next.revision >= stored.revision) stored = next
    },
    localKill,
    setElsewhere: (source) => void (elsewhere = source),
    setFile: (isThere) => void (isKilledByFile = isThere),
    setProvider: (isKilled) => void (isKilledByProvider = isKilled),
  }
}
