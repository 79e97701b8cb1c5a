import {
  CheckRunError,
  type CheckRunner,
  type CheckRunnerOptions,
  createCheckRunner,
  type EngineSettings,
} from '@vaani/identity-checks'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import type { Runners } from './check-verification.ts'
import { ENGINES_VARIABLE, readEngines } from './engines-file.ts'
import type { IdentitySettings } from './settings.ts'

type Variables = Readonly<Record<(typeof KINDS)[number], string>>

const KINDS = ['face', 'liveness', 'photoReader'] as const
const VARIABLES: Variables = {
  face: 'VAANI_FACE_ENGINE',
  liveness: 'VAANI_LIVENESS_ENGINE',
  photoReader: 'VAANI_PHOTO_READER',
}
const OF_FILE: Variables = {
  ...VARIABLES,
  face: `${ENGINES_VARIABLE} face`,
  liveness: `${ENGINES_VARIABLE} liveness`,
}

/**
 * Starts the runner of each mode; one for both if their engines do not differ.
 *
 * @throws ConfigError that names the variable of an engine that cannot be used, instead of failing in each verification
 */
export async function startRunners({
  settings,
  held,
  ...options
}: Omit<CheckRunnerOptions, 'engines'> & {
  settings: IdentitySettings
  held: AsyncDisposableStack
}): Promise<Runners<CheckRunner>> {
  const engines = await readEngines(settings)
  const variables = settings.enginesFile === undefined ? VARIABLES : OF_FILE
  const start = async (own: EngineSettings) =>
    held.use(await startRunner({ ...options, engines: own }, variables))
  const test = await start(engines.test)
  return { test, live: engines.live === engines.test ? test : await start(engines.live) }
}

async function startRunner(
  options: CheckRunnerOptions & { engines: EngineSettings },
  variables: Variables,
): Promise<CheckRunner> {
  const kinds = KINDS.filter((kind) => options.engines[kind] !== undefined)
  const problem = (names: readonly string[], { message }: Error) =>
    new ConfigError(`${names.join(' or ')}: ${message}`)
  const started = await tryToStart(options)
  if (!(started instanceof CheckRunError)) return started
  // Which of several it is shows if each is tried alone.
  if (kinds.length > 1)
    for (const kind of kinds) {
      const others = Object.fromEntries(kinds.filter((one) => one !== kind).map((one) => [one, undefined]))
      const alone = await tryToStart({ places: options.places, engines: { ...options.engines, ...others } })
      if (alone instanceof CheckRunError) throw problem([variables[kind]], alone)
      await alone[Symbol.asyncDispose]()
    }
  throw problem(
    kinds.map((kind) => variables[kind]),
    started,
  )
}

/** Starts a runner and, if it has any, its engines. Returns why they cannot be used. */
async function tryToStart(options: CheckRunnerOptions): Promise<CheckRunner | CheckRunError> {
  await using held = new AsyncDisposableStack()
  try {
    const runner = held.use(createCheckRunner(options))
    if (KINDS.some((kind) => options.engines?.[kind] !== undefined)) await runner.prepare()
    held.move()
    return runner
  } catch (error) {
    if (error instanceof CheckRunError) return error
    throw error
  }
}
