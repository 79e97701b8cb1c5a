import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readBearerKey } from '@vaani/service-kit/http/authorize'
import { ConfigError, type Environment } from '@vaani/service-kit/settings/define-settings'

const FILE = 'admin.key'
const RANDOM_BYTES = 24

/**
 * Returns the key of the administration that the environment sets, if any.
 *
 * @throws ConfigError if no request could carry it
 */
export function readAdminKey({ VAANI_SHADOW_API_KEY: key }: Environment): string | undefined {
  if (!key) return undefined
  if (readBearerKey(`Bearer ${key}`) === null)
    throw new ConfigError(
      'VAANI_SHADOW_API_KEY must begin with sk_live_ or sk_test_, and have at least 24 letters, digits, - or _',
    )
  return key
}

/** Returns the key of the administration that is kept in the data directory; makes it at the first start. */
export async function loadOrMakeAdminKey(dataDirectory: string): Promise<string> {
  const file = path.join(dataDirectory, FILE)
  const existing = await readFile(file, 'utf8').catch(ignoreMissing)
  if (existing !== null) return existing.trim()
  await mkdir(dataDirectory, { recursive: true })
  const draft = `${file}.${process.pid}`
  const key = `sk_live_${randomBytes(RANDOM_BYTES).toString('base64url')}`
  await writeFile(draft, `${key}\n`, { mode: 0o600, flush: true })
  // The link is atomic: if several processes start at once, all use the key of the first.
  await link(draft, file).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  await rm(draft)
  return (await readFile(file, 'utf8')).trim()
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null)

function ignoreMissing(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null
  throw error
}
