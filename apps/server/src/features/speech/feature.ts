import { contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/api-error'
import { defineFeature, handle } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import { loadSpeechEngine } from './engine.ts'
import { SPEECH_EVENTS, type SpeechEvent } from './events.ts'
import { declareSpeechMetrics, type SpeechMetrics } from './metrics.ts'
import type { SpeechPort } from './port.ts'
import { streamAudio } from './routes/stream.ts'
import { translateSpeechError } from './translate-speech-error.ts'

type Needs = Pick<Services, 'held' | 'log'> & { events: Events<SpeechEvent>; metrics: SpeechMetrics }

/** Streaming speech synthesis. */
export const speechFeature = defineFeature({
  name: 'speech',
  contract: { speech: contract.speech },
  events: SPEECH_EVENTS,
  metrics: declareSpeechMetrics,
  translate: translateSpeechError,
  async start({ held, log, events, metrics }: Needs) {
    const engine = await loadSpeechEngine(log)
    if (engine !== null) held.defer(() => engine.close())
    const port: SpeechPort = {
      engine,
      requireEngine() {
        if (engine === null)
          throw new ApiError('service_unavailable', 'No speech engine is installed on this server', {
            retryAfterSeconds: 60,
          })
        return engine
      },
    }
    return { mounts: [handle(contract.speech, { stream: streamAudio({ ...port, events, metrics }) })], port }
  },
})
