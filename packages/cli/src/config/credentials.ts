import { mkdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { CliError, usageError } from '../cli-error.ts'
import { createNewFile } from '../files/new-file.ts'
import { configFolder, type Machine } from './config-folder.ts'

/** Whom to ask, and as whom. */
export interface Credentials {
  readonly baseUrl: string
  readonly apiKey: string
}

/** Where `npm start` of the repository listens. */
const DEFAULT_BASE_URL = 'http://127.0.0.1:8080'

export const configFile = (machine: Machine): string => path.join(configFolder(machine), 'config.json')

/** Readable by the user only. */
export async function storeCredentials(machine: Machine, { baseUrl, apiKey }: Credentials): Promise<void> {
  const file = configFile(machine)
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await using stored = await createNewFile(file, { mode: 0o600 })
  await stored.handle.writeFile(`${JSON.stringify({ base_url: baseUrl, api_key: apiKey }, null, 2)}\n`)
  await stored.commit()
}

export async function removeCredentials(machine: Machine): Promise<void> {
  await rm(configFile(machine), { force: true })
}

/** The service that is talked to where nothing else is said. */
export async function currentBaseUrl(machine: Machine): Promise<string> {
  return machine.variables['VAANI_BASE_URL'] || (await readStored(machine))?.baseUrl || DEFAULT_BASE_URL
}

/**
 * From `VAANI_API_KEY` and `VAANI_BASE_URL`, else from what `login` stored.
 *
 * @throws CliError where there is no key, or it was stored for another service
 */
export async function readCredentials(machine: Machine): Promise<Credentials> {
  const apiKey = machine.variables['VAANI_API_KEY']
  const baseUrl = machine.variables['VAANI_BASE_URL']
  if (apiKey)
    return {
      apiKey: checkApiKey(apiKey, 'VAANI_API_KEY'),
      baseUrl: checkBaseUrl(await currentBaseUrl(machine)),
    }
  const stored = await readStored(machine)
  if (stored === undefined) throw accessError('there is no API key: run `vaani login`, or set VAANI_API_KEY')
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

/** Nothing also where the file is damaged, which `login` mends. */
async function readStored(machine: Machine): Promise<Credentials | undefined> {
  try {
    return parse(await readFile(configFile(machine), 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function parse(text: string): Credentials | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Not passed on, as it quotes the text, and so perhaps the key.
    return undefined
  }
  if (typeof value !== 'object' || value === null || !('base_url' in value) || !('api_key' in value))
    return undefined
  const { base_url: baseUrl, api_key: apiKey } = value
  return typeof baseUrl === 'string' && typeof apiKey === 'string' ? { baseUrl, apiKey } : undefined
}
