/** The client of `packages/client` against the server: what every integrator does. */
import { Vaani } from '@vaani/client'
import { CLIENT_FLOWS_CONFIG, testClientFlows } from './support/client-flows.ts'
import { startTestServer } from './support/test-server.ts'

testClientFlows(async () => {
  const server = await startTestServer({ config: CLIENT_FLOWS_CONFIG })
  return {
    server,
    connect: (apiKey) => new Vaani({ apiKey, baseUrl: server.url }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})
