import { readFile } from 'node:fs/promises'
import type { z } from 'zod'
import { ConfigError } from './define-settings.ts'

/**
 * Reads an operator's JSON file.
 *
 * @param variable names the setting in errors, which name each invalid member without its value
 * @throws ConfigError
 */
export async function readSettingsFile<Schema extends z.ZodType>(
  variable: string,
  file: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`${variable} cannot be read (${error.code})`)
  })
  const result = schema.safeParse(parseJson(variable, content))
  if (result.success) return result.data
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new ConfigError(`${variable} ${problems.join('; ')}`)
}

function parseJson(variable: string, content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    throw new ConfigError(`${variable} is not JSON`)
  }
}
