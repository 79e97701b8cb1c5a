import { OF_UPSTREAMS } from '@vaani/conformance'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fuzzRoute } from '../fuzz/fuzz-route.ts'
import { FOR_LIVE_KEYS } from '../fuzz/predict.ts'
import { createWorld, type World } from '../fuzz/world.ts'
import { servedRoutes } from './support/served-routes.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

/** Fuzzes every route: no request may cause a 5xx or a hang, and every response must conform to the contract. */
const COUNT = Number(process.env['FUZZ_COUNT'] ?? thorough({ usual: 1200, long: 10_000 }))
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_120)
const EACH = Math.ceil(COUNT / servedRoutes.length)
/** With this many requests, each route answers at least one with a success. */
const ENOUGH = 150
/** Operations that never succeed here, because nothing is recorded, no media is real, keys are of test mode, and hardly any language has a lexicon. */
const NEVER_SUCCEEDS = new Set([
  ...FOR_LIVE_KEYS,
  'calls.recording',
  'calls.transcript',
  'calls.removeRecording',
  'identity.submitV1',
  'identity.submitV2',
  'watermark.detect',
  'models.ocr',
  ...OF_UPSTREAMS,
  'voices.clone',
  'synthesis.clone',
  'lexicons.retrieve',
  'lexicons.remove',
  'models.retrieve',
  'reviews.media',
  'reviews.frames',
])
/** Ends a campaign that hangs, scaled with its number of requests. */
const ROUTE_TIMEOUT_MS = 600_000 + EACH * 100

let server: TestServer
let world: World
beforeAll(async () => {
  server = await startTestServer({
    config: { roles: new Set(['api']), trustedProxies: ['127.0.0.0/8'], callbackAllowCidrs: ['127.0.0.0/8'] },
  })
  world = await createWorld(server)
})
afterAll(() => server[Symbol.asyncDispose]())

/** Lists the methods of the path, including those of routes with a parameter that matches it. */
const mountedOn = (path: string) =>
  new Set(
    servedRoutes
      .filter((route) => new RegExp(`^${route.path.replaceAll(/:[a-z_]+/g, '[^/]+')}$`).test(path))
      .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
  )

describe('fuzzed requests for', () => {
  test.each(servedRoutes.map((route) => [route.metadata.operation, route] as const))(
    '%s',
    async (_, route) => {
      const report = await fuzzRoute({
        world,
        route,
        mounted: mountedOn(route.path),
        count: EACH,
        seed: SEED,
      })
      process.stdout.write(
        `${report.operation} ${report.sent} ${JSON.stringify(Object.fromEntries(report.statuses))}\n`,
      )
      expect(report.findings).toEqual([])
      // Otherwise the requests would never get past validation.
      if (EACH >= ENOUGH && !NEVER_SUCCEEDS.has(report.operation))
        expect([...report.statuses.keys()]).toContainEqual(expect.stringMatching(/^2/))
    },
    ROUTE_TIMEOUT_MS,
  )
})
