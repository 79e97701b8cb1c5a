/** `@vaani/contracts/ts-rest/fastify`: its adapter for Fastify 5. */
export * from '@ts-rest/fastify'
