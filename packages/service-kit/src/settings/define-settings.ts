import { phraseOf } from '@vaani/contracts'
import { z } from 'zod'

/** An environment variable is invalid. The message names variables but never contains their values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly code = 'config_invalid'
}

type Shape = Readonly<Record<string, z.ZodType>>
type Values<Variables extends Shape> = { [Name in keyof Variables]: z.output<Variables[Name]> }
export type Environment = Readonly<Record<string, string | undefined>>

/** The settings that a part of a service reads from the environment. */
export interface Settings<Value extends object> {
  /** Names of its variables. */
  readonly variables: readonly string[]
  /** @throws ConfigError naming each invalid variable */
  read(environment: Environment): Value
}

/**
 * Declares the variables of a part of a service, and how to turn them into its settings.
 *
 * ```ts
 * const settings = defineSettings(
 *   { VAANI_MAX_CALLS: optional(z.coerce.number().int().min(1)) },
 *   ({ VAANI_MAX_CALLS: maxCalls = 100 }) => ({ maxCalls }),
 * )
 * ```
 */
export function defineSettings<Variables extends Shape, Value extends object>(
  variables: Variables,
  toValue: (values: Values<Variables>) => Value,
): Settings<Value> {
  return {
    variables: Object.keys(variables),
    read(environment) {
      const result = z.object(variables).safeParse(environment, { error: phraseOf })
      if (!result.success)
        throw new ConfigError(
          result.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`).join('; '),
        )
      // The output of an object schema consists of the outputs of its fields.
      return toValue(result.data as Values<Variables>)
    },
  }
}

/** Joins settings, so that one error names all invalid variables. */
export function joinSettings<One extends object, Other extends object>(
  one: Settings<One>,
  other: Settings<Other>,
): Settings<One & Other> {
  const twice = one.variables.find((name) => other.variables.includes(name))
  if (twice !== undefined) throw new Error(`Two parts declare the variable ${twice}`)
  return {
    variables: [...one.variables, ...other.variables],
    read(environment) {
      const problems: string[] = []
      const first = attempt(() => one.read(environment), problems)
      const second = attempt(() => other.read(environment), problems)
      if (first === undefined || second === undefined) throw new ConfigError(problems.join('; '))
      return { ...first, ...second }
    },
  }
}

function attempt<Value>(read: () => Value, problems: string[]): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    problems.push(error.message)
    return undefined
  }
}
