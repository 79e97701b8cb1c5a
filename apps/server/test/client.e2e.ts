/** The client of `packages/client` against the server: what every integrator does. */
import { Vaani } from '@vaani/client'
import { testClientFlows } from './support/client-flows.ts'
import { startTestServer } from './support/test-server.ts'

testClientFlows(async () => {
  const server = await startTestServer({ config: { identityPolicy: 'document-only' } })
  return {
    server,
    connect: (apiKey) => new Vaani({ apiKey, baseUrl: server.url }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})
