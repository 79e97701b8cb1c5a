import { availableParallelism } from 'node:os'
import type { BatchEndpoint } from '@vaani/contracts'
import { defineSettings } from '@vaani/service-kit/settings/define-settings'
import { optional, retentionDays } from '@vaani/service-kit/settings/variables'
import { z } from 'zod'

export interface BatchSettings {
  /** How many requests of batches to each endpoint this process makes at a time. */
  batchPlaces: Readonly<Record<BatchEndpoint, number>>
  /** How long an ended batch is kept with its results. */
  batchRetentionDays: number
}

/** Chats, and what is passed on to upstreams like them, mostly wait for the server of their model. */
const CHATS = 8

export const batchSettings = defineSettings(
  {
    VAANI_BATCH_CHATS: optional(z.coerce.number().int().min(1).max(1000)),
    VAANI_BATCH_RETENTION_DAYS: optional(retentionDays),
  },
  (values): BatchSettings => {
    // Speaking and reading need a processor each; leave half of them to interactive requests.
    const working = Math.max(1, Math.floor(availableParallelism() / 2))
    const chats = values.VAANI_BATCH_CHATS ?? CHATS
    return {
      batchPlaces: {
        '/v1/chat/completions': chats,
        '/v1/responses': chats,
        '/v1/completions': chats,
        '/v1/embeddings': chats,
        '/v1/moderations': chats,
        '/v1/audio/speech': working,
        '/v1/engine/synthesize': working,
        '/v1/ocr/process': working,
      },
      batchRetentionDays: values.VAANI_BATCH_RETENTION_DAYS ?? 30,
    }
  },
)
