import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { requireDetection, requireJudgement } from '../engine-answers.ts'
import { EngineError } from '../engine/engine-error.ts'
import type { FaceEngine } from '../faces/face-engine.ts'
import type { LivenessEngine } from '../liveness/liveness-engine.ts'

const MAX_REASON_LENGTH = 300

/**
 * Loads the operator's module, calls the function that it exports as `default` or `createEngine`, and asks the engine about no
 * pictures, to validate the form of its answers.
 *
 * @param file path, relative to the working directory
 * @throws EngineError `module_unusable`, `answer_invalid`, naming what is wrong
 */
export async function loadLivenessModule(file: string): Promise<LivenessEngine> {
  const engine = await createEngine(file)
  if (!hasMethod(engine, 'judge')) throw unusable(file, 'created an engine without the method judge')
  const judge: LivenessEngine['judge'] = async (frames) => requireJudgement(await engine.judge(frames))
  await tryOut(file, () => judge([]))
  return { judge, [Symbol.asyncDispose]: () => dispose(engine) }
}

/** Like `loadLivenessModule`. */
export async function loadFaceModule(file: string): Promise<FaceEngine> {
  const engine = await createEngine(file)
  if (!hasMethod(engine, 'detect')) throw unusable(file, 'created an engine without the method detect')
  if (!hasMethod(engine, 'similarity'))
    throw unusable(file, 'created an engine without the method similarity')
  const detect: FaceEngine['detect'] = async (pictures) =>
    requireDetection(await engine.detect(pictures), pictures.length)
  await tryOut(file, () => detect([]))
  return {
    detect,
    similarity: (one, other) => Number(engine.similarity(one, other)),
    [Symbol.asyncDispose]: () => dispose(engine),
  }
}

async function createEngine(file: string): Promise<unknown> {
  const module: unknown = await import(pathToFileURL(path.resolve(file)).href).catch((error: unknown) => {
    throw unusable(file, `could not be loaded: ${reasonOf(error)}`, error)
  })
  const create = hasMethod(module, 'default')
    ? module.default
    : hasMethod(module, 'createEngine')
      ? module.createEngine
      : undefined
  if (create === undefined) throw unusable(file, 'exports no function as default or createEngine')
  try {
    return await create()
  } catch (error) {
    throw unusable(file, `could not create its engine: ${reasonOf(error)}`, error)
  }
}

async function tryOut(file: string, ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask()
  } catch (error) {
    const reason = error instanceof EngineError ? error.message : reasonOf(error)
    throw unusable(file, `failed when asked about no pictures: ${reason}`, error)
  }
}

function hasMethod<Name extends string | symbol>(
  value: unknown,
  name: Name,
): value is Record<Name, (...values: unknown[]) => unknown> {
  return isObject(value) && name in value && typeof Reflect.get(value, name) === 'function'
}

async function dispose(engine: object): Promise<void> {
  if (hasMethod(engine, Symbol.asyncDispose)) await engine[Symbol.asyncDispose]()
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Quoted only while the module is loaded, when no media is present. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : 'it threw no error').slice(0, MAX_REASON_LENGTH)

const unusable = (file: string, problem: string, cause?: unknown): EngineError =>
  new EngineError('module_unusable', `The module ${path.basename(file)} ${problem}`, cause)
