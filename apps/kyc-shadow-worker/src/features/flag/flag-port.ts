import type { KillSource, MigrationVerdict } from '@vaani/contracts/migration'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import { adviseAt } from '../../rules/gate/advise-at.ts'
import type { FlagChanger } from './change-flag.ts'
import type { KnownFlag } from './known-flag.ts'
import type { ChangeRequest, FlagPort } from './port.ts'
import type { FlagStore } from './store.ts'

/** Why the API cannot release the switch. */
const ENGAGED_ELSEWHERE: Readonly<Record<Exclude<KillSource, 'api'>, string>> = {
  environment: 'VAANI_SHADOW_KILL of a worker engages the switch; unset it and restart that worker',
  file: 'The file `kill` in the data directory of a worker engages the switch; remove it',
  provider: 'The OpenFeature provider engages the switch; release it there',
}

export function createFlagPort(options: {
  store: FlagStore
  known: KnownFlag
  changer: FlagChanger
  publish: () => Promise<void>
  verdictOf: (epoch: number) => Promise<MigrationVerdict>
  log: Logger
}): FlagPort {
  const { store, known, changer, publish, verdictOf, log } = options

  function refuse({ kind, isKilled = false }: ChangeRequest): string | null {
    const { source, killSource } = known.current()
    if (kind === 'stage' && source !== 'table')
      return `The OpenFeature provider ${source} decides the stage; change it there`
    if (kind === 'kill_switch' && !isKilled && killSource !== null && killSource !== 'api')
      return ENGAGED_ELSEWHERE[killSource]
    return null
  }

  return {
    current: known.current,
    async change(request) {
      const refused = refuse(request)
      if (refused !== null) return { refused }
      const result = await changer.change(request)
      if (result.type === 'refused') return { refused: result.because }
      known.learn(result.flag)
      // The change is made, so a failure is no answer to its author. It is published within a second.
      await publish().catch((error: unknown) => log.warn({ error }, 'The flag could not be published'))
      return known.current()
    },
    listChanges: store.list,
    async verdict() {
      const { stage, epoch } = known.current()
      return adviseAt(stage, await verdictOf(epoch))
    },
  }
}
