/** Checks with engines of modules and of servers, in the processes of a runner. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runTool } from '@vaani/test-services/run-tool'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hasFfmpeg } from '../../test/media.ts'
import { type EngineService, SECRET, startEngineService } from '../../test/engine-service.ts'
import { CHECK_NAMES, type CheckResult } from '../check.ts'
import type { EngineSettings } from '../load-engines.ts'
import { type CheckRunnerOptions, createCheckRunner } from './check-runner.ts'
import type { JobTrouble } from './job-runner.ts'
import { createRemoteSteps } from './remote-steps.ts'

const OURS = ['face_presence', 'face_match', 'liveness'] as const
const known = CHECK_NAMES.filter((name) => !OURS.some((one) => one === name))
const adapter = path.resolve(import.meta.dirname, '../../test/colour-adapter.ts')

let folder: string
let service: EngineService
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-remote-'))
  service = await startEngineService()
  if (!hasFfmpeg) return
  make('video.mp4', 'color=c=0x10f010:size=320x320:rate=15', ['-t', '4', '-pix_fmt', 'yuv420p'])
  make('card.png', 'color=c=0xff3c28:size=320x240', ['-frames:v', '1'])
})
afterEach(() => {
  service.next.length = 0
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

function make(name: string, source: string, output: readonly string[]): void {
  runTool('ffmpeg', ['-f', 'lavfi', '-i', source, ...output, path.join(folder, name)])
}

function open(engines: EngineSettings, limits: CheckRunnerOptions['limits'] = {}) {
  const troubles: JobTrouble[] = []
  const onTrouble = (one: JobTrouble) => void troubles.push(one)
  // Without templates, so that no print is looked for in the picture.
  const runner = createCheckRunner({ places: 2, engines, limits, templates: [], onTrouble })
  const results = new Map<string, CheckResult>()
  return {
    runner,
    troubles,
    results,
    run: () =>
      runner.run({
        owner: 'a',
        files: {
          frontImage: path.join(folder, 'card.png'),
          backImage: null,
          livenessVideo: path.join(folder, 'video.mp4'),
          referencePortrait: null,
        },
        today: '2026-11-21',
        known,
        tell: (result) => void results.set(result.check, result),
      }),
  }
}

const cut = (response: ServerResponse) => response.destroy()
const framesOf = (body: string) => JSON.parse(body).frames.map((one: { time_ms: number }) => one.time_ms)

describe('a runner with engines of the operator', { tags: 'ffmpeg' }, () => {
  test('runs those of a module, on frames of the whole video', async () => {
    const { runner, results, run } = open({ face: adapter, liveness: adapter })
    await using _ = runner
    await runner.prepare()
    await run()
    expect(results.get('liveness')).toMatchObject({
      outcome: 'passed',
      model: 'colours/1',
      evidence: { frames: 8 },
    })
    expect(results.get('face_presence')).toMatchObject({ outcome: 'failed', code: 'no_face' })
  })

  test('asks those of a server, with the same results, and leaves checks open while it is away', async () => {
    const { runner, results, troubles, run } = open({
      face: service.url,
      liveness: service.url,
      secret: SECRET,
    })
    await using _ = runner
    service.next.push(cut, cut, cut)
    // Away at the start, which may pass by itself.
    await runner.prepare()
    const message = `The connection to the engine at ${new URL(service.url).host} failed`
    const away = { end: 'unavailable', engineProblem: message }
    expect(troubles.splice(0)).toEqual([{ ...away, job: 'faces' }])

    const from = service.received.length
    await run()
    expect(results.get('liveness')).toMatchObject({
      outcome: 'passed',
      model: 'colours/1',
      evidence: { frames: 8 },
    })
    expect(results.get('face_presence')).toMatchObject({ outcome: 'failed', code: 'no_face' })
    const [faces, liveness] = service.received.slice(from).map(({ body }) => body)
    // Four of the video, and the document in each turn, because nothing on it shows how it lies.
    expect(JSON.parse(faces ?? '').pictures).toHaveLength(8)
    expect(framesOf(liveness ?? '')).toEqual([0, 500, 1000, 1500, 2000, 2500, 3000, 3500])
    expect(troubles).toEqual([])

    service.next.push((response) => response.end('{"model":"m/1","match":83}'), cut, cut, cut)
    await run()
    expect(results.get('face_match')).toMatchObject({ outcome: 'warning', code: 'check_failed' })
    expect(results.get('liveness')).toMatchObject({ outcome: 'warning', code: 'engine_unavailable' })
    expect(troubles).toEqual([
      { job: 'faces', end: 'failed', engineProblem: expect.stringContaining('min_confidence') },
      { ...away, job: 'liveness' },
    ])
  })

  test('a server that refuses the signature is reported before the first verification', async () => {
    const { runner } = open({ liveness: service.url, secret: 'a secret of another server' })
    await using _ = runner
    await expect(runner.prepare()).rejects.toMatchObject({
      name: 'CheckRunError',
      code: 'engine',
      message: expect.stringContaining('answered 401'),
    })
  })

  test('disposal ends a wait for a server', async () => {
    const { runner, run } = open({ liveness: service.url, secret: SECRET })
    const asked = Promise.withResolvers<unknown>()
    service.next.push(asked.resolve)
    const running = expect(run()).rejects.toMatchObject({ name: 'CheckRunError', code: 'failed' })
    await asked.promise
    await runner[Symbol.asyncDispose]()
    await running
  })

  test('ends a module that never answers, and leaves its check open', async () => {
    const liveness = path.join(folder, 'stuck.mjs')
    const judgement = `{ model: 'm/1', score: null, thresholds: { passed: 1, warning: 0 } }`
    await writeFile(
      liveness,
      `export default () => ({ judge: (frames) => frames.length === 0 ? ${judgement} : new Promise(() => {}) })`,
    )
    const limits = { liveness: { processorMs: 60_000, wallMs: 1000, memoryMb: 1024 } }
    const { runner, results, run } = open({ liveness }, limits)
    await using _ = runner
    await run()
    expect(results.get('liveness')).toMatchObject({ outcome: 'warning', code: 'check_timed_out' })
  })
})

test('names a module that is missing before the first verification', async () => {
  const { runner } = open({ liveness: '/nowhere/missing.mjs' })
  await using _ = runner
  await expect(runner.prepare()).rejects.toMatchObject({
    code: 'engine',
    message: expect.stringContaining('The module missing.mjs could not be loaded'),
  })
})

test.each([
  [{ liveness: 'http://127.0.0.1:9/' }, 'secret'],
  [{ liveness: './engine.wasm' }, 'must be a path'],
])('refuses the settings %o at once', (engines, problem) => {
  expect(() => createCheckRunner({ places: 2, engines })).toThrow(problem)
})

test('gives the processes of the checks neither the secret nor the URL', async () => {
  await using remote = createRemoteSteps({
    face: 'face-api',
    liveness: service.url,
    directory: '/e',
    secret: SECRET,
  })
  expect(remote.local).toEqual({ face: 'face-api', directory: '/e' })
  expect([...remote.steps.keys()]).toEqual(['liveness'])
})
