import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { CliError, usageError } from '../failure/cli-error.ts'
import { isMissing } from '../files/is-missing.ts'
import { configFolder, type Machine } from './config-folder.ts'
import { writePrivateFile } from './private-file.ts'
import { DEFAULT_PROFILE, profileName } from './profile-name.ts'
import { parseJson } from '../input/parse-json.ts'

/** Address of the service, and the key to use with it. */
export interface Credentials {
  readonly baseUrl: string
  readonly apiKey: string
}

/** Address on which `npm start` of the repository listens. */
const DEFAULT_BASE_URL = 'http://127.0.0.1:8080'
export const PROFILES_FOLDER = 'profiles'

/** Returns the file of a profile. Each has its own, so that two simultaneous logins are both kept. */
export const configFile = (machine: Machine, profile = DEFAULT_PROFILE): string =>
  path.join(
    configFolder(machine),
    profile === DEFAULT_PROFILE ? 'config.json' : path.join(PROFILES_FOLDER, `${profile}.json`),
  )

export async function storeCredentials(
  machine: Machine,
  { baseUrl, apiKey }: Credentials,
  profile?: string,
): Promise<void> {
  const text = JSON.stringify({ base_url: baseUrl, api_key: apiKey }, null, 2)
  await writePrivateFile(configFile(machine, profile), `${text}\n`)
}

/** Removes stored credentials. @returns whether there were any */
export async function removeCredentials(machine: Machine, profile?: string): Promise<boolean> {
  try {
    await rm(configFile(machine, profile))
    return true
  } catch (error) {
    if (!isMissing(error)) throw error
    return false
  }
}

/** Returns the address of the service. A named profile overrides the environment, which overrides the current profile. */
export async function currentBaseUrl(machine: Machine, named?: string): Promise<string> {
  const given = machine.variables['VAANI_BASE_URL']
  if (given && named === undefined) return given
  const stored = await readStored(machine, await profileName(machine, named))
  return stored?.baseUrl ?? (given || DEFAULT_BASE_URL)
}

/**
 * Reads credentials from a named profile, else from `VAANI_API_KEY` and `VAANI_BASE_URL`, else from the current profile.
 *
 * @throws CliError if there is no key, or it was stored for another service
 */
export async function readCredentials(machine: Machine, named?: string): Promise<Credentials> {
  const given = named === undefined ? machine.variables : {}
  const { VAANI_API_KEY: apiKey, VAANI_BASE_URL: baseUrl } = given
  if (apiKey)
    return {
      apiKey: checkApiKey(apiKey, 'VAANI_API_KEY'),
      baseUrl: checkBaseUrl(await currentBaseUrl(machine)),
    }
  const profile = await profileName(machine, named)
  const stored = await readStored(machine, profile)
  if (stored === undefined)
    throw accessError(
      profile === DEFAULT_PROFILE
        ? 'there is no API key: run `vaani login`, or set VAANI_API_KEY'
        : `there is no API key in the profile ${profile}: run \`vaani login --profile ${profile}\``,
    )
  // Never send a key to a service other than its own, whatever the environment contains.
  if (baseUrl && checkBaseUrl(baseUrl) !== stored.baseUrl)
    throw accessError(
      'the stored key belongs to a service other than VAANI_BASE_URL: set VAANI_API_KEY as well',
    )
  return stored
}

/**
 * Checks a base URL and returns it in the form in which it is stored and compared.
 *
 * @throws CliError
 */
export function checkBaseUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new CliError('the base URL must be http or https, without credentials', { family: 'usage' })
  return url.href.replace(/\/+$/, '')
}

/**
 * Returns the key if it can be sent in a header.
 *
 * @param name name of the key in the error message, which does not contain the key itself
 * @throws CliError
 */
export function checkApiKey(text: string, name: string): string {
  if (!/^[\u0021-\u007E]+$/.test(text))
    throw usageError(`${name} must be one line of visible ASCII characters`)
  return text
}

const accessError = (message: string): CliError =>
  new CliError(message, { family: 'access', code: 'not_logged_in' })

/** Reads the credentials of a profile; undefined if its file is missing or damaged. `login` repairs a damaged file. */
export async function readStored(machine: Machine, profile: string): Promise<Credentials | undefined> {
  try {
    return parse(await readFile(configFile(machine, profile), 'utf8'))
  } catch (error) {
    if (!isMissing(error)) throw error
    return undefined
  }
}

function parse(text: string): Credentials | undefined {
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    // Drop the error: it quotes the text, which may contain the key.
    return undefined
  }
  if (typeof value !== 'object' || value === null || !('base_url' in value) || !('api_key' in value))
    return undefined
  const { base_url: baseUrl, api_key: apiKey } = value
  return typeof baseUrl === 'string' && typeof apiKey === 'string' ? { baseUrl, apiKey } : undefined
}
