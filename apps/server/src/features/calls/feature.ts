import { contract } from '@vaani/contracts'
import { concurrencyOf } from '@vaani/service-kit/http/limits/rate-limits'
import { endOf, STOP_NOW } from '@vaani/service-kit/lifecycle/stop-deadline'
import { defineFeature, handle } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { AdminPort } from '../admin/port.ts'
import type { AgentsPort } from '../agents/port.ts'
import type { DoNotCallPort } from '../do-not-call/port.ts'
import type { SpeechPort } from '../speech/port.ts'
import type { WebhooksPort } from '../webhooks/port.ts'
import { createAddNotice } from './add-notice.ts'
import { type Announce, createAnnounce } from './announce.ts'
import { createCarriers, type CreateSimulator } from './carriers/carriers.ts'
import { type CarriersFile, readCarriers } from './carriers/carriers-file.ts'
import { type CarrierWatch, watchCarriers } from './carriers/watch-carriers.ts'
import { type LineLimit, lineLimits } from './carriers/line-limits.ts'
import { followHealth } from './carrier-metrics.ts'
import type { CallsContext } from './context.ts'
import { listenForCalls } from './listen-for-calls.ts'
import { type CallDispatcher, startCallDispatcher } from './dispatcher.ts'
import { CALL_EVENTS, type CallEvent } from './events.ts'
import * as calls from './migrations/0002-calls.ts'
import * as atRest from './migrations/0008-at-rest.ts'
import * as waitingCalls from './migrations/0013-waiting-calls.ts'
import * as callsInTurn from './migrations/0030-calls-in-turn.ts'
import * as indexesOfCallsInTurn from './migrations/0031-indexes-of-calls-in-turn.ts'
import * as ringingCalls from './migrations/0037-ringing-calls.ts'
import * as undialledCalls from './migrations/0042-undialled-calls.ts'
import * as transcripts from './migrations/0051-transcripts.ts'
import * as lineOfCalls from './migrations/0052-line-of-calls.ts'
import * as lineLimitsOfCalls from './migrations/0053-line-limits.ts'
import * as incomingCalls from './migrations/0055-incoming-calls.ts'
import * as lineCapsOfAccounts from './migrations/0056-line-caps.ts'
import * as farewells from './migrations/0057-farewells.ts'
import { findRoute } from './find-route.ts'
import type { CallsPort } from './port.ts'
import { type CallMetrics, declareCallMetrics, followCalls } from './metrics.ts'
import { type LineCaps, StoredLineCaps, sweepLineUse } from './line-caps.ts'
import { createLineTurns } from './line-turns.ts'
import { createNumberBar } from './number-bar.ts'
import { countWaiting } from './queue-limit.ts'
import { createDialWithinCaps } from './paid-time.ts'
import { createRecordingStore } from './recording-store.ts'
import { cancelCall } from './routes/cancel.ts'
import { listCalls } from './routes/list.ts'
import { placeCall } from './routes/place.ts'
import { callRecording } from './routes/recording.ts'
import { removeRecording } from './routes/remove-recording.ts'
import { retrieveCall } from './routes/retrieve.ts'
import { callTranscript } from './routes/transcript.ts'
import { carriersToTry, chooseCarrier } from './rules/choose-carrier.ts'
import { CALL_SAMPLES } from './rules/sample-event.ts'
import { countScheduled } from './schedule-limit.ts'
import { type CallSettings, callSettings } from './settings.ts'
import { type CallSpans, declareCallSpans } from './spans.ts'
import { createCallStore } from './store.ts'
import { sweepOldCalls } from './sweep-old-calls.ts'
import { translateCarrierError } from './translate-carrier-error.ts'

type Needs = Pick<
  Services,
  | 'blobs'
  | 'clock'
  | 'database'
  | 'held'
  | 'idempotency'
  | 'isWorker'
  | 'lease'
  | 'log'
  | 'makeId'
  | 'pool'
  | 'released'
  | 'unsealed'
  | 'vault'
> & {
  createSimulator: CreateSimulator
  admin: AdminPort
  agents: AgentsPort
  doNotCall: DoNotCallPort
  speech: SpeechPort
  webhooks: WebhooksPort
  settings: CallSettings
  events: Events<CallEvent>
  metrics: CallMetrics
  spans: CallSpans
}

