import { readFile } from 'node:fs/promises'
import { readInput } from '@vaani/contracts'
import type { z } from 'zod'
import { skipByteOrderMark } from '../byte-order-mark.ts'
import { ConfigError } from './define-settings.ts'

/**
 * Reads an operator's JSON file. `null` for a member that does not take it counts as absent.
 *
 * @param variable names the setting in errors, which name each invalid member without its value
 * @param findMore finds what else is wrong with a value that the schema refuses, which checks no meaning then
 * @throws ConfigError
 */
export async function readSettingsFile<Schema extends z.ZodType>(
  variable: string,
  file: string,
  schema: Schema,
  findMore: (value: unknown) => readonly string[] = () => [],
): Promise<z.output<Schema>> {
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`${variable} cannot be read (${error.code})`)
  })
  const value = parseJson(variable, content)
  const result = readInput(schema, value)
  if (result.success) return result.data
  const problems = [...result.error.issues.map(problemOf), ...findMore(value)]
  throw new ConfigError(`${variable} ${problems.join('; ')}`)
}

function problemOf(issue: z.core.$ZodIssue): string {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const steps = [...issue.path, ...unknown]
  return steps.length === 0 ? issue.message : `${steps.join('.')}: ${issue.message}`
}

function parseJson(variable: string, content: string): unknown {
  try {
    return JSON.parse(skipByteOrderMark(content))
  } catch {
    throw new ConfigError(`${variable} is not JSON`)
  }
}
