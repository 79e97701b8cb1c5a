import { defineSettings, type Settings } from '@vaani/service-kit/settings/define-settings'
import { optional } from '@vaani/service-kit/settings/variables'
import { z } from 'zod'

export interface ModelSettings {
  /** File with the operator's servers of chat models. */
  chatUpstreamsFile: string | undefined
  /** Reads a variable that the file names for a key. */
  readChatKey: (variable: string) => string | undefined
}

const declared = defineSettings({ VAANI_CHAT_UPSTREAMS_FILE: optional(z.string()) }, (values) => ({
  chatUpstreamsFile: values.VAANI_CHAT_UPSTREAMS_FILE,
}))

export const modelSettings: Settings<ModelSettings> = {
  variables: declared.variables,
  read: (environment) => ({
    ...declared.read(environment),
    // The names are known only after the file has been read.
    readChatKey: (variable) => environment[variable],
  }),
}
