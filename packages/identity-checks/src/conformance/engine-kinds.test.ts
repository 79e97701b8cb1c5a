/** Runs the conformance tests on engines of modules and of servers. */
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { createHttpFaceEngine, createHttpLivenessEngine } from '../http/http-engines.ts'
import { loadFaceModule, loadLivenessModule } from '../modules/load-module.ts'
import { COLOUR_FACES, COLOUR_FILMS } from '../../test/colour-pictures.ts'
import { type EngineService, SECRET, startEngineService } from '../../test/engine-service.ts'
import { runFaceEngineConformance } from './face-engine.ts'
import { runLivenessEngineConformance } from './liveness-engine.ts'

const file = path.resolve(import.meta.dirname, '../../test/colour-adapter.ts')
runFaceEngineConformance({
  name: 'a module',
  createEngine: () => loadFaceModule(file),
  pictures: COLOUR_FACES,
})
runLivenessEngineConformance({
  name: 'a module',
  createEngine: () => loadLivenessModule(file),
  ...COLOUR_FILMS,
})

let service: EngineService
beforeAll(async () => {
  service = await startEngineService()
})
afterAll(() => service[Symbol.asyncDispose]())
runFaceEngineConformance({
  name: 'a server',
  createEngine: () => createHttpFaceEngine({ url: service.url, secret: SECRET }),
  pictures: COLOUR_FACES,
})
runLivenessEngineConformance({
  name: 'a server',
  createEngine: () => createHttpLivenessEngine({ url: service.url, secret: SECRET }),
  ...COLOUR_FILMS,
})
