import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { CliError, usageError } from '../cli-error.ts'
import { isMissing } from '../files/is-missing.ts'
import { configFolder, type Machine } from './config-folder.ts'
import { writePrivateFile } from './private-file.ts'
import { DEFAULT_PROFILE, profileName } from './profile-name.ts'

/** Which service to ask, and with which key. */
export interface Credentials {
  readonly baseUrl: string
  readonly apiKey: string
}

/** Where `npm start` of the repository listens. */
const DEFAULT_BASE_URL = 'http://127.0.0.1:8080'
export const PROFILES_FOLDER = 'profiles'

/** Each profile has a file of its own, so that two logins at a time both last. */
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

/** @returns whether there were any */
export async function removeCredentials(machine: Machine, profile?: string): Promise<boolean> {
  try {
    await rm(configFile(machine, profile))
    return true
  } catch (error) {
    if (!isMissing(error)) throw error
    return false
  }
}

/** The service to ask: a named profile beats the environment, which beats the current profile. */
export async function currentBaseUrl(machine: Machine, named?: string): Promise<string> {
  const given = machine.variables['VAANI_BASE_URL']
  if (given && named === undefined) return given
  const stored = await readStored(machine, await profileName(machine, named))
  return stored?.baseUrl ?? (given || DEFAULT_BASE_URL)
}

/**
 * From a profile that is named, else from `VAANI_API_KEY` and `VAANI_BASE_URL`, else from the current profile.
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
  // A key is shown only to the service that it is of, whatever the environment says.
  if (baseUrl && checkBaseUrl(baseUrl) !== stored.baseUrl)
    throw accessError('the stored key is of another service than VAANI_BASE_URL: set VAANI_API_KEY as well')
  return stored
}

/**
 * As it is stored and compared.
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
 * A key that can be in a header.
 *
 * @param name what to call it; the key is not shown
 * @throws CliError
 */
export function checkApiKey(text: string, name: string): string {
  if (!/^[\u0021-\u007E]+$/.test(text))
    throw usageError(`${name} must be one line of visible ASCII characters`)
  return text
}

const accessError = (message: string): CliError =>
  new CliError(message, { family: 'access', code: 'not_logged_in' })

/** Undefined as well if the file is damaged; `login` repairs it. */
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
    value = JSON.parse(text)
  } catch {
    // Not passed on, because it quotes the text, and so perhaps the key.
    return undefined
  }
  if (typeof value !== 'object' || value === null || !('base_url' in value) || !('api_key' in value))
    return undefined
  const { base_url: baseUrl, api_key: apiKey } = value
  return typeof baseUrl === 'string' && typeof apiKey === 'string' ? { baseUrl, apiKey } : undefined
}
