import { MIB } from '../shared/bytes.ts'
import type { GroupDeclaration } from '../shared/group.ts'
import { perMinute } from '../shared/rates.ts'

export const batchesGroup = {
  name: 'batches',
  description: 'Asynchronous batch jobs.',
  ids: { batch: 'batch_' },
  limits: {
    batchRequestsMax: 10_000,
    /** Lines of an NDJSON body, with blank ones. Leaves room for a blank line after each request. */
    batchLinesMax: 25_000,
    batchBodyBytes: 32 * MIB,
  },
  rateLimits: { batch: perMinute(10, 100, true) },
  concurrencyLimits: {
    unfinished_batches: {
      unit: 'unfinished batches',
      heldBy: 'batch',
      limits: { starter: 5, pro: 50, enterprise: 500 },
      retryAfterSeconds: 60,
    },
  },
  scopes: ['batch:write'],
  events: { completed: 'batch.completed', failed: 'batch.failed', canceled: 'batch.canceled' },
} as const satisfies GroupDeclaration
