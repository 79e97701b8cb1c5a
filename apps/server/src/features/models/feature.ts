import { createBuiltInModel } from '@vaani/chat/built-in'
import multipart from '@fastify/multipart'
import { contract } from '@vaani/contracts'
import { mountStreamed } from '@vaani/service-kit/http/body/mount-streamed'
import { defineFeature, handle, type Mount } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import type { SynthesisPort } from '../synthesis/port.ts'
import { checkChat, type KeepingUpstreams, loadChat } from './chat/load-chat.ts'
import { translateChatError } from './chat/translate-chat-error.ts'
import type { ModelsContext, StoredContext, TranscriptionContext } from './context.ts'
import { MODEL_EVENTS } from './events.ts'
import { declareModelMetrics } from './metrics.ts'
import * as modelUsage from './migrations/0023-model-usage.ts'
import * as storedObjects from './migrations/0039-stored-objects.ts'
import * as openBatchesInTurn from './migrations/0040-open-batches-in-turn.ts'
import { completeChat } from './routes/chat.ts'
import { listModels } from './routes/list.ts'
import { complete, draw, embed, moderate } from './routes/pass-on.ts'
import { respond } from './routes/respond.ts'
import { retrieveModel } from './routes/retrieve.ts'
import { speak } from './routes/speech.ts'
import { passRecordingOn } from './routes/transcribe.ts'
import { listUsage } from './routes/usage.ts'
import { NOT_SERVED } from './rules/not-served.ts'
import { listModelNames } from './rules/model-list.ts'
import { type ModelSettings, modelSettings } from './settings.ts'
import { followOpenBatches } from './stored/follow-open.ts'
import { countStored } from './stored/room.ts'
import { createFile } from './stored/routes/create-file.ts'
import { createStoredStore } from './stored/store.ts'
import { storedHandlers } from './stored/stored-handlers.ts'
import { createUsageStore } from './usage/store.ts'
import { createUsageMeter } from './usage/usage-meter.ts'
import { FORM_LIMITS } from './transcription/receive-form.ts'

const { ocr: _ocr, ocrDocument: _ocrDocument, ...served } = contract.models
const { transcribe, translate, createFile: storeFile, ...handled } = served

type Needs = Pick<Services, 'clock' | 'database' | 'held' | 'idempotency' | 'log' | 'unsealed' | 'vault'> &
  Pick<ModelsContext, 'speech' | 'events' | 'metrics'> & { settings: ModelSettings; synthesis: SynthesisPort }

/** Hosted models in the wire format of OpenAI: chat and speech. */
export const modelsFeature = defineFeature({
  name: 'models',
  contract: { models: served },
  settings: modelSettings,
  check: checkChat,
  migrations: {
    '0023-model-usage': modelUsage,
    '0039-stored-objects': storedObjects,
    '0040-open-batches-in-turn': openBatchesInTurn,
  },
  events: MODEL_EVENTS,
  metrics: declareModelMetrics,
  translate: translateChatError,
  notServed: NOT_SERVED,
  async start(needs: Needs) {
    const { synthesis, speech, settings, events, metrics, clock, database, held, log } = needs
    const upstreams = await loadChat({ settings, events })
    const chat = upstreams?.chat ?? createBuiltInModel({ nowMs: clock.nowMs })
    held.defer(() => chat.close())
    const store = createUsageStore(database)
    const usage = createUsageMeter({ store, clock, log })
    held.defer(() => usage.close())
    const models = listModelNames({
      chat: chat.models(),
      isBuiltIn: upstreams === null,
      speaks: speech.engine !== null,
      nowMs: clock.nowMs(),
    })
    const chatContext = { chat, models, usage, clock, events, metrics }
    const storedContext: StoredContext = {
      ...needs,
      upstreams: upstreams ?? NO_UPSTREAMS,
      store: createStoredStore({ database, clock }),
    }
    const handlers = {
      ...storedHandlers(storedContext),
      list: listModels({ models }),
      retrieve: retrieveModel({ models }),
      usage: listUsage({ store }),
      chat: completeChat(chatContext),
      respond: respond(chatContext),
      embed: embed(chatContext),
      complete: complete(chatContext),
      moderate: moderate(chatContext),
      draw: draw(chatContext),
      speech: speak({ speech, renderers: synthesis.renderers, events, metrics }),
    }
    return {
      mounts: [handle(handled, handlers), mountForms({ ...needs, ...chatContext, ...storedContext })],
      port: undefined,
      counters: {
        stored_files: (principal) => countStored(storedContext.store, principal, 'file'),
        unfinished_batches: (principal) => countStored(storedContext.store, principal, 'batch'),
      },
      sweeps: { 'batches of upstreams': followOpenBatches(storedContext) },
    }
  },
})

const NO_UPSTREAMS: KeepingUpstreams = { chat: { preferred: () => undefined }, stored: new Map() }

const mountForms =
  (context: TranscriptionContext & StoredContext & Pick<Services, 'idempotency'>): Mount =>
  async (app) => {
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      await scope.register(multipart, { limits: FORM_LIMITS })
      const { idempotency } = context
      await mountStreamed(scope, storeFile, { receive: createFile(context), idempotency })
      await mountStreamed(scope, transcribe, {
        receive: passRecordingOn(context, 'audio/transcriptions'),
        idempotency,
      })
      await mountStreamed(scope, translate, {
        receive: passRecordingOn(context, 'audio/translations'),
        idempotency,
      })
    })
  }
