import { type Clock, Vaani } from '@vaani/client'
import type { CliEnvironment } from './cli-environment.ts'
import { systemClock } from './clock.ts'
import { type Credentials, readCredentials } from './config/credentials.ts'
import { createOutput, type Output } from './output/output.ts'

/** What every command works with. */
export interface Cli {
  readonly environment: CliEnvironment
  readonly output: Output
  readonly clock: Clock
  /** The profile that `--profile` names; read once the command line is parsed. */
  readonly profile: () => string | undefined
  /** Ends whatever runs. */
  readonly signal: AbortSignal
  /** The key and the address to use. @throws CliError if there are none */
  credentials(): Promise<Credentials>
  /** The client for given credentials; default: those above. @throws CliError if there are none */
  connect(credentials?: Credentials): Promise<Vaani>
}

export function createCli(
  environment: CliEnvironment,
  { isJson, profile }: { isJson: boolean; profile: () => string | undefined },
): Cli {
  const { clock = systemClock, fetch, signal } = environment
  const credentials = (): Promise<Credentials> => readCredentials(environment, profile())
  return {
    environment,
    output: createOutput(environment, { isJson }),
    clock,
    profile,
    signal,
    credentials,
    async connect(given) {
      const { apiKey, baseUrl } = given ?? (await credentials())
      return new Vaani({ apiKey, baseUrl, clock, ...(fetch && { fetch }) })
    },
  }
}
