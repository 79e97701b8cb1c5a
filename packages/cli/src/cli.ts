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
  /** Ends whatever runs. */
  readonly signal: AbortSignal
  /** The client for given credentials; default: those of the environment or of `login`. @throws CliError without any */
  connect(credentials?: Credentials): Promise<Vaani>
}

export function createCli(environment: CliEnvironment, { isJson }: { isJson: boolean }): Cli {
  const { clock = systemClock, fetch, signal } = environment
  return {
    environment,
    output: createOutput(environment, { isJson }),
    clock,
    signal,
    async connect(credentials) {
      const { apiKey, baseUrl } = credentials ?? (await readCredentials(environment))
      return new Vaani({ apiKey, baseUrl, clock, ...(fetch && { fetch }) })
    },
  }
}
