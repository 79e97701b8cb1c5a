export * from '@ts-rest/fastify'
