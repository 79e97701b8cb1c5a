import { contract } from '@vaani/contracts'
import { STOP_NOW } from '@vaani/service-kit/lifecycle/stop-deadline'
import { defineFeature, handle } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { AdminPort } from '../admin/port.ts'
import type { CallsPort } from '../calls/port.ts'
import type { DoNotCallPort } from '../do-not-call/port.ts'
import type { SpeechPort } from '../speech/port.ts'
import { createCodes } from './codes.ts'
import type { CallerIdsContext } from './context.ts'
import { CALLER_ID_EVENTS, type CallerIdEvent } from './events.ts'
import * as callerIds from './migrations/0054-caller-ids.ts'
import { listCallerIds } from './routes/list.ts'
import { removeCallerId } from './routes/remove.ts'
import { retrieveCallerId } from './routes/retrieve.ts'
import { startCallerId } from './routes/start.ts'
import { verifyCallerId } from './routes/verify.ts'
import { startCaller } from './start-caller.ts'
import { createVerificationStore, type VerificationStore } from './store.ts'

type Needs = Pick<
  Services,
  'clock' | 'database' | 'held' | 'isWorker' | 'lease' | 'log' | 'makeId' | 'pool' | 'vault'
> & {
  admin: AdminPort
  calls: CallsPort
  doNotCall: DoNotCallPort
  speech: SpeechPort
  events: Events<CallerIdEvent>
}

/** Numbers that the account's calls may show, verified by a call with a code. */
export const callerIdsFeature = defineFeature({
  name: 'callerIds',
  contract: { callerIds: contract.callerIds },
  migrations: { '0054-caller-ids': callerIds },
  events: CALLER_ID_EVENTS,
  async start(needs: Needs) {
    const { admin, calls, clock, held, isWorker } = needs
    const store = createVerificationStore(needs.database)
    const codes = createCodes(needs.vault)
    const caller =
      isWorker && calls.announce ? startCaller({ ...needs, announce: calls.announce, store, codes }) : null
    if (caller) held.defer(() => caller.stop(STOP_NOW))
    const context: CallerIdsContext = { ...needs, verified: admin.callerIds, store, codes, caller }
    return {
      mounts: [
        handle(contract.callerIds, {
          start: startCallerId(context),
          verify: verifyCallerId(context),
          retrieve: retrieveCallerId(context),
          list: listCallerIds(context),
          remove: removeCallerId(context),
        }),
      ],
      port: undefined,
      workers: caller ? [caller] : [],
      sweeps: { 'old verifications of caller ids': () => sweepOld(store, clock.nowMs()) },
    }
  },
})

/** Twice as long as they count, so that a failed one can be read for a day. */
const KEPT_MS = 2 * 86_400_000

async function sweepOld(store: Pick<VerificationStore, 'sweep'>, nowMs: number): Promise<void> {
  while ((await store.sweep(new Date(nowMs - KEPT_MS))) > 0);
}
