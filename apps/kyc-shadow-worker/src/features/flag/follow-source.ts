import type { FlagChanger } from './change-flag.ts'
import type { KnownFlag } from './known-flag.ts'
import type { FlagSource } from './source.ts'
import type { StoredFlag } from './store.ts'

const REASON = 'Changed at the provider'

/**
 * Creates a function that follows a provider. It writes only what has changed at the provider since this process looked last, so
 * processes whose providers lag behind one another do not undo each other's changes, and a rollback of the gate stays until the
 * provider changes again.
 */
export function followSource(options: {
  source: FlagSource
  stored: StoredFlag
  known: KnownFlag
  changer: FlagChanger
}): () => Promise<void> {
  const { source, stored, known, changer } = options
  const asker = { reason: REASON, actor: `openfeature:${source.name}`, isOfProvider: true }
  let { providerStage: lastStage, providerIsKilled: wasKilled } = stored

  return async () => {
    const { stage, isKilled } = await source.read()
    if (isKilled !== null) known.setProvider(isKilled)
    if (isKilled !== null && isKilled !== wasKilled) {
      const result = await changer.change({ ...asker, kind: 'kill_switch', isKilled })
      if (result.type !== 'refused') {
        known.learn(result.flag)
        wasKilled = isKilled
      }
    }
    if (stage !== null && stage !== lastStage) {
      const result = await changer.change({ ...asker, kind: 'stage', stage, isForced: true })
      if (result.type !== 'refused') {
        known.learn(result.flag)
        lastStage = stage
      }
    }
  }
}
