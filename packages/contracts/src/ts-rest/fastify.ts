/** `@vaani/contracts/ts-rest/fastify`: the ts-rest adapter for Fastify 5. */
export * from '@ts-rest/fastify'
