import { MIB } from '../shared/bytes.ts'
import type { GroupDeclaration } from '../shared/group.ts'
import { perMinute } from '../shared/rates.ts'

export const modelsGroup = {
  name: 'models',
  description: 'Hosted models.',
  ids: { document: 'doc_' },
  limits: {
    ocrPages: 50,
    /** Pages of a document up to which a caller waits for its text. */
    ocrPagesAtOnce: 10,
    /** Recordings to transcribe, as at OpenAI. */
    transcriptionAudioBytes: 25 * MIB,
    /** Files of OpenAI's batches, with their results, per mode. */
    storedFilesPerAccount: 1000,
  },
  rateLimits: {
    chat: perMinute(60, 600, true),
    speech: perMinute(60, 600, true),
    ocr: perMinute(60, 600, true),
  },
  concurrencyLimits: {
    unfinished_documents: {
      unit: 'unfinished documents',
      heldBy: 'document',
      limits: { starter: 5, pro: 50, enterprise: 500 },
      retryAfterSeconds: 60,
    },
  },
  scopes: ['models:use'],
  events: { ended: 'document.completed' },
} as const satisfies GroupDeclaration
