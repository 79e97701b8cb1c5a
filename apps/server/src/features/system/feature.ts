import { contract } from '@vaani/contracts'
import { listRoutes } from '@vaani/contracts/openapi'
import { serveMade } from '@vaani/service-kit/http/inner/serve-made'
import { mountMade } from '@vaani/service-kit/http/ts-rest'
import { defineFeature, handle, type Mount } from '@vaani/service-kit/service/define-feature'
import { mountReference } from './api-reference.ts'
import type { SystemContext } from './context.ts'
import { readServer } from './routes/ready.ts'
import { servedDocument } from './served-document.ts'

const { openapi, ...probes } = contract.system

/** Health and readiness probes, the OpenAPI document and the API reference. */
export const systemFeature = defineFeature({
  name: 'system',
  contract: { system: contract.system },
  start: async (context: SystemContext) => ({
    mounts: [
      handle(probes, {
        health: async () => ({ status: 200, body: { status: 'ok' } }),
        ready: readServer(context),
      }),
      mountDocument,
      mountReference,
    ],
    port: undefined,
  }),
})

const mountDocument: Mount = async (app, served) => {
  const operations = new Set(listRoutes(served).map(({ metadata }) => metadata.operation))
  const make = () => Buffer.from(JSON.stringify(servedDocument(operations)))
  mountMade(app, openapi, serveMade('application/json; charset=utf-8', make))
}
