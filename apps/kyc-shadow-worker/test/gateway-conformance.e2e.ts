/** The gateway is held to the contract as the server is: a third party's client calls every route through it. */
import { createIntegrator, type Integrator, OF_UPSTREAMS, type ReceivedAnswer } from '@vaani/conformance'
import { type DocumentedRoute, listRoutes } from '@vaani/contracts/openapi'
import { contract } from '@vaani/contracts'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startReceiver } from '@vaani/test-harness'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startDeployment, specimenPath } from './support/deployments.ts'
import { startGatewayProcess } from './support/gateway-process.ts'

const TOUR_MS = 240_000
let integrator: Integrator
beforeAll(async () => {
  integrator = await createIntegrator()
  await integrator.generateClient()
})
afterAll(() => integrator?.[Symbol.asyncDispose]())

/** Literal segments of a path take precedence over parameters. */
function routeOf({ method, path: asked }: ReceivedAnswer): DocumentedRoute | undefined {
  return listRoutes(contract)
    .filter(
      (route) =>
        route.method === method && new RegExp(`^${route.path.replaceAll(/:[a-z_]+/g, '[^/]+')}$`).test(asked),
    )
    .toSorted((one, other) => one.path.split(':').length - other.path.split(':').length)[0]
}

const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ operationId: z.string() }))),
})

/** Operations that the deployment behind a URL says it serves. */
async function listServed(url: string): Promise<string[]> {
  const { paths } = documentSchema.parse(await (await fetch(`${url}/openapi.json`)).json())
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
}

/** Records someone who reads a text: a voice of the deployment. */
async function recordSpeaker({ url, key }: { url: string; key: string }): Promise<Uint8Array> {
  const text =
    'When the sunlight strikes raindrops in the air, they act as a prism and form a rainbow. The rainbow is a division of white light into many beautiful colors.'
  const answer = await fetch(`${url}/v1/engine/synthesize`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'synth-v1',
      voice: 'alt2',
      pitch_shift: 0.5,
      text,
      enable_watermark: false,
    }),
  })
  expect(answer.status).toBe(200)
  return new Uint8Array(await answer.arrayBuffer())
}

test.each(['shadow-100', 'live'])(
  'at the stage %s every route is answered as documented',
  { timeout: TOUR_MS },
  async (stage) => {
    await using held = new AsyncDisposableStack()
    const directory = await mkdtemp(path.join(tmpdir(), 'conformance-'))
    held.defer(() => rm(directory, { recursive: true }))
    const receiver = held.use(await startReceiver())
    // A tour needs a deployment that nobody has used yet.
    const server = held.use(await startDeployment({ VAANI_IDENTITY_POLICY: 'document-only' }))
    const gateway = held.use(
      await startGatewayProcess({
        VAANI_DATA_DIR: directory,
        VAANI_SHADOW_PRIMARY_URL: server.url,
        VAANI_SHADOW_CANDIDATE_URL: server.url,
        VAANI_SHADOW_INITIAL_STAGE: stage,
      }),
    )
    const url = gateway.url ?? ''
    const recordingFile = path.join(directory, 'speaker.wav')
    await writeFile(recordingFile, await recordSpeaker(server))
    const answers = await integrator.takeTour({
      baseUrl: url,
      apiKey: server.key,
      imageFile: specimenPath('passport.jpg'),
      recordingFile,
      videoFile: specimenPath('liveness.mp4'),
      receiverUrl: `${receiver.url}/hooks`,
    })
    const toured = new Set(answers.map((answer) => routeOf(answer)?.metadata.operation))
    const missed = (await listServed(url)).filter((operation) => !toured.has(operation))
    expect(missed.filter((operation) => !OF_UPSTREAMS.has(operation))).toEqual([])
    for (const answer of answers) {
      const route = routeOf(answer)
      const schema = route?.responses[answer.status]
      expect(answer.status).toBeLessThan(300)
      if (route?.metadata.successBody === 'json' && schema instanceof z.ZodType)
        expect(schema.safeParse(answer.body).error).toBe(undefined)
    }
  },
)
