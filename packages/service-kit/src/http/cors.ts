import cors from '@fastify/cors'
import { contract } from '@vaani/contracts'
import { listRoutes } from '@vaani/contracts/openapi'
import type { FastifyInstance } from 'fastify'

/** The longest time that browsers cache a preflight response. */
const MAX_AGE_SECONDS = 7200

/** Lets pages of these origins, or of any with `*`, use the server. Keys are sent in a header, so no cookies are needed. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return
  await app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: [...new Set(listRoutes(contract).map(({ method }) => method))],
    exposedHeaders: '*',
    maxAge: MAX_AGE_SECONDS,
    // The plugin's response to invalid preflights would not be our error body.
    strictPreflight: false,
  })
}
