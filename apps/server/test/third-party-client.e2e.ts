/** A client that others have made of our OpenAPI document, against the server. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createIntegrator, type Integrator, type ReceivedAnswer } from '@vaani/conformance'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CLIENT_FLOWS_CONFIG } from './support/client-flows.ts'
import { hasFfmpeg, makeVideo, specimenFile } from './support/media-files.ts'
import { startReceiver } from './support/receiver.ts'
import { operationOf, routeOf, servedRoutes } from './support/served-routes.ts'
import { startTestServer } from './support/test-server.ts'

let integrator: Integrator
beforeAll(async () => {
  integrator = await createIntegrator()
  await integrator.generateClient()
})
afterAll(() => integrator?.[Symbol.asyncDispose]())

test('is made of the document and satisfies the strict compiler', async () => {
  await expect(integrator.checkTypes()).resolves.toBe(undefined)
})

describe.skipIf(!hasFfmpeg)('on a tour', () => {
  let answers: ReceivedAnswer[]
  beforeAll(async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'vaani-tour-'))
    await using held = new AsyncDisposableStack()
    held.defer(() => rm(folder, { recursive: true, force: true }))
    const receiver = held.use(await startReceiver())
    const server = held.use(await startTestServer({ config: CLIENT_FLOWS_CONFIG }))
    answers = await integrator.takeTour({
      baseUrl: server.url,
      apiKey: server.key,
      imageFile: specimenFile('passport.jpg'),
      videoFile: makeVideo(folder),
      receiverUrl: `${receiver.url}/hooks`,
    })
  }, 180_000)

  test.each(servedRoutes.map((route) => [operationOf(route), route] as const))(
    '%s is answered as documented',
    (operation, route) => {
      const own = answers.filter(({ method, path }) => {
        const found = routeOf(method, path)
        return found !== undefined && operationOf(found) === operation
      })
      expect(own, 'The tour misses the route').not.toEqual([])
      for (const { status, body } of own) {
        expect(status).toBeLessThan(300)
        expect(Object.keys(route.responses)).toContain(String(status))
        const schema = route.responses[status]
        if (route.metadata.successBody === 'json' && schema instanceof z.ZodType)
          expect(schema.safeParse(body).error).toBe(undefined)
      }
    },
  )
})
