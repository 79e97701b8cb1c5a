import { contract, SOCKETS } from '@vaani/contracts'
import { listRoutes } from '@vaani/contracts/openapi'
import { defineFeature, handle } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import type { RequestsContext } from './context.ts'
import { declareRequestMetrics, type RequestMetrics } from './metrics.ts'
import * as refusedRequests from './migrations/0047-refused-requests.ts'
import { createRefusalLog } from './refusal-log.ts'
import { listRefusedRequests } from './routes/list.ts'
import { summarizeRefusals } from './routes/summary.ts'
import { createFieldFilter } from './rules/known-fields.ts'
import { createRefusalStore } from './store.ts'

type Needs = Pick<Services, 'clock' | 'database' | 'held' | 'log' | 'makeId'> & { metrics: RequestMetrics }

/** Requests of accounts that were refused. */
export const requestsFeature = defineFeature({
  name: 'requests',
  contract: { requests: contract.requests },
  migrations: { '0047-refused-requests': refusedRequests },
  metrics: declareRequestMetrics,
  async start({ clock, database, held, log, makeId, metrics }: Needs) {
    const store = createRefusalStore({ database, clock })
    const sockets = Object.values(SOCKETS).map(({ upgrade }) => upgrade)
    const filterField = createFieldFilter([...listRoutes(contract), ...sockets])
    const refusals = createRefusalLog({ store, filterField, clock, makeId, log, metrics })
    held.defer(() => refusals.close())
    const context: RequestsContext = { store, clock }
    return {
      mounts: [
        handle(contract.requests, {
          list: listRefusedRequests(context),
          summary: summarizeRefusals(context),
        }),
      ],
      port: undefined,
      onRefusal: refusals.note,
      sweeps: { 'refused requests': () => store.sweep() },
    }
  },
})
