import { Vaani } from '@vaani/client'
import { startPrism, readViolations } from '@vaani/conformance'
import { testClientFlows } from './support/client-flows.ts'
import { startTestServer } from './support/test-server.ts'

testClientFlows(async () => {
  const server = await startTestServer({ config: { identityPolicy: 'document-only' } })
  const prism = await startPrism({ upstream: server.url })
  return {
    server,
    connect: (apiKey) =>
      new Vaani({
        apiKey,
        baseUrl: prism.url,
        streamUploads: false,
        fetch: async (url, init) => {
          const response = await fetch(url, init)
          if (response.status === 400) console.log(await response.clone().text(), prism.log().slice(-1500))
          const v = readViolations(response.headers)
          console.log(
            init.method,
            url.replace(prism.url, ''),
            response.status,
            response.headers.get('content-type'),
            JSON.stringify(v),
          )
          return response
        },
      }),
    async [Symbol.asyncDispose]() {
      await prism[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
})