/** Calls by voice agents: placing, dialling and recording. */
export const callsFeature = defineFeature({
  name: 'calls',
  contract: { calls: contract.calls },
  settings: callSettings,
  check: ({ carriersFile }) => readCarriers(carriersFile),
  migrations: {
    '0002-calls': calls,
    '0008-at-rest': atRest,
    '0013-waiting-calls': waitingCalls,
    '0030-calls-in-turn': callsInTurn,
    '0031-indexes-of-calls-in-turn': indexesOfCallsInTurn,
    '0037-ringing-calls': ringingCalls,
    '0042-undialled-calls': undialledCalls,
    '0051-transcripts': transcripts,
    '0052-line-of-calls': lineOfCalls,
    '0053-line-limits': lineLimitsOfCalls,
    '0055-incoming-calls': incomingCalls,
    '0056-line-caps': lineCapsOfAccounts,
    '0057-farewells': farewells,
  },
  sealed: [{ table: 'calls', column: 'recording_data_key', id: 'call_id' }],
  events: CALL_EVENTS,
  metrics: declareCallMetrics,
  spans: declareCallSpans,
  translate: translateCarrierError,
  async start(needs: Needs) {
    const { settings, clock, idempotency, admin, agents, speech, webhooks, events, isWorker } = needs
    const { carriersFile, callRetentionDays, recordingRetentionDays: retentionDays } = settings
    const lines = await readCarriers(carriersFile)
    webhooks.provideSamples(CALL_SAMPLES)
    const recordings = createRecordingStore({ ...needs, retentionDays })
    const limits = lineLimits(lines.carriers)
    const lineCaps = new StoredLineCaps({ ...needs, ...lines, capped: needs.metrics.capped })
    const store = createCallStore({ ...needs, lineLimits: limits, lineCaps, onEvents: webhooks.wake })
    const numberBar = createNumberBar(lines.routes, needs.metrics)
    const worker = isWorker
      ? await startWorker({ ...needs, ...lines, limits, calls: store, recordings, numberBar, lineCaps })
      : null
    const context: CallsContext = {
      clock,
      idempotency,
      admin,
      agents,
      speech,
      calls: store,
      recordings,
      chooseCarrier: (call) => chooseCarrier(lines.routes, call),
      numberBar,
      worker: worker?.dispatcher ?? null,
      events,
    }
    const port: CallsPort = {
      carriers: Object.keys(lines.carriers),
      describeHealth: () => worker?.watch.describe() ?? {},
      findRoute: (call) => findRoute({ ...lines, numberBar }, call, clock.nowMs()),
      readCaps: (accountId) => lineCaps.read(accountId),
      announce: worker?.announce ?? null,
    }
    return {
      mounts: [
        handle(contract.calls, {
          place: placeCall(context),
          retrieve: retrieveCall(context),
          list: listCalls(context),
          cancel: cancelCall(context),
          recording: callRecording(context),
          transcript: callTranscript(context),
          removeRecording: removeRecording(context),
        }),
      ],
      port,
      workers: worker ? [worker.dispatcher] : [],
      counters: {
        waiting_calls: (principal) =>
          countWaiting(needs.pool, principal, concurrencyOf('waiting_calls', principal).limit),
        scheduled_calls: (tenant) => countScheduled(needs.pool, tenant),
      },
      sweeps: {
        'old recordings': () => recordings.sweep(),
        'old use of lines': () => sweepLineUse(needs),
        'old calls': () => sweepOldCalls({ ...needs, recordings, retentionDays: callRetentionDays }),
      },
    }
  },
})

/** Starts the dispatcher and opens its carriers. Returns null if no speech engine is installed, because agents could not speak. */
async function startWorker(
  needs: Needs &
    Pick<CallsContext, 'calls' | 'recordings' | 'numberBar'> &
    CarriersFile & { limits: readonly LineLimit[]; lineCaps: LineCaps },
): Promise<{ dispatcher: CallDispatcher; watch: CarrierWatch; announce: Announce } | null> {
  const { settings, unsealed, calls, speech, held, released, limits } = needs
  if (speech.engine === null) return null
  const carriers = await createCarriers({ ...needs, file: settings.carriersFile, entries: needs.carriers })
  held.defer(() => endOf(carriers.close(), released))
  const watch = watchCarriers({ ...needs, carriers: carriers.all })
  held.defer(watch.stop)
  const carrierMetrics = needs.metrics.ofCarriers([...carriers.all.keys()])
  followHealth(carrierMetrics, watch)
  const lineTurns = createLineTurns(needs.pool, limits)
  const dialWithinCaps = createDialWithinCaps(needs)
  const dispatcher = startCallDispatcher({
    ...needs,
    maxCalls: settings.maxCalls,
    recordingDirectory: unsealed.path,
    store: calls,
    carriers,
    carriersToTry: ({ livemode, account_id: accountId, to_number: to, carrier }) =>
      carriersToTry(needs.routes, { livemode, accountId, to, carrier }, (name) => ({
        isDown: watch.health(name)?.state === 'down',
        // They are counted when a call is claimed, by the carrier that it has then.
        isCounted: limits.some((limit) => limit.carrier === name && limit.channels !== null),
      })),
    callerIds: needs.admin.callerIds,
    lineTurns,
    dialWithinCaps,
    addNotice: createAddNotice(needs.notices, needs.log),
    chooseSpeaker: speech.chooseSpeaker,
    carrierMetrics,
  })
  held.defer(() => dispatcher.stop(STOP_NOW))
  listenForCalls({ ...needs, carriers, receive: dispatcher.receive })
  followCalls(needs.metrics, { ...needs, dispatcher, carriers, maxCalls: settings.maxCalls })
  const announce = createAnnounce({
    ...needs,
    carriers,
    lineTurns,
    dialWithinCaps,
    chooseSpeaker: speech.chooseSpeaker,
  })
  return { dispatcher, watch, announce }
}
