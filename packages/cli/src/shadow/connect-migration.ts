import { createMigration, type Migration } from '@vaani/client/migration'
import type { Cli } from '../cli.ts'
import { readShadowCredentials } from '../config/shadow-credentials.ts'

/** @throws CliError if there is no admin key */
export async function connectMigration({ environment, clock, profile }: Cli): Promise<Migration> {
  const { apiKey, baseUrl } = await readShadowCredentials(environment, profile())
  const { fetch } = environment
  return createMigration({ apiKey, baseUrl, clock, ...(fetch && { fetch }) })
}
