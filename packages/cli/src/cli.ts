import { type Clock, Vaani } from '@vaani/client'
import type { CliEnvironment } from './cli-environment.ts'
import { systemClock } from './clock.ts'
import { type Credentials, readCredentials } from './config/credentials.ts'
import { createOutput, type Output } from './output/output.ts'

/** Context of every command. */
export interface Cli {
  readonly environment: CliEnvironment
  readonly output: Output
  readonly clock: Clock
  /** Returns the profile named by `--profile`, once the command line is parsed. */
  readonly profile: () => string | undefined
  /** Ends the running command. */
  readonly signal: AbortSignal
  /** Returns the key and address to use. @throws CliError if there are none */
  credentials(): Promise<Credentials>
  /** Returns a client for the given credentials; default: `credentials()`. @throws CliError if there are none */
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
