import { CliError } from '../failure/cli-error.ts'
import { checkApiKey, checkBaseUrl, type Credentials, readCredentials } from './credentials.ts'
import type { Machine } from './config-folder.ts'

/** Address on which a migration worker listens by default. */
const DEFAULT_BASE_URL = 'http://127.0.0.1:8091'

/**
 * Reads the address and the admin key of the migration worker from a named profile, else from `VAANI_SHADOW_URL` and
 * `VAANI_SHADOW_API_KEY`. Never uses the current profile, whose key belongs to another service.
 *
 * @throws CliError if there is no key
 */
export async function readShadowCredentials(
  machine: Machine,
  named: string | undefined,
): Promise<Credentials> {
  if (named !== undefined) return readCredentials(machine, named)
  const { VAANI_SHADOW_API_KEY: apiKey, VAANI_SHADOW_URL: baseUrl } = machine.variables
  if (!apiKey)
    throw new CliError(
      'there is no admin key of a migration worker: set VAANI_SHADOW_API_KEY, or name a profile with --profile',
      { family: 'access', code: 'not_logged_in' },
    )
  return {
    apiKey: checkApiKey(apiKey, 'VAANI_SHADOW_API_KEY'),
    baseUrl: checkBaseUrl(baseUrl || DEFAULT_BASE_URL),
  }
}
