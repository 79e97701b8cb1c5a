import path from 'node:path'
import type { EngineSettings } from '@vaani/identity-checks'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import { readSettingsFile } from '@vaani/service-kit/settings/read-settings-file'
import { z } from 'zod'
import type { IdentitySettings } from './settings.ts'

export const ENGINES_VARIABLE = 'VAANI_IDENTITY_ENGINES_FILE'

const text = z.string().min(1)
/** Engines by name, each as in `VAANI_FACE_ENGINE`; a path is relative to the file. */
const enginesSchema = z.record(
  z.string().regex(/^[a-z0-9-]{1,64}$/, { error: 'must be 1 to 64 of a-z, 0-9 and -' }),
  text,
)
const choiceSchema = z.strictObject({ face: text.optional(), liveness: text.optional() })
const fileSchema = z
  .strictObject({
    face: enginesSchema.default({}),
    liveness: enginesSchema.default({}),
    test: choiceSchema.default({}),
    live: choiceSchema.default({}),
  })
  .check(({ value, issues }) => {
    for (const mode of ['test', 'live'] as const)
      for (const kind of ['face', 'liveness'] as const) {
        const name = value[mode][kind]
        if (name !== undefined && !Object.hasOwn(value[kind], name))
          issues.push({
            code: 'custom',
            path: [mode, kind],
            message: `names no engine of ${kind}`,
            input: undefined,
          })
      }
  })

/** The engines of each mode. The same object for both if they do not differ. */
export interface EnginesByMode {
  readonly test: EngineSettings
  readonly live: EngineSettings
}

/**
 * Returns the engines that the settings or the operator's file name. Those of the settings serve both modes.
 *
 * @throws ConfigError that names each invalid member, without its value
 */
export async function readEngines({ engines, enginesFile }: IdentitySettings): Promise<EnginesByMode> {
  if (enginesFile === undefined) return { test: engines, live: engines }
  if ((engines.face ?? engines.liveness) !== undefined)
    throw new ConfigError(
      `${ENGINES_VARIABLE} replaces VAANI_FACE_ENGINE and VAANI_LIVENESS_ENGINE: set it, or set them`,
    )
  const file = await readSettingsFile(ENGINES_VARIABLE, enginesFile, fileSchema)
  const folder = path.dirname(path.resolve(enginesFile))
  const pathsFrom = (engine: string | undefined): string | undefined =>
    engine === undefined || !/\.(?:json|[cm]?[jt]s)$/.test(engine) || /^https?:/i.test(engine)
      ? engine
      : path.resolve(folder, engine)
  const toSettings = ({ face = '', liveness = '' }: z.output<typeof choiceSchema>): EngineSettings => ({
    ...engines,
    face: pathsFrom(file.face[face]),
    liveness: pathsFrom(file.liveness[liveness]),
  })
  const [test, live] = [toSettings(file.test), toSettings(file.live)]
  return test.face === live.face && test.liveness === live.liveness ? { test, live: test } : { test, live }
}
