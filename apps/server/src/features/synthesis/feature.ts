import { contract, SOCKETS } from '@vaani/contracts'
import { defineFeature, handle } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import { createRenderPool } from '@vaani/speech/synthesis'
import type { SynthesisContext } from './context.ts'
import { SYNTHESIS_EVENTS } from './events.ts'
import { declareSynthesisMetrics } from './metrics.ts'
import type { SynthesisPort } from './port.ts'
import { listLanguages } from './routes/languages.ts'
import { synthesisSocket } from './routes/socket.ts'
import { streamSynthesis } from './routes/stream.ts'
import { synthesize } from './routes/synthesize.ts'

const { languages, stream, synthesize: synthesizeRoute } = contract.synthesis
const served = { languages, stream, synthesize: synthesizeRoute }

type Needs = Pick<Services, 'held'> & Omit<SynthesisContext, 'renderers'>

/** Speech synthesis to files, streams and WebSockets, and the capabilities of the speech engine. */
export const synthesisFeature = defineFeature({
  name: 'synthesis',
  contract: { synthesis: served },
  sockets: [SOCKETS.engineStream],
  events: SYNTHESIS_EVENTS,
  metrics: declareSynthesisMetrics,
  async start({ held, ...needs }: Needs) {
    const renderers = createRenderPool()
    held.defer(() => renderers.close())
    const context = { ...needs, renderers }
    const port: SynthesisPort = { renderers }
    const { speech } = needs
    const handlers = {
      languages: listLanguages(speech),
      stream: streamSynthesis(speech),
      synthesize: synthesize(context),
    }
    return { mounts: [handle(served, handlers), synthesisSocket(context)], port }
  },
})
