/** Tests the client of `packages/client` against the server, with the flows that every integrator runs. */
import { Vaani } from '@vaani/client'
import { startFlowServer, testClientFlows } from './support/client-flows.ts'

testClientFlows(async () => {
  const server = await startFlowServer()
  return {
    server,
    connect: (apiKey) => new Vaani({ apiKey, baseUrl: server.url }),
    [Symbol.asyncDispose]: () => server.stop(),
  }
})
