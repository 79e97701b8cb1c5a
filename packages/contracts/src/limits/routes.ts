import { defineRoute } from '../shared/route.ts'
import { limitUseSchema } from './resources.ts'

/** Use against limits: beyond the specification, with any key. */
export const limitRoutes = {
  retrieve: defineRoute({
    operation: 'limits.retrieve',
    method: 'GET',
    path: '/v1/limits',
    summary: 'Read use against limits',
    description:
      'Returns every limit that applies to the key, its account and its tier in the mode of the key, and what is used of it. Reading counts toward no limit.',
    beyondSpecification: true,
    success: { 200: limitUseSchema },
  }),
} as const
