import multipart from '@fastify/multipart'
import { type AppRoute, contract, LIMITS } from '@vaani/contracts'
import { mountStreamed } from '@vaani/service-kit/http/body/mount-streamed'
import { defineFeature, handle, type Mount } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import { createVoiceExaminer } from '@vaani/speech/cloning'
import type { SpeechPort } from '../speech/port.ts'
import type { VoicesContext } from './context.ts'
import { createVoiceErasure } from './erasure.ts'
import { VOICE_EVENTS, type VoiceEvent } from './events.ts'
import * as voices from './migrations/0020-voices.ts'
import type { VoicesPort } from './port.ts'
import { createVoiceRecordings } from './recording-store.ts'
import { cloneVoice } from './routes/clone.ts'
import { listVoices } from './routes/list.ts'
import { removeVoice } from './routes/remove.ts'
import { createVoiceStore } from './store.ts'
import { translateRecordingsError } from './translate-recordings-error.ts'
import { createVoiceReader } from './voice-reader.ts'

type Needs = Pick<
  Services,
  'blobs' | 'clock' | 'database' | 'held' | 'idempotency' | 'makeId' | 'pool' | 'unsealed' | 'vault'
> & {
  speech: SpeechPort
  events: Events<VoiceEvent>
}

/** The limit of each recording is enforced while it arrives. */
const FORM_LIMITS = {
  fieldNameSize: 100,
  fields: 5,
  fieldSize: 4096,
  files: LIMITS.cloneSamplesMax + 1,
  parts: LIMITS.cloneSamplesMax + 6,
  fileSize: Number.POSITIVE_INFINITY,
}

/** The routes that read recordings as they arrive are mounted separately. */
const { clone, ...wholeRoutes } = contract.voices
const { clone: cloneForSynthesis } = contract.synthesis

/** Cloned voices: making, listing and erasing them. The speech feature speaks in them. */
export const voicesFeature = defineFeature({
  name: 'voices',
  contract: { voices: { ...contract.voices, cloneForSynthesis } },
  migrations: { '0020-voices': voices },
  sealed: [{ table: 'voices', column: 'data_key', id: 'voice_id' }],
  events: VOICE_EVENTS,
  translate: translateRecordingsError,
  async start({ blobs, held, speech, ...needs }: Needs) {
    const { engine } = speech
    const examiner = engine && createVoiceExaminer(engine)
    if (examiner !== null) held.defer(() => examiner.close())
    const store = createVoiceStore(needs)
    const recordings = createVoiceRecordings(blobs)
    const erasure = createVoiceErasure({ ...needs, store, recordings })
    const context: VoicesContext = {
      ...needs,
      store,
      recordings,
      erasure,
      requireExaminer() {
        if (examiner !== null) return examiner
        speech.requireEngine()
        throw new Error('The engine has no examiner')
      },
    }
    return {
      mounts: [
        handle(wholeRoutes, { list: listVoices(context), remove: removeVoice(context) }),
        mountClone(context, clone),
        mountClone(context, cloneForSynthesis),
      ],
      port: { ...createVoiceReader(needs), sweep: erasure.sweep } satisfies VoicesPort,
      counters: { voices: store.count },
      sweeps: { 'recordings of voices': () => erasure.sweep() },
    }
  },
})

const mountClone =
  (context: VoicesContext, route: AppRoute): Mount =>
  async (app) => {
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      await scope.register(multipart, { limits: FORM_LIMITS })
      await mountStreamed(scope, route, { receive: cloneVoice(context), idempotency: context.idempotency })
    })
  }
