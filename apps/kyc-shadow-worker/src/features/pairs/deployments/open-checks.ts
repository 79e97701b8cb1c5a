import type { Clock } from '@vaani/service-kit/clock'
import type { CallbackSettings } from '../../../callback-settings.ts'
import type { ShadowSettings } from '../../../settings.ts'
import type { PairsPort } from '../port.ts'
import type { AwaitedCallbacks } from './awaited-callbacks.ts'
import { callBack } from './call-back.ts'
import { checkDeployments, findRefusedCredential } from './check-deployments.ts'
import type { Deployments } from './deployments.ts'
import { remember } from './remember.ts'

const CREDENTIAL_FRESH_MS = 60_000
/** Requests at the same moment share one check. */
const CHECK_FRESH_MS = 1000

/** Answers whether the deployments are ready for the migration. */
export function openChecks(options: {
  shadow: ShadowSettings
  callbacks: CallbackSettings
  clients: Deployments['clients']
  awaited: AwaitedCallbacks
  clock: Clock
}): Pick<PairsPort, 'check' | 'refusedCredential'> {
  const { shadow, callbacks, clients, awaited, clock } = options
  const findRefused = () => findRefusedCredential(clients.candidate, shadow.candidateApiKey)
  const recallRefused = remember(findRefused, { clock, forMs: CREDENTIAL_FRESH_MS })
  return {
    check: remember(
      () =>
        checkDeployments({
          settings: { ...shadow, ...callbacks },
          clients,
          awaited,
          callBack: () => callBack(callbacks, clock),
        }),
      { clock, forMs: CHECK_FRESH_MS },
    ),
    refusedCredential: ({ isFresh } = { isFresh: false }) => (isFresh ? findRefused() : recallRefused()),
  }
}
