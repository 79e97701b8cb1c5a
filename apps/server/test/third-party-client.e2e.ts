/** A client that a third-party tool generates from our OpenAPI document, against the server. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createIntegrator, type Integrator, type ReceivedAnswer } from '@vaani/conformance'
import { startReceiver } from '@vaani/test-harness'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startFlowServer } from './support/client-flows.ts'
import { recordSpeaker } from './support/recordings.ts'
import { operationOf, routeOf, servedRoutes } from './support/served-routes.ts'
import { specimenPath } from './support/specimen-path.ts'

let integrator: Integrator
beforeAll(async () => {
  integrator = await createIntegrator()
  await integrator.generateClient()
})
afterAll(() => integrator?.[Symbol.asyncDispose]())

test('is generated from the document and passes the strict compiler', async () => {
  await expect(integrator.checkTypes()).resolves.toBe(undefined)
})

// What the other tests receive is held to the same document.
thorough({ usual: describe.skip, long: describe })('on a tour', () => {
  let answers: ReceivedAnswer[]
  beforeAll(async () => {
    await using receiver = await startReceiver()
    await using server = await startFlowServer()
    await using held = new AsyncDisposableStack()
    const folder = await mkdtemp(path.join(tmpdir(), 'vaani-tour-'))
    held.defer(() => rm(folder, { recursive: true }))
    const recordingFile = path.join(folder, 'speaker.wav')
    await writeFile(recordingFile, await recordSpeaker('woman'))
    answers = await integrator.takeTour({
      baseUrl: server.url,
      apiKey: server.key,
      imageFile: specimenPath('passport.jpg'),
      recordingFile,
      videoFile: specimenPath('liveness.mp4'),
      receiverUrl: `${receiver.url}/hooks`,
    })
  })

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
