import { contract } from '@vaani/contracts'
import { defineFeature, handle } from '@vaani/service-kit/service/define-feature'
import type { SpeechPort } from '../speech/port.ts'
import { listLanguages } from './routes/languages.ts'

const { languages } = contract.synthesis

/** Capabilities of the speech engine. */
export const synthesisFeature = defineFeature({
  name: 'synthesis',
  contract: { synthesis: { languages } },
  start: async ({ speech }: { speech: SpeechPort }) => ({
    mounts: [handle({ languages }, { languages: listLanguages(speech) })],
    port: undefined,
  }),
})
