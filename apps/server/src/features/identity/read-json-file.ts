import { readFile } from 'node:fs/promises'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'

/**
 * Reads a JSON file that a setting names.
 *
 * @throws ConfigError that begins with `what`
 */
export async function readJsonFile(file: string, what: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`${what} cannot be read (${error.code})`)
  })
  try {
    return JSON.parse(text)
  } catch {
    throw new ConfigError(`${what} is not JSON`)
  }
}
