import { z } from 'zod'
import { jsonObjectSchema } from '../shared/json.ts'
import { defineRoute } from '../shared/route.ts'
import { textSchema } from '../shared/text.ts'
import { noBody } from '../shared/ts-rest.ts'

const statusSchema = z.object({ status: z.literal('ok') }).meta({ id: 'Health' })

/** Health probes and the OpenAPI document; no key needed. */
export const systemRoutes = {
  health: defineRoute({
    operation: 'system.health',
    method: 'GET',
    path: '/healthz',
    summary: 'Check that the process is alive',
    description: 'Returns 200 while the process runs. Checks no dependency.',
    access: 'public',
    beyondSpecification: true,
    success: { 200: statusSchema },
  }),
  ready: defineRoute({
    operation: 'system.ready',
    method: 'GET',
    path: '/readyz',
    summary: 'Check that the server can take requests',
    description:
      'Returns 503 while the server starts or stops, without its database or the migrations of its version, or if a background ' +
      'loop fails; `details` names each failing check.',
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
    summary: 'Read the OpenAPI document',
    description:
      'Describes the routes that this server serves. Returns 304 if the document still has the `ETag` in `If-None-Match`.',
    access: 'public',
    addressLimit: 'public_documents',
    beyondSpecification: true,
    headers: {
      'if-none-match': textSchema.optional().meta({ description: 'The `ETag` of an earlier response.' }),
    },
    success: { 200: jsonObjectSchema, 304: noBody },
    responseHeaders: {
      etag: 'Changes with the document and its compression.',
      'cache-control': 'How long the document may be cached without revalidation.',
      vary: 'The compression depends on `Accept-Encoding`.',
    },
  }),
} as const
