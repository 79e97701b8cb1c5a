import { z } from 'zod'
import { jsonObjectSchema } from '../shared/json.ts'
import { defineRoute } from '../shared/route.ts'

const statusSchema = z.object({ status: z.literal('ok') }).meta({ id: 'Health' })

/** What operators and documents read; needs no key. */
export const systemRoutes = {
  health: defineRoute({
    operation: 'system.health',
    method: 'GET',
    path: '/healthz',
    summary: 'Is the process alive',
    description: 'Asks nothing of what the server depends on.',
    access: 'public',
    beyondSpecification: true,
    success: { 200: statusSchema },
  }),
  ready: defineRoute({
    operation: 'system.ready',
    method: 'GET',
    path: '/readyz',
    summary: 'Can the server take requests',
    description:
      '503 while it starts or stops, without its database or the migrations of its version, or if a background loop ' +
      'fails; `details` names each check that fails.',
    access: 'public',
    beyondSpecification: true,
    success: {
      200: z
        .object({ status: z.literal('ok'), checks: z.record(z.string(), z.string()) })
        .meta({ id: 'Readiness' }),
    },
  }),
  openapi: defineRoute({
    operation: 'system.openapi',
    method: 'GET',
    path: '/openapi.json',
    summary: 'The OpenAPI document',
    description: 'Of the routes that this server serves.',
    access: 'public',
    beyondSpecification: true,
    success: { 200: jsonObjectSchema },
  }),
} as const
