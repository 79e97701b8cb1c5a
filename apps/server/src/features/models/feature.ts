import { contract } from '@vaani/contracts'
import { defineFeature, handle } from '@vaani/service-kit/service/define-feature'
import type { SynthesisPort } from '../synthesis/port.ts'
import type { ModelsContext } from './context.ts'
import { MODEL_EVENTS } from './events.ts'
import { declareModelMetrics } from './metrics.ts'
import { speak } from './routes/speech.ts'

const { speech: speechRoute } = contract.models
const served = { speech: speechRoute }

type Needs = Omit<ModelsContext, 'renderers'> & { synthesis: SynthesisPort }

/** Hosted models in the wire format of OpenAI: speech. */
export const modelsFeature = defineFeature({
  name: 'models',
  contract: { models: served },
  events: MODEL_EVENTS,
  metrics: declareModelMetrics,
  async start({ synthesis, ...needs }: Needs) {
    const context = { ...needs, renderers: synthesis.renderers }
    return { mounts: [handle(served, { speech: speak(context) })], port: undefined }
  },
})
