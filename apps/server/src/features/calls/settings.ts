import { defineSettings } from '@vaani/service-kit/settings/define-settings'
import { optional, retentionDays } from '@vaani/service-kit/settings/variables'
import { z } from 'zod'

export interface CallSettings {
  /** File with the operator's carriers. */
  carriersFile: string | undefined
  /** Maximum number of concurrent calls of this worker. */
  maxCalls: number
  /** How long a call is kept after its end. */
  callRetentionDays: number
  /** How long the recording of a call is kept after the end of the call. */
  recordingRetentionDays: number
}

export const callSettings = defineSettings(
  {
    VAANI_CARRIERS_FILE: optional(z.string()),
    VAANI_MAX_CALLS: optional(z.coerce.number().int().min(1).max(1000)),
    VAANI_CALL_RETENTION_DAYS: optional(retentionDays),
    VAANI_RECORDING_RETENTION_DAYS: optional(retentionDays),
  },
  (values): CallSettings => ({
    carriersFile: values.VAANI_CARRIERS_FILE,
    maxCalls: values.VAANI_MAX_CALLS ?? 100,
    callRetentionDays: values.VAANI_CALL_RETENTION_DAYS ?? 730,
    recordingRetentionDays: values.VAANI_RECORDING_RETENTION_DAYS ?? 30,
  }),
)
