import { LIMITS } from '../shared/limits.ts'
import { pageSchema } from '../shared/pagination.ts'
import { defineRoute } from '../shared/route.ts'
import { listRefusedQuerySchema, refusalSummarySchema, refusedRequestSchema } from './resources.ts'

/** Refused requests: beyond the specification, with the scope `admin`. */
export const requestRoutes = {
  list: defineRoute({
    operation: 'requests.list',
    method: 'GET',
    path: '/requests',
    summary: 'List refused requests',
    description: `Lists the account’s requests that were refused, in the mode of the key, newest first. They appear after a second, and are kept for ${LIMITS.refusalDays} days. Filters may be combined.`,
    scope: 'admin',
    beyondSpecification: true,
    query: listRefusedQuerySchema,
    success: { 200: pageSchema(refusedRequestSchema) },
  }),
  summary: defineRoute({
    operation: 'requests.summary',
    method: 'GET',
    path: '/requests/summary',
    summary: 'Count refused requests',
    description: 'Counts the refused requests of the last 24 hours by error code and route.',
    scope: 'admin',
    beyondSpecification: true,
    success: { 200: refusalSummarySchema },
  }),
} as const
