import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { VAULT_KEY_BYTES } from './vault.ts'

const FILE = 'encryption.key'

/**
 * Loads the key of this data directory, for servers without a configured key. Creates it at the first start. Keep it together
 * with the database, because without it the secrets in the database cannot be read.
 */
export async function loadOrMakeKey(dataDirectory: string): Promise<Buffer> {
  const file = path.join(dataDirectory, FILE)
  const existing = await readKey(file)
  if (existing !== null) return existing
  await mkdir(dataDirectory, { recursive: true })
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  await writeFile(draft, `${randomBytes(VAULT_KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flush: true })
  // The link is atomic, and if several processes start concurrently, the first one wins.
  await link(draft, file).catch((error: unknown) => {
    if (!isCode(error, 'EEXIST')) throw error
  })
  await rm(draft)
  const made = await readKey(file)
  if (made === null) throw new Error('The encryption key was removed while it was being created')
  return made
}

async function readKey(file: string): Promise<Buffer | null> {
  try {
    const key = Buffer.from(await readFile(file, 'utf8'), 'base64')
    if (key.length !== VAULT_KEY_BYTES) throw new Error(`${FILE} in the data directory is damaged`)
    return key
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
