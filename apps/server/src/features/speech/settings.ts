import { defineSettings } from '@vaani/service-kit/settings/define-settings'
import { optional } from '@vaani/service-kit/settings/variables'
import { z } from 'zod'

export interface SpeechSettings {
  /** File with the operator's speech engines; without one the embedded engine speaks. */
  speechEnginesFile: string | undefined
  /** Key for the engines of the file that ask for it. */
  speechApiKey: string | undefined
}

export const speechSettings = defineSettings(
  { VAANI_SPEECH_ENGINES_FILE: optional(z.string()), VAANI_SPEECH_API_KEY: optional(z.string()) },
  (values): SpeechSettings => ({
    speechEnginesFile: values.VAANI_SPEECH_ENGINES_FILE,
    speechApiKey: values.VAANI_SPEECH_API_KEY,
  }),
)
