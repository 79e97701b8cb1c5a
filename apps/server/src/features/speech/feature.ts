import { contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { toApiError } from '@vaani/service-kit/http/refusals/handle-errors'
import { defineFeature, handle } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { LexiconsPort } from '../lexicons/port.ts'
import { createSpeechPacer } from '@vaani/speech'
import { createVoiceReader } from '../voices/port.ts'
import { answerStream } from './answer-stream.ts'
import { chooseSpeaker, requireLanguage } from './choose-speaker.ts'
import { loadSpeechEngine } from './engine.ts'
import { isOnDemand, readEnginesFile } from './engines-file.ts'
import { openLive } from './open-live.ts'
import { SPEECH_EVENTS, type SpeechEvent } from './events.ts'
import { declareSpeechMetrics, type SpeechMetrics } from './metrics.ts'
import type { SpeechPort } from './port.ts'
import { streamAudio } from './routes/stream.ts'
import { type SpeechSettings, speechSettings } from './settings.ts'
import { translateSpeechError } from './translate-speech-error.ts'

type Needs = Pick<Services, 'clock' | 'database' | 'held' | 'log' | 'vault'> & {
  settings: SpeechSettings
  events: Events<SpeechEvent>
  metrics: SpeechMetrics
  lexicons: LexiconsPort
  warmsSpeech: boolean
}

/** Streaming speech synthesis. */
export const speechFeature = defineFeature({
  name: 'speech',
  contract: { speech: contract.speech },
  settings: speechSettings,
  check: async ({ speechEnginesFile: file }) => (file === undefined ? undefined : readEnginesFile(file)),
  events: SPEECH_EVENTS,
  metrics: declareSpeechMetrics,
  translate: translateSpeechError,
  async start(needs: Needs) {
    const { settings, clock, database, held, vault, events, metrics, lexicons, warmsSpeech } = needs
    const engine = await loadSpeechEngine(needs)
    if (engine !== null) held.defer(() => engine.close())
    const voices = createVoiceReader({ database, vault })
    const pacer = createSpeechPacer(clock.nowMs)
    function requireEngine() {
      if (engine === null)
        throw new ApiError('service_unavailable', 'No speech engine is installed on this server', {
          retryAfterSeconds: 60,
        })
      return engine
    }
    const port: SpeechPort = {
      engine,
      isWarm: engine !== null && warmsSpeech && !(await isOnDemand(settings)),
      requireEngine,
      requireLanguage: (request) => void requireLanguage(requireEngine(), request),
      async chooseSpeaker(request) {
        const speaker = await chooseSpeaker({ engine: requireEngine(), voices }, request)
        const lexicon = await lexicons.find(request.principal, speaker.language.tag)
        return { ...speaker, pacer, ...(lexicon && { lexicon }) }
      },
      answerStream: (request) => answerStream({ ...port, clock, events, metrics }, request),
      openLive: (request) => openLive(port, request),
      explain: (error) => toApiError(error, translateSpeechError),
    }
    return { mounts: [handle(contract.speech, { stream: streamAudio(port) })], port }
  },
})
