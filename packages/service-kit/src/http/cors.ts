import cors from '@fastify/cors'
import { contract } from '@vaani/contracts'
import { listRoutes } from '@vaani/contracts/openapi'
import type { FastifyInstance } from 'fastify'

/** What browsers keep an answer to a preflight for at most. */
const MAX_AGE_SECONDS = 7200

/** Lets pages of these origins use the server, or of any with `*`. Keys are headers, so no cookies go along. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return
  await app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: [...new Set(listRoutes(contract).map(({ method }) => method))],
    exposedHeaders: '*',
    maxAge: MAX_AGE_SECONDS,
    // Its answer to what is no preflight would not be our error body.
    strictPreflight: false,
  })
}
