import { ApiError } from '@vaani/client'
import { createMigration } from '@vaani/client/migration'
import { usageError } from '../failure/cli-error.ts'
import type { Cli } from '../cli.ts'
import { ask } from '../config/ask.ts'
import {
  checkApiKey,
  checkBaseUrl,
  configFile,
  currentBaseUrl,
  type Credentials,
  storeCredentials,
} from '../config/credentials.ts'
import { profileName } from '../config/profile-name.ts'
import { type CliCommand, createCommand } from '../create-command.ts'
import { readText } from '../files/read-text.ts'

const MAX_KEY_BYTES = 1000

/** `vaani login` */
export const login: CliCommand = (cli) =>
  createCommand(cli, 'login')
    .description('Check an API key and store it for later commands')
    .option('--base-url <url>', 'URL of the service; asked for if not given')
    .option('--key-stdin', 'read the key from standard input instead of asking for it')
    .action(async ({ baseUrl, keyStdin }) => {
      const { environment, output } = cli
      const profile = await profileName(environment, cli.profile())
      const credentials = await (keyStdin ? readKey(cli, baseUrl) : askForKey(cli, baseUrl))
      await checkKey(cli, credentials)
      await storeCredentials(environment, credentials, profile)
      const view = {
        base_url: credentials.baseUrl,
        profile,
        config_file: configFile(environment, profile),
      }
      await output.line(view, `Logged in to ${view.base_url}; the key is stored in ${view.config_file}`)
      if (environment.variables['VAANI_API_KEY'])
        await output.note('VAANI_API_KEY is set: commands use that key unless --profile is given')
    })

async function readKey(
  { environment, profile, signal }: Cli,
  baseUrl: string | undefined,
): Promise<Credentials> {
  const apiKey = await readText(environment.stdin, { maxBytes: MAX_KEY_BYTES, signal })
  return check(baseUrl ?? (await currentBaseUrl(environment, profile())), apiKey)
}

async function askForKey({ environment, profile }: Cli, baseUrl: string | undefined): Promise<Credentials> {
  if (!environment.stdin.isTTY)
    throw usageError('standard input is not a terminal: pass the key on it with --key-stdin')
  const current = await currentBaseUrl(environment, profile())
  const key = { text: 'API key (not shown): ', isSecret: true }
  if (baseUrl !== undefined) return check(baseUrl, ...(await ask(environment, [key])))
  const [address, apiKey] = await ask(environment, [{ text: `Base URL [${current}]: ` }, key])
  return check(address || current, apiKey)
}

function check(baseUrl: string, apiKey = ''): Credentials {
  return { baseUrl: checkBaseUrl(baseUrl), apiKey: checkApiKey(apiKey, 'the key') }
}

/** Checks a key by reading a list. A key without the scope for that is valid too. */
async function checkKey(cli: Cli, credentials: Credentials): Promise<void> {
  const client = await cli.connect(credentials)
  await client.calls.list({ limit: 1 }, { signal: cli.signal }).catch((error: unknown) => {
    if (!ApiError.isInstance(error, 'calls.list')) throw error
    if (error.status === 404) return checkAdminKey(cli, credentials, error)
    if (error.code !== 'forbidden') throw error
  })
}

/** A migration worker has no calls. */
async function checkAdminKey(
  { environment: { fetch }, clock, signal }: Cli,
  credentials: Credentials,
  refusal: unknown,
): Promise<void> {
  const client = createMigration({ ...credentials, clock, ...(fetch && { fetch }) })
  await client.retrieve({ signal }).catch((error: unknown) => {
    throw ApiError.isInstance(error) && error.status === 404 ? refusal : error
  })
}
